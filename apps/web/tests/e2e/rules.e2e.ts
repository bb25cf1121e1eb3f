/** Rules as the page shows them; the network's moves are prescribed. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot } from "./browser";
import { beginNew, check, click, inBrowser, openBundle, place, statusOf, textOf, waitForTurn } from "./person";

/** Rows and columns as the action of a square board. */
const on =
  (size: number) =>
  (...[row, column]: [number, number]): number =>
    row * size + column;
const [gomoku, go] = [on(15), on(9)];

/** Click edges by their names, each when it is the person's turn. */
async function draw(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await waitForTurn(page);
    await page.getByRole("button", { name }).click();
  }
  await waitForTurn(page);
}

/** Wait until the page has been drawn anew. */
const waitForPaint = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

interface Centre {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The middle of an element on the page, and its size. */
async function centre(page: Page, selector: string, at = 0): Promise<Centre> {
  const box = await page.locator(selector).nth(at).boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height };
}

/** Runs in the page: what is written on the board's elements until so much heat was, and what else. */
async function writesUntil(heat: number): Promise<{ heat: number; others: number }> {
  const written = { heat: 0, others: 0 };
  await new Promise<void>((resolve) => {
    const observer = new MutationObserver((records) => {
      for (const { attributeName } of records) {
        if (["style", "data-share", "class"].includes(attributeName ?? "")) written.heat++;
        else written.others++;
      }
      if (written.heat >= heat) resolve();
    });
    observer.observe(document.getElementById("board") as HTMLElement, {
      attributes: true,
      childList: true,
      subtree: true,
    });
  });
  return written;
}

