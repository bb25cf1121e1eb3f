/** Thinking with the board: candidates at a hint, an analysis with its verdicts, lines tried out, the graph and keys. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot } from "./browser";
import {
  choose,
  click,
  countPieces,
  inBrowser,
  openBundle,
  place,
  press,
  statusOf,
  textOf,
  waitForNetwork,
  waitForTurn,
} from "./person";

/** The person fills a column, the network answers beside it and lets it win. */
async function winGame(page: Page): Promise<void> {
  await openBundle(page, "connect4", "policy");
  await prescribe(page, [35, 28, 21]);
  await click(page, "connect4", [3, 3, 3, 3]);
  await expect.poll(() => statusOf(page)).toBe("You won!");
}

/** The network fills the last column, and the person lets it win with the last move of their own, the seventh. */
async function blunder(page: Page, columns = [3, 0, 0, 1]): Promise<void> {
  await openBundle(page, "connect4", "policy");
  await prescribe(page, [41, 34, 27, 20]);
  await click(page, "connect4", columns);
  await expect.poll(() => statusOf(page)).toBe("AI won!");
}

async function analyse(page: Page): Promise<void> {
  await choose(page, "analysis-simulations", "50");
  await press(page, "analyse");
  await page.locator("#analysis-stop").waitFor({ state: "hidden", timeout: 300_000 });
}

