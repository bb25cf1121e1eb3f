/** Whole games against the network, and how each of them looks. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { installedGames, screenshot, WHOLE, waitForStillness } from "./browser";
import {
  BOARDS,
  beginNew,
  choose,
  inBrowser,
  OVER,
  openBundle,
  place,
  play,
  simulations,
  statusOf,
  textOf,
  waitForTurn,
} from "./person";

/** Other people's networks: `azx install BUNDLE apps/web/dist` puts them beside the shipped ones. */
const OTHERS = [...installedGames()].filter(([name]) => !(name in BOARDS));
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** How many pixels of the page lie beside the screen. */
const tooWide = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

inBrowser("a game", ({ visit }) => {
  it.each(OTHERS)("is played to its end against %s, a network of %s that azx does not ship", async (name, game) => {
    await visit(async ({ page }) => {
      await openBundle(page, name, "simulations 50", game);
      await play(page, game, 200);
      await expect.poll(() => statusOf(page)).toMatch(OVER);
    }, WHOLE);
  });

  it.each(Object.keys(BOARDS))("of %s is played to its end by clicks, and walked through again", async (name) => {
    await visit(async ({ page }) => {
      await openBundle(page, name, "simulations 50");
      await play(page, name, 200);
      await expect.poll(() => statusOf(page)).toMatch(OVER);
      await waitForStillness(page);
      await screenshot(page, `${name}-over`);
      await page.click("#mode-replay");
      await page.click("#first");
      await page.click("#forward");
      await expect.poll(() => textOf(page, "ply-text")).toMatch(/^Move 1 of \d+$/);
      await screenshot(page, `${name}-replay`);
    }, WHOLE);
  });

  it.each(Object.keys(BOARDS))("of %s fits two sizes, light and dark", async (name) => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await visit(
        async ({ page }) => {
          await openBundle(page, name, "simulations 50");
          // A third move could be the last one of tic-tac-toe: the network misses no win.
          await play(page, name, 2);
          await page.click("#hint");
          await page.locator("#notice", { hasText: "Hint:" }).waitFor();
          await waitForStillness(page);
          await screenshot(page, `${name}-${size}`);
          await expect.poll(() => tooWide(page)).toBeLessThanOrEqual(0);
        },
        { viewport, colorScheme: size === "phone" ? "dark" : "light" },
      );
    }
  });

  it.each([390, 360])("has points that a finger can hit on a screen of %d pixels", async (width) => {
    await visit(
      async ({ page }) => {
        await openBundle(page, "gomoku", "policy");
        const box = await place(page, "gomoku", 112).boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
        await expect.poll(() => tooWide(page)).toBeLessThanOrEqual(0);
      },
      { viewport: { width, height: 740 } },
    );
  });

  it("shows what a thought of 50 simulations has found, or of fewer that decide the move", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "simulations 50");
      await play(page, "connect4", 1);
      // With more than half of them on one move no other can catch up.
      await expect.poll(() => simulations(page)).toBeGreaterThan(25);
      expect(await simulations(page)).toBeLessThanOrEqual(50);
      await expect.poll(async () => Number(await textOf(page, "depth"))).toBeGreaterThan(1);
      await expect.poll(() => textOf(page, "rate")).toMatch(/^\d+\s%$/);
      await expect.poll(() => textOf(page, "chances")).toMatch(/now \d+\s%$/);
    });
  });

  it("shows no chances where the network has no value", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await expect
        .poll(async () => [await page.locator("#rate").isVisible(), await page.locator("#graph").isVisible()])
        .toEqual([false, false]);
      await openBundle(page, "connect4", "policy");
      await page.locator("#rate").waitFor();
      await expect
        .poll(async () => [await page.locator("#rate").isVisible(), await page.locator("#graph").isVisible()])
        .toEqual([true, true]);
    });
  });

  it("says who begins where it is drawn at random", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await choose(page, "begins", "random");
      await beginNew(page);
      await waitForTurn(page);
      const isAi = (await page.locator("#players .stone").first().getAttribute("data-piece")) === "nought";
      await expect.poll(() => textOf(page, "notice")).toBe(`${isAi ? "AI begins" : "You begin"}, drawn at random.`);
      await expect.poll(() => page.locator("#board .first").count()).toBe(isAi ? 1 : 0);
    });
  });
});
