/** The sheet for a new game, what is behind the gear, the bars beside the board and the list of moves. */

import { expect, it } from "vitest";

import { prescribe } from "./browser";
import { choose, click, countPieces, inBrowser, openBundle, place, statusOf, textOf, waitForTurn } from "./person";

const SCREENS = {
  desktop: [1440, 900],
  tablet: [1024, 768],
  landscape: [844, 390],
  phone: [360, 640],
} as const;

inBrowser("the sheet for a new game", ({ visit }) => {
  it("has eight levels and the game's own settings, and remembers what was chosen", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      await page.click("#new");
      await expect.poll(() => textOf(page, "new-game-title")).toBe("New game: Go");
      await expect.poll(() => page.locator("#strength .step").count()).toBe(8);
      await page.locator("#strength .step").nth(6).click();
      await expect.poll(() => textOf(page, "strength-name")).toBe("Level 7: expert");
      // By the keyboard, too.
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => textOf(page, "strength-name")).toBe("Level 6: strong");
      await page.locator("#komi label", { hasText: "6.5" }).click();
      await page.locator("#begins label", { hasText: /^you$/ }).click();
      await page.click("#new-play");
      await expect.poll(() => page.locator("#new-game").isVisible()).toBe(false);
      await expect.poll(() => page.locator("#players .what").last().innerText()).toBe("white, Level 6: strong");
      await page.reload();
      await page.locator("#status:visible").waitFor();
      await page.click("#bundle-gomoku");
      await page.locator("#board .cell").nth(224).waitFor();
      await page.click("#new");
      await expect.poll(() => textOf(page, "strength-name")).toBe("Level 6: strong");
      await expect.poll(() => page.locator("#komi").isVisible()).toBe(false);
      await expect.poll(() => page.locator("#rule").isVisible()).toBe(true);
      // Nothing begins where it is left.
      const address = page.url();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("#new-game").isVisible()).toBe(false);
      expect(page.url()).toBe(address);
    });
  });

  it("leaves the page without a native choice, and the gear has the rest", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      expect(await page.locator("select").count()).toBe(0);
      for (const id of ["language", "theme", "backend", "sound", "self-test"])
        expect(await page.locator(`#${id}`).isVisible(), id).toBe(false);
      await page.click("#gear");
      for (const id of ["language", "theme", "backend", "sound", "self-test"])
        expect(await page.locator(`#${id}`).isVisible(), id).toBe(true);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("#settings").isVisible()).toBe(false);
    });
  });
});

inBrowser("the screen of a game", ({ visit }) => {
  it("lets another strength count at once, in a thought that is under way", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "seconds 10");
      await place(page, "connect4", 3).click();
      await page.locator("#simulations", { hasText: /\d/ }).waitFor();
      expect(await page.locator("#board .second").count()).toBe(0);
      const begin = Date.now();
      await choose(page, "strength", "policy");
      await page.locator("#board .second").waitFor();
      expect(Date.now() - begin).toBeLessThan(5000);
    });
  });

  it("has the position that is shown in its bars and its list of moves", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "dots_and_boxes", "policy");
      await prescribe(page, [3, 13, 23]);
      await click(page, "dots_and_boxes", [0, 3]);
      await waitForTurn(page);
      const bars = page.locator("#players .chip");
      const board = await page.locator("#board").boundingBox();
      const [own, theirs] = [await bars.first().boundingBox(), await bars.last().boundingBox()];
      expect(own?.y).toBeGreaterThanOrEqual((board?.y ?? 0) + (board?.height ?? 0));
      expect((theirs?.y ?? 0) + (theirs?.height ?? 0)).toBeLessThanOrEqual(board?.y ?? 0);
      await expect.poll(() => page.locator("#players .count").allInnerTexts()).toEqual(["0 boxes", "1 box"]);
      await expect.poll(() => page.locator("#move-list li").first().innerText()).toMatch(/1\s+A1–B1/);
      await page.locator("#move-list button").nth(1).click();
      await expect.poll(() => textOf(page, "ply-text")).toMatch(/^Move 2 of \d$/);
      await expect.poll(() => page.locator("#players .count").allInnerTexts()).toEqual(["0 boxes", "0 boxes"]);
      await expect.poll(() => page.locator("#players [aria-current] .who").innerText()).toBe("You");
      await expect.poll(() => statusOf(page)).toBe("Your turn");
      expect(await countPieces(page)).toBe(0);
    });
  });

  it("has the whole board, both bars and the buttons in sight, on four screens", async () => {
    await visit(async ({ page }) => {
      for (const [name, [width, height]] of Object.entries(SCREENS)) {
        await page.setViewportSize({ width, height });
        for (const game of ["connect4", "tictactoe", "dots_and_boxes", "gomoku"]) {
          await openBundle(page, game, "policy");
          await page.evaluate(() => scrollTo(0, 0));
          for (const part of ["#board", "#players .chip:first-child", "#players .chip:last-child", "#hint"]) {
            const box = await page.locator(part).boundingBox();
            expect(box?.y, `${game}, ${name}: ${part}`).toBeGreaterThanOrEqual(0);
            expect((box?.y ?? 0) + (box?.height ?? 0), `${game}, ${name}: ${part}`).toBeLessThanOrEqual(height);
            expect((box?.x ?? 0) + (box?.width ?? 0), `${game}, ${name}: ${part}`).toBeLessThanOrEqual(width);
          }
        }
      }
    });
  });
});