inBrowser("thinking with the board", ({ visit }) => {
  it("lists what a search considers at a hint, and writes it on the points", async () => {
    for (const [size, viewport, colorScheme] of [
      ["desktop", { width: 1280, height: 900 }, "light"],
      ["phone", { width: 390, height: 844 }, "dark"],
    ] as const)
      await visit(
        async ({ page }) => {
          for (const game of ["connect4", "tictactoe"]) {
            await openBundle(page, game, "policy");
            await page.click("#hint");
            await page.locator("#notice", { hasText: "Hint:" }).waitFor();
            const rows = await page.locator("#candidates tr:has(td)").allInnerTexts();
            expect(rows.length).toBeGreaterThan(1);
            expect(rows.length).toBeLessThanOrEqual(5);
            const visits = rows.map((row) => Number(/(\d+) \(/.exec(row)?.[1]));
            expect(visits).toEqual([...visits].sort((a, b) => b - a));
            // The network of tic-tac-toe has no value, but its game is solved.
            await expect.poll(() => page.locator("#board [data-rate]").count()).toBe(rows.length);
            await screenshot(page, `review-candidates-${game}-${size}`);
          }
          await openBundle(page, "connect4", "policy");
          await prescribe(page, [35]);
          await page.click("#hint");
          await page.locator("#candidates").waitFor();
          await place(page, "connect4", 3).click();
          await waitForTurn(page);
          await expect.poll(() => page.locator("#candidates").isVisible()).toBe(false);
          await expect.poll(() => page.locator("#board [data-rate]").count()).toBe(0);
        },
        { viewport, colorScheme },
      );
  });

  it("judges the moves of a game, and goes to its mistakes", async () => {
    for (const [size, viewport, colorScheme] of [
      ["desktop", { width: 1280, height: 900 }, "light"],
      ["dark", { width: 1280, height: 900 }, "dark"],
      ["phone", { width: 390, height: 844 }, "light"],
    ] as const)
      await visit(
        async ({ page }) => {
          await blunder(page);
          await analyse(page);
          await expect.poll(() => page.locator("#graph .blunder").count()).toBeGreaterThan(0);
          await expect.poll(() => page.locator("#verdicts tr").count()).toBe(5);
          await press(page, "mode-replay");
          for (const _ of [1, 2]) await press(page, "back");
          await press(page, "next-mistake");
          await expect.poll(() => textOf(page, "ply-text")).toBe("Move 7 of 8");
          const block = "Column 2: blunder, does not block column 7. Better: column 7.";
          await expect.poll(() => textOf(page, "verdict")).toBe(block);
          // Of four moves a side is no accuracy told.
          await expect.poll(() => page.locator("#verdicts tr:last-child td").allInnerTexts()).toEqual(["–", "–"]);
          await expect.poll(() => page.locator("#board .hole.better").count()).toBe(1);
          await screenshot(page, `review-verdict-${size}`);
          await press(page, "end");
          await expect.poll(() => textOf(page, "verdict")).toBe("Column 7: good.");
          await expect.poll(() => page.locator("#board .better").count()).toBe(0);
        },
        { viewport, colorScheme },
      );
  });

  it("knows who wins an opening of Connect4, in a game that is opened again too", async () => {
    await visit(async ({ page }) => {
      // The win is given away at once.
      await blunder(page, [0, 0, 1, 1]);
      await analyse(page);
      const verdicts = async (): Promise<readonly string[]> => {
        await press(page, "mode-replay");
        await page.click("#first");
        const said: string[] = [];
        for (const move of [1, 2, 3, 4, 5, 6, 7, 8]) {
          await page.click("#forward");
          await expect.poll(() => textOf(page, "ply-text")).toBe(`Move ${move} of 8`);
          said.push(await textOf(page, "verdict"));
        }
        return said;
      };
      const told = await verdicts();
      expect(told[0]).toBe("Column 1: blunder, gives the win away. Better: column 4.");
      await page.reload();
      await waitForNetwork(page);
      // What judges comes after the board.
      await page.locator("#verdicts:visible").waitFor();
      await expect.poll(verdicts, { timeout: 300_000 }).toEqual(told);
    });
  });

  it("says how far an analysis is, and goes on where it was stopped", async () => {
    await visit(async ({ page }) => {
      await blunder(page);
      await choose(page, "analysis-simulations", "800");
      await press(page, "analyse");
      await page.locator("#analysis", { hasText: "of 9 positions" }).waitFor({ timeout: 300_000 });
      await page.click("#analysis-stop");
      await page.locator("#analyse").waitFor();
      const [done] = (await textOf(page, "analysis")).split(" ");
      expect(Number(done)).toBeGreaterThan(0);
      expect(Number(done)).toBeLessThan(9);
      await analyse(page);
      await expect.poll(() => textOf(page, "analysis")).toBe("");
    });
  });

  it("tries out moves of both sides in a replay, and leaves the game as it was", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await press(page, "mode-replay");
      await page.click("#first");
      for (const column of [0, 1, 1]) await place(page, "connect4", column).click();
      await expect.poll(() => page.locator("#board .hole.first, #board .hole.second").count()).toBe(3);
      await expect.poll(() => textOf(page, "ply-text")).toBe("Line of your own: 3 after move 0");
      await screenshot(page, "review-line");
      await page.click("#take-back");
      await expect.poll(() => page.locator("#board .hole.first, #board .hole.second").count()).toBe(2);
      await page.click("#hint");
      await page.locator("#candidates").waitFor();
      await page.click("#to-game");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 0 of 7");
      await expect.poll(() => page.locator("#candidates").isVisible()).toBe(false);
      await press(page, "end");
      await expect.poll(() => statusOf(page)).toBe("You won!");
    });
  });

  it("lets a mistake be tried again until a move is good, and does not tell it", async () => {
    await visit(async ({ page }) => {
      await blunder(page);
      await analyse(page);
      await press(page, "mode-replay");
      await press(page, "back");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 7 of 8");
      const says = (text: string): Promise<void> => expect.poll(() => textOf(page, "verdict")).toBe(text);
      await page.click("#retry");
      await says("Find a better move than column 2.");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 6 of 8");
      await expect.poll(() => page.locator("#board .better, #board .warm").count()).toBe(0);
      expect(await page.locator("#retry:visible, #take-back:visible").count()).toBe(0);
      await screenshot(page, "review-retry");
      await place(page, "connect4", 1).click();
      await says("Column 2 was played in the game. Try another move.");
      await place(page, "connect4", 4).click();
      await says("Column 5 does not block column 7. Try another move.");
      await expect.poll(() => countPieces(page)).toBe(6);
      await place(page, "connect4", 6).click();
      await says("Column 7 is the move that the review prefers.");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Line of your own: 1 after move 6");
      // What was tried in vain leaves no line, and what was found does.
      await page.click("#to-game");
      await expect.poll(() => page.locator("#branches-list button").allInnerTexts()).toEqual(["column 7"]);
      // Who gives up is shown the move again.
      await page.click("#forward");
      await page.click("#retry");
      await page.click("#to-game");
      await says("Column 2: blunder, does not block column 7. Better: column 7.");
    });
  });

  it("looks at whatever position is shown, deeper and deeper, until that is switched off", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await press(page, "mode-replay");
      await page.click("#first");
      await page.click("#live");
      const visits = async (): Promise<number> => {
        const [first = ""] = await page.locator("#candidates tr:has(td) td").allInnerTexts();
        return Number(first.split(" ")[0]?.replace(",", ""));
      };
      await expect.poll(visits).toBeGreaterThan(20);
      const some = await visits();
      await expect.poll(visits).toBeGreaterThan(2 * some);
      await expect.poll(() => page.locator("#candidates small").first().innerText()).toMatch(/^then column \d/);
      await screenshot(page, "review-live");
      // The red player has three of four by now, and nobody has stopped the fourth.
      await press(page, "end");
      await press(page, "back");
      const best = (): Promise<string[]> =>
        page.locator("#candidates tr:nth-of-type(2) :is(th, td):not(:nth-child(2))").allInnerTexts();
      await expect.poll(best).toEqual(["column 4", "100\u{a0}%"]);
      await expect.poll(() => page.locator("#evaluation span").getAttribute("style")).toBe("width: 100%;");
      // An analysis of the game takes its place, and gives it back.
      await page.click("#first");
      await analyse(page);
      await expect.poll(visits).toBeGreaterThan(100);
      await page.click("#live");
      await expect.poll(() => page.locator("#candidates").isVisible()).toBe(false);
      expect(await page.locator("#live").getAttribute("aria-pressed")).toBe("false");
      await page.click("#hint");
      await page.locator("#notice", { hasText: "Hint:" }).waitFor();
    });
  });

  it("plays on from a line in a game of its own", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await press(page, "mode-replay");
      await page.click("#first");
      await page.click("#forward");
      await place(page, "connect4", 4).click();
      await expect.poll(() => textOf(page, "ply-text")).toBe("Line of your own: 1 after move 1");
      const before = page.url();
      await page.click("#play-from-here");
      await waitForTurn(page);
      await expect.poll(() => page.locator("#mode-play").getAttribute("aria-pressed")).toBe("true");
      await expect.poll(() => page.locator("#board .hole.first, #board .hole.second").count()).toBe(2);
      await prescribe(page, [35]);
      await place(page, "connect4", 3).click();
      await waitForTurn(page);
      await expect.poll(() => page.locator("#board .hole.first, #board .hole.second").count()).toBe(4);
      // The game that it comes from is as it was, and has the line.
      await page.goBack();
      await page.locator("#result:visible").waitFor();
      expect(page.url()).toBe(before);
      await press(page, "mode-replay");
      await page.click("#first");
      await page.click("#forward");
      await expect.poll(() => page.locator("#branches-list button").allInnerTexts()).toEqual(["column 5"]);
    });
  });

  it("goes through a game by keys, and along the graph", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => statusOf(page)).toBe("You won!");
      await press(page, "mode-replay");
      const shows = async (key: string, text: string): Promise<void> => {
        await page.keyboard.press(key);
        await expect.poll(() => textOf(page, "ply-text")).toBe(text);
      };
      await shows("ArrowLeft", "Move 6 of 7");
      await shows("Home", "Move 0 of 7");
      await shows("ArrowRight", "Move 1 of 7");
      await shows("End", "Move 7 of 7");
      const box = await page.locator("#graph").boundingBox();
      if (!box) throw new Error("the graph is not there");
      const [x, y] = [(move: number): number => box.x + (box.width * (5 + (move / 8) * 290)) / 300, box.y + 20];
      await page.mouse.move(x(2), y);
      await page.mouse.down();
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 2 of 7");
      await page.mouse.move(x(5), y, { steps: 4 });
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 5 of 7");
      await page.mouse.up();
      await page.mouse.move(x(1), y);
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 5 of 7");
      await expect.poll(() => page.locator("#graph").getAttribute("aria-valuetext")).toBe("Move 5 of 7");
      await expect.poll(() => page.locator("#graph-moves span").allInnerTexts()).toEqual(["0", "2", "4", "6", "8"]);
    });
  });

  it("says in boxes what each move of a hint loses, once the end is solved", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${page.url().split("#")[0]}#dots_and_boxes/moves=0.1.2.12.15.9.10.11.20.23.16.19`);
      await page.locator("#replay:visible").waitFor();
      await page.locator("#hint:enabled").click();
      const discs = page.locator('#board [data-rate]:not([data-share=""])');
      await discs.first().waitFor();
      const figures = await discs.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.rate ?? ""));
      expect(figures).toContain("0");
      for (const figure of figures) expect(figure).toMatch(/^(0|−\d)$/);
      // The list speaks as the board does.
      const heads = (): Promise<string[]> => page.locator('#candidates th[scope="col"]').allInnerTexts();
      expect(await heads()).toEqual(["Move", "Visits", "Boxes against the best"]);
      const listed = await page.locator("#candidates tr:has(td) td:last-child").allInnerTexts();
      // Some of them have too small a share for a disc.
      const all = await page
        .locator("#board [data-rate]")
        .evaluateAll((each) => each.map((one) => one.getAttribute("data-rate")));
      expect([...listed].sort()).toEqual([...all].sort());
      // What it is for loses nothing.
      expect(listed[0]).toBe("0");
      await screenshot(page, "hint-in-boxes");
      expect(await discs.first().getAttribute("aria-label")).toMatch(/hint, (0|−\d) against the best/);
      // Before the end is solved chances are all that is known.
      await page.click("#first");
      await page.locator("#hint:enabled").click();
      await expect.poll(heads).toEqual(["Move", "Visits", "Chances"]);
      const chances = await page.locator("#candidates tr:has(td) td:last-child").allInnerTexts();
      for (const chance of chances) expect(chance).toMatch(/^\d+\s%$/);
    });
  });

  it("has what a solved end is best at in front, on the board too", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${page.url().split("#")[0]}#dots_and_boxes/moves=0.1.2.12.15.9.10.11.20.23.16.19`);
      await page.locator("#replay:visible").waitFor();
      await page.locator("#hint:enabled").waitFor();
      const figures = (): Promise<string[]> => page.locator("#candidates tr:has(td) td:last-child").allInnerTexts();
      for (const id of ["hint", "live"]) {
        await page.click(`#${id}`);
        // A hint's table goes where live analysis begins.
        const first = async (): Promise<boolean[]> => {
          const [best, ...others] = await figures();
          return [best === "0", others.some((figure) => figure !== "0")];
        };
        await expect.poll(first).toEqual([true, true]);
        // One look for both: live analysis makes the board's edges anew while it is asked.
        const disc = (): Promise<readonly (string | undefined)[]> =>
          page.evaluate(() => {
            const best = document.querySelector<HTMLElement>("#board .best");
            return [best?.dataset.rate, best ? getComputedStyle(best, "::after").content : undefined];
          });
        await expect.poll(disc).toEqual(["0", '"0"']);
      }
    });
  });

  it("advises in an opening of Connect4 what keeps the win, where the network likes another move better", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${page.url().split("#")[0]}#connect4/moves=1.4.4.0.2`);
      await page.locator("#replay:visible").waitFor();
      const rows = (): Promise<string[]> => page.locator("#candidates tr:has(td)").allInnerTexts();
      const visits = (row = ""): number => Number(/\t(\d+)/.exec(row.replace(",", ""))?.[1]);
      await page.locator("#hint:enabled").click();
      await page.locator("#notice", { hasText: "Hint: column 2" }).waitFor();
      const [first, second] = await rows();
      expect(first).toMatch(/^column 2/);
      expect(visits(second)).toBeGreaterThan(visits(first));
      expect(await page.locator("#board .best").count()).toBe(1);
      await screenshot(page, "hint-in-opening");
      await page.click("#live");
      await expect.poll(async () => visits((await rows())[1])).toBeGreaterThan(visits(second));
      expect((await rows())[0]).toMatch(/^column 2/);
    });
  });

  it("says in boxes what live analysis finds in a solved end, and in chances before it", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${page.url().split("#")[0]}#dots_and_boxes/moves=0.1.2.12.15.9.10.11.20.23.16.19`);
      await page.locator("#replay:visible").waitFor();
      await page.click("#live");
      const heads = (): Promise<string[]> => page.locator('#candidates th[scope="col"]').allInnerTexts();
      await expect.poll(heads).toEqual(["Move", "Visits", "Boxes against the best"]);
      const listed = await page.locator("#candidates tr:has(td) td:last-child").allInnerTexts();
      expect(listed[0]).toBe("0");
      for (const figure of listed) expect(figure).toMatch(/^(0|−\d+)$/);
      const rates = page.locator("#board [data-rate]");
      const onBoard = await rates.evaluateAll((each) => each.map((one) => one.getAttribute("data-rate")));
      for (const figure of onBoard) expect(figure).toMatch(/^(0|−\d+)$/);
      await screenshot(page, "live-in-boxes");
      await page.click("#first");
      await expect.poll(heads).toEqual(["Move", "Visits", "Chances"]);
    });
  });
});
