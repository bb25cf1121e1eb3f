/** Two people at one device, and positions that are set up: nothing of them is lost. AZX_SEQUENCES says how many orders are tried. */

import { expect, it } from "vitest";
import { bench, PATIENCE, screenshot } from "./browser";
import { People } from "./people";
import { inBrowser, stored, textOf } from "./person";
import { wholeIt } from "./whole";

const SEQUENCES = Number(process.env.AZX_SEQUENCES ?? 6);
const DEEDS = 7;
/** So many are tried side by side: each has a browser's storage of its own. */
const TOGETHER = 6;
const groups = Array.from({ length: Math.ceil(SEQUENCES / TOGETHER) }, (_, at) =>
  Array.from({ length: Math.min(TOGETHER, SEQUENCES - at * TOGETHER) }, (_, each) => at * TOGETHER + each + 1),
);

inBrowser("two people", ({ browser, visit }) => {
  for (const group of groups)
    wholeIt(
      `lose nothing by a reload, a kill, another tab or a full disk, by the seeds ${group[0]} to ${group.at(-1)}`,
      async () => {
        const { site } = await bench();
        const act = async (seed: number): Promise<void> => {
          const context = await browser().newContext({
            viewport: { width: 1280, height: 900 },
            serviceWorkers: "block",
          });
          context.setDefaultTimeout(PATIENCE);
          await context.addInitScript(() =>
            Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
          );
          const people = new People(context, site.url, seed);
          await people.begin();
          for (let deed = 0; deed < DEEDS; deed++) await people.act();
          const about = `seed ${seed}: ${people.done.join(", ")}`;
          for (const [what, before, after] of people.compared) expect(after, `${about}: ${what}`).toEqual(before);
          await context.close();
        };
        await Promise.all(group.map(act));
      },
      { timeout: 600_000 },
    );

  it("play without a network, by the sheet, with names, a clock and an undo that the other agrees to", async () => {
    await visit(
      async ({ page }) => {
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        await page.locator('.quiet[aria-label="Two people: Go"]').click();
        await page.locator("#people-choice:visible").waitFor();
        await page.locator('#board-size input[value="19"]').check({ force: true });
        await page.fill("#name-0", "Ann");
        await page.fill("#name-1", "Ben");
        await page.locator('#minutes input[value="5"]').check({ force: true });
        await page.locator('#undo-kind input[value="asked"]').check({ force: true });
        await screenshot(page, "people-sheet");
        await page.click("#new-play");
        const point = page.locator("#board .cell");
        await expect.poll(() => point.count()).toBe(361);
        await point.nth(60).click();
        await point.nth(300).click();
        await expect.poll(() => textOf(page, "status")).toBe("Ann to move");
        await expect.poll(() => page.locator("#players .clock").allInnerTexts()).toContain("4:58");
        await page.click("#undo");
        await expect.poll(() => textOf(page, "question-about")).toBe("Ben wants to take a move back. Does Ann agree?");
        await page.click("#question-no");
        await expect.poll(() => page.locator("#move-list li").count()).toBe(2);
        await page.click("#undo");
        await page.click("#question-yes");
        await expect.poll(() => page.locator("#move-list li").count()).toBe(1);
        await page.click("#resign");
        await expect.poll(() => textOf(page, "question-about")).toBe("Ben gives this game up?");
        await page.click("#question-yes");
        await expect.poll(() => textOf(page, "result")).toBe("The winner is Ann");
        await expect.poll(() => textOf(page, "why")).toBe("Ben gave up.");
        await screenshot(page, "people-over");
        await page.click("#swap");
        await expect.poll(() => page.locator("#players .who").allInnerTexts()).toEqual(["Ben", "Ann"]);
        await expect.poll(async () => (await stored(page)).length).toBe(2);
        // No network was wanted for it.
        expect(asked.filter((url) => /\.bin$|model\.json/.test(url))).toEqual([]);
      },
      { isHome: true },
    );
  });

  it("have their game looked at by a network of its board, which comes then", async () => {
    await visit(
      async ({ page }) => {
        await page.locator('.quiet[aria-label="Two people: Tic-tac-toe"]').click();
        await page.locator("#people-choice:visible").waitFor();
        await page.click("#new-play");
        const cell = page.locator("#board .cell");
        await cell.nth(8).waitFor();
        for (const at of [0, 3, 1, 4, 2]) await cell.nth(at).click();
        await page.click("#see-replay");
        await expect.poll(() => textOf(page, "ply-text")).toBe("Move 0 of 5");
        await page.locator("#hint:enabled").waitFor();
        await expect.poll(() => textOf(page, "ply-text")).toBe("Move 0 of 5");
        await page.click("#hint");
        await page.locator("#board .warm").first().waitFor();
      },
      { isHome: true },
    );
  });
});