inBrowser("the page", ({ visit }) => {
  it("marks Renju's forbidden points, and refuses them with the reason until the next move", async () => {
    const point = gomoku(7, 7);
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      await beginNew(page, true);
      await prescribe(page, [gomoku(0, 0), gomoku(0, 4), gomoku(14, 0), gomoku(14, 4), gomoku(14, 8)]);
      await click(page, "gomoku", [gomoku(7, 5), gomoku(7, 6), gomoku(5, 7), gomoku(6, 7)]);
      await expect.poll(() => page.locator("#board .forbidden").count()).toBe(1);
      await expect
        .poll(() => place(page, "gomoku", point).getAttribute("aria-label"))
        .toBe("H8, forbidden, double three");
      // Though it is marked as disabled, a click asks why.
      await place(page, "gomoku", point).click({ force: true });
      await expect.poll(() => textOf(page, "notice")).toBe("Not possible: forbidden to black: double three.");
      await expect.poll(() => page.locator("#board .first").count()).toBe(4);
      await screenshot(page, "gomoku-renju");
      await page.click("#hint");
      await page.locator("#notice", { hasText: "Hint:" }).waitFor();
      await expect.poll(() => textOf(page, "notice")).toContain("double three");
      await click(page, "gomoku", [gomoku(10, 10)]);
      await expect.poll(() => textOf(page, "notice")).toBe("");
    });
  });

  it("plays Hex by the swap rule where that is ticked, and the second player takes the first stone over", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "hex", "policy");
      await page.click("#new");
      expect(await textOf(page, "rule-name")).toBe("Swap rule: the second player may take the first stone over");
      await page.check("#rule");
      await page.locator("#begins label", { hasText: /^AI$/ }).click();
      await page.click("#new-play");
      await waitForTurn(page);
      const first = page.locator("#board .hexagon.first");
      await expect.poll(() => first.count()).toBe(1);
      expect(await first.getAttribute("aria-label")).toContain("take it over");
      await first.click();
      // It is the person's now, and the AI has put another one.
      await expect.poll(() => page.locator("#board .hexagon.second").count()).toBe(1);
      await waitForTurn(page);
      expect(await page.locator("#board .hexagon.first").count()).toBe(1);
      // Another game has a rule of its own.
      await openBundle(page, "gomoku", "policy");
      await page.click("#new");
      expect(await page.isChecked("#rule")).toBe(false);
      expect(await textOf(page, "rule-name")).toBe("Renju rule");
      await page.keyboard.press("Escape");
      await openBundle(page, "hex", "policy");
      await page.click("#new");
      expect(await page.isChecked("#rule")).toBe(true);
    });
  });

  it("plays one move at a double click, though the network has answered in between", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await prescribe(page, [35, 36, 37]);
      await place(page, "connect4", 3).dblclick({ delay: 60 });
      await waitForTurn(page);
      // A second move would be on the board with the next picture.
      await waitForPaint(page);
      await expect.poll(() => page.locator("#board .first").count()).toBe(1);
      await place(page, "connect4", 3).click();
      await waitForTurn(page);
      await expect.poll(() => page.locator("#board .first").count()).toBe(2);
    });
  });

  it.each([
    ["go", 9, "ABCDEFGHJ", 5],
    ["gomoku", 15, "ABCDEFGHIJKLMNO", 5],
  ] as const)("names the lines of %s beside them, and marks its star points", async (game, size, letters, stars) => {
    for (const width of [1280, 390, 360])
      await visit(
        async ({ page }) => {
          await openBundle(page, game, "policy");
          await expect
            .poll(async () => (await page.locator("#board .column-name").allTextContents()).join(""))
            .toBe(letters);
          const rows = Array.from({ length: size }, (_, at) => String(size - at));
          await expect.poll(() => page.locator("#board .row-name").allTextContents()).toEqual(rows);
          await expect.poll(() => page.locator("#board .lines circle").count()).toBe(stars);
          const board = await centre(page, "#board");
          for (const at of [0, 2, size - 1]) {
            const [column, row] = [await centre(page, ".column-name", at), await centre(page, ".row-name", at)];
            const point = await centre(page, "#board .cell", at * (size + 1));
            expect(Math.abs(column.x - point.x)).toBeLessThan(1);
            expect(Math.abs(row.y - point.y)).toBeLessThan(1);
            // Below the last line, and left of the first one; on the board.
            const last = await centre(page, "#board .cell", size * size - 1);
            const first = await centre(page, "#board .cell", 0);
            expect(column.y - column.height / 2).toBeGreaterThan(last.y);
            expect(column.y + column.height / 2).toBeLessThanOrEqual(board.y + board.height / 2 + 0.5);
            expect(row.x + row.width / 2).toBeLessThan(first.x);
            expect(row.x - row.width / 2).toBeGreaterThanOrEqual(board.x - board.width / 2 - 0.5);
          }
          await screenshot(page, `${game}-names-${width}`);
        },
        { viewport: { width, height: 800 } },
      );
  });

  it("shows in a replay what was so then, and goes to the move that is pressed in the graph", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await prescribe(page, [35, 28, 21]);
      await click(page, "connect4", [3, 3, 3, 3]);
      await expect.poll(() => statusOf(page)).toBe("You won!");
      const box = await page.locator("#graph").boundingBox();
      if (!box) throw new Error("the graph is not there");
      await page.mouse.click(box.x + box.width * (4 / 8), box.y + box.height / 2);
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 4 of 7");
      await expect.poll(() => statusOf(page)).toBe("Your turn");
      await expect.poll(() => textOf(page, "chances")).toMatch(/^Your chances by move, 50\s% at move 4$/);
      await expect.poll(() => page.locator("#board .first").count()).toBe(2);
      await page.click("#back");
      await expect.poll(() => statusOf(page)).toBe("AI’s turn");
      await page.click("#first");
      await expect.poll(() => textOf(page, "chances")).toBe("Your chances by move, none known yet");
      await page.click("#end");
      await expect.poll(() => statusOf(page)).toBe("You won!");
      await expect.poll(() => textOf(page, "chances")).toMatch(/, 100\s% at move 7$/);
      await page.click("#mode-play");
      await expect.poll(() => textOf(page, "chances")).toMatch(/now 100\s%$/);
    });
  });

  it("colours the points during a thought, and touches nothing else of the board", async () => {
    await visit(async ({ page }) => {
      // It must not end while it is watched, on a busy machine either.
      await openBundle(page, "gomoku", "seconds 10");
      await beginNew(page, true);
      await waitForTurn(page);
      await check(page, "heat", true);
      await place(page, "gomoku", 112).click();
      await page.locator("#board .warm").first().waitFor();
      const { others } = await page.evaluate(writesUntil, 20);
      expect(others).toBe(0);
    });
  });

  it("takes moves back", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      await beginNew(page, true);
      await click(page, "gomoku", [gomoku(7, 7)]);
      await expect.poll(() => page.locator("#board .first").count()).toBe(1);
      await page.click("#undo");
      await expect.poll(() => page.locator("#board .first").count()).toBe(0);
    });
  });

  it("refuses a stone that would repeat the board in Go, with the reason", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      await prescribe(page, [go(3, 4), go(4, 3), go(5, 4), go(4, 5), go(0, 0)]);
      await click(page, "go", [go(3, 5), go(4, 6), go(5, 5), go(4, 4)]);
      await expect.poll(() => textOf(page, "summary")).toBe("Captured: by black 0, by white 1.");
      await expect.poll(() => page.locator("#board .captured").count()).toBe(1);
      await place(page, "go", go(4, 4)).click({ force: true });
      await expect
        .poll(() => textOf(page, "notice"))
        .toBe("Not possible: superko, the stone would repeat the board after move 7.");
      await screenshot(page, "go-superko");
      await click(page, "go", [go(8, 8)]);
      await expect.poll(() => textOf(page, "notice")).toBe("");
    });
  });

  it("lets both pass in Go, and counts the score", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      await prescribe(page, [81]);
      await click(page, "go", [go(4, 4)]);
      await expect.poll(() => textOf(page, "summary")).toBe("Captured: by black 0, by white 0. AI passed.");
      await page.click("#pass");
      await expect.poll(() => statusOf(page)).toBe("Tap dead stones, then agree");
      const stone = place(page, "go", go(4, 4));
      await stone.click();
      await expect.poll(() => stone.getAttribute("aria-label")).toMatch(/black.*, dead/);
      await expect
        .poll(() => textOf(page, "notice"))
        .toBe("Without the dead stones white wins by 7.5, with all stones alive black wins by 73.5.");
      await screenshot(page, "go-dead");
      await stone.click();
      await expect.poll(() => stone.getAttribute("aria-label")).not.toMatch(/dead/);
      await page.click("#agree");
      await expect.poll(() => statusOf(page)).toBe("You won!");
      await expect.poll(() => textOf(page, "why")).toBe("Score: black 81, white 0 and 7.5 komi; black wins by 73.5");
      await expect.poll(() => page.locator("#board .area-first").count()).toBe(81);
    });
  });

  it("estimates the score of Go, plays on where the person does not agree, and asks before it resigns", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      await prescribe(page, [81, go(0, 0)]);
      await click(page, "go", [go(4, 4)]);
      await page.click("#estimate");
      await expect.poll(() => textOf(page, "notice")).toMatch(/^Estimate: black \+\d/);
      await screenshot(page, "go-estimate");
      await page.click("#pass");
      await page.click("#play-on");
      await expect.poll(() => page.locator("#agree").isVisible()).toBe(false);
      await page.click("#resign");
      await page.click("#question-yes");
      await expect.poll(() => statusOf(page)).toBe("AI won!");
      await expect.poll(() => textOf(page, "notice")).toBe("You resigned.");
    });
  });

  it("makes forced passes in Dots and Boxes by itself, and says so until the next move", async () => {
    // The network closes the upper left box and draws another edge; then the person closes the next box.
    await visit(async ({ page }) => {
      await openBundle(page, "dots_and_boxes", "policy");
      await prescribe(page, [3, 13, 8, 9, 10]);
      await draw(page, "Horizontal edge, row 1, column 1", "Vertical edge, row 1, column 1");
      await expect.poll(() => page.locator("#board .box.second").count()).toBe(1);
      await expect.poll(() => textOf(page, "notice")).toBe("You pass: AI completed a box and moves again.");
      await draw(page, "Horizontal edge, row 1, column 2", "Horizontal edge, row 2, column 2");
      await expect.poll(() => textOf(page, "notice")).toBe("");
      await draw(page, "Vertical edge, row 1, column 3");
      await expect.poll(() => textOf(page, "notice")).toBe("AI passes: you completed a box, move again.");
      await expect.poll(() => statusOf(page)).toBe("Tap the edge for your move");
      await screenshot(page, "dots_and_boxes-pass");
    });
  });

  it("is walked and played by keyboard, and tells a screen reader of the network's moves", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await prescribe(page, [0]);
      await place(page, "tictactoe", 0).focus();
      for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
      await waitForTurn(page);
      await expect.poll(() => place(page, "tictactoe", 4).getAttribute("aria-label")).toBe("Row 2, column 2, X");
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
        .toBe("Row 2, column 2, X");
      await expect.poll(() => textOf(page, "spoken")).toBe("O, Row 1, column 1");
      for (const key of ["ArrowRight", "Space"]) await page.keyboard.press(key);
      await waitForTurn(page);
      await expect.poll(() => place(page, "tictactoe", 5).getAttribute("aria-label")).toBe("Row 2, column 3, X");
      const tabbed = await page.locator('#board [tabindex="0"]').count();
      expect(tabbed).toBe(1);
    });
  });

  it("has a name for everything that can be pressed or chosen", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      const nameless = await page.locator("button, select, input").evaluateAll((found) =>
        found
          .filter((each) => {
            const labels = (each as HTMLInputElement).labels?.length ?? 0;
            return !each.getAttribute("aria-label") && !each.textContent?.trim() && labels === 0;
          })
          .map((each) => each.outerHTML),
      );
      expect(nameless).toEqual([]);
    });
  });
});
