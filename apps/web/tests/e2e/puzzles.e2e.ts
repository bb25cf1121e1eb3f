/** The puzzles from one's own blunders: one waits after a review, is solved on the board, and waits no more. */

import { expect, it } from "vitest";

import { screenshot } from "./browser";
import { inBrowser, place, textOf } from "./person";
import { analyse, blunder } from "./states";

inBrowser("a puzzle", ({ visit }) => {
  it("comes from a blunder, refuses that move again, and is gone once a better one is found", async () => {
    await visit(async ({ page }) => {
      const puzzles = `${new URL(page.url()).origin}/#/puzzles`;
      await page.goto(puzzles);
      await expect.poll(() => textOf(page, "puzzles-about")).toMatch(/^No mistake waits here/);
      await page.goBack();
      await blunder(page);
      await analyse(page);
      await page.goto(puzzles);
      await expect.poll(() => textOf(page, "puzzles-about")).toBe("1 to solve");
      await screenshot(page, "puzzles");
      await page.click("#puzzles .primary");
      await expect.poll(() => textOf(page, "verdict")).toBe("Find a better move than column 2.");
      expect(await page.locator("#board :is(.first, .second)").count()).toBe(6);
      await screenshot(page, "puzzle");
      await place(page, "connect4", 1).click();
      await expect.poll(() => textOf(page, "verdict")).toMatch(/^Column 2 was played in the game/);
      await place(page, "connect4", 6).click();
      await expect.poll(() => textOf(page, "verdict")).toMatch(/^Column 7 is /);
      await page.click("#puzzle-next");
      await expect.poll(() => textOf(page, "puzzles-about")).toMatch(/^No mistake waits here/);
      // It stays solved on the next visit.
      await page.reload();
      await expect.poll(() => textOf(page, "puzzles-about")).toMatch(/^No mistake waits here/);
    });
  });
});