inBrowser("a position", ({ visit }) => {
  it("is set up, refused by its rule, kept by its address, played on, and set up again from a game", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${new URL(page.url()).origin}/#/set-up/connect4`);
      const column = page.locator("#setup-board .column");
      const tool = (value: string) => page.locator(`#setup-tool input[value="${value}"]`).check({ force: true });
      await column.nth(3).click();
      await tool("1");
      await column.nth(3).click();
      await expect.poll(() => page.locator("#setup-mover input:checked").inputValue()).toBe("0");
      await page.locator('#setup-mover input[value="1"]').check({ force: true });
      await expect
        .poll(() => textOf(page, "setup-why"))
        .toBe("Red moves first, so it is not yellow’s turn with 1 and 1 pieces.");
      await expect.poll(() => page.locator("#setup-play").isDisabled()).toBe(true);
      await page.reload();
      await expect.poll(() => textOf(page, "setup-why")).toContain("Red moves first");
      await page.locator('#setup-mover input[value="0"]').check({ force: true });
      await page.click("#setup-play");
      await page.locator("#status[data-phase='yours']:visible").waitFor();
      await expect.poll(() => textOf(page, "set-up")).toBe("Stones were set up before the first move.");
      await page.locator("#board .column").nth(0).click();
      await page.locator("#board .second").nth(1).waitFor();
      await expect.poll(() => page.locator("#move-list li").count()).toBe(2);
      await page.click("#set-up-from");
      await expect.poll(() => page.locator("#setup-board :is(.first, .second)").count()).toBe(4);
      await page.goBack();
      await expect.poll(() => page.locator("#board:visible :is(.first, .second)").count()).toBe(4);
    });
  });

  it("of Reversi is a first position: against its network, after a reload, by its link, and not in a new game", async () => {
    await visit(async ({ page }) => {
      const discs = page.locator("#board:visible :is(.first, .second)");
      const cell = page.locator("#setup-board .cell");
      await page.goto(`${new URL(page.url()).origin}/#/set-up/reversi`);
      await cell.nth(0).click();
      await expect.poll(() => textOf(page, "setup-why")).toBe("No moves by the rules lead to this position.");
      await cell.nth(0).click();
      await cell.nth(18).click();
      await page.locator('#setup-mover input[value="1"]').check({ force: true });
      await expect.poll(() => textOf(page, "setup-why")).toBe("");
      await page.click("#setup-play");
      await page.locator("#status[data-phase='yours']:visible").waitFor();
      await expect.poll(() => discs.count()).toBe(5);
      await page.locator('#board .cell.open[aria-disabled="false"]').first().click();
      // The network answers.
      await expect.poll(() => discs.count()).toBe(7);
      await page.reload();
      await expect.poll(() => discs.count()).toBe(7);
      const address = page.url();
      const [entry] = (await stored(page)) as unknown as { settings: Record<string, string>; actions: number[] }[];
      expect(entry?.settings.position).toMatch(/^[012]{64}1$/);
      await page.goto("about:blank");
      const link = `#reversi/moves=&position=${entry?.settings.position}`;
      await page.goto(`${new URL(address).origin}/${link}`);
      await expect.poll(() => discs.count()).toBe(5);
      await page.goto(address);
      await expect.poll(() => discs.count()).toBe(7);
      await page.click("#new");
      await page.click("#new-play");
      await expect.poll(() => discs.count()).toBeLessThan(6);
    });
  });

  it("opens from its link with its stones set up", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${new URL(page.url()).origin}/#go/moves=D4.pass.F6..E5`);
      await page.locator("#board .cell").first().waitFor();
      await expect.poll(() => page.locator("#move-list li").count()).toBe(1);
      await expect.poll(() => page.locator("#board :is(.first, .second)").count()).toBe(3);
    });
  });
});
