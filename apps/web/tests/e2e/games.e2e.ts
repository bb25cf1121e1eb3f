/** Whole games against the network, and how each of them looks. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { installed, screenshot } from "./browser";
import { BOARDS, inBrowser, OVER, opened, place, play, ready, statusOf, textOf } from "./person";

/** Other people's networks: `azx install BUNDLE apps/web/dist` puts them beside the shipped ones. */
const OTHERS = [...installed()].filter(([name]) => !(name in BOARDS));
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** How many pixels of the page lie beside the screen. */
const tooWide = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const simulations = async (page: Page): Promise<number> => Number((await textOf(page, "simulations")).replace(",", ""));

inBrowser("a game", ({ visit }) => {
  it.each(OTHERS)("is played to its end against %s, a network of %s that azx does not ship", async (name, game) => {
    await visit(async ({ page }) => {
      await opened(page, name, "simulations 50", game);
      await play(page, game, 200);
      expect(await statusOf(page)).toMatch(OVER);
    });
  });

  it.each(Object.keys(BOARDS))("of %s is played to its end by clicks, and walked through again", async (name) => {
    await visit(async ({ page }) => {
      await opened(page, name, "simulations 50");
      await play(page, name, 200);
      expect(await statusOf(page)).toMatch(OVER);
      await page.waitForTimeout(600);
      await screenshot(page, `${name}-over`);
      await page.click("#mode-replay");
      await page.click("#first");
      await page.click("#forward");
      expect(await textOf(page, "ply-text")).toMatch(/^Move 1 of \d+$/);
      await screenshot(page, `${name}-replay`);
    });
  });

  it.each(Object.keys(BOARDS))("of %s fits two sizes, light and dark", async (name) => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await visit(
        async ({ page }) => {
          await opened(page, name, "simulations 50");
          // A third move could be the last one of tic-tac-toe: the network misses no win.
          await play(page, name, 2);
          await page.click("#hint");
          await page.locator("#notice", { hasText: "Hint:" }).waitFor();
          await page.waitForTimeout(600);
          await screenshot(page, `${name}-${size}`);
          expect(await tooWide(page)).toBeLessThanOrEqual(0);
        },
        { viewport, colorScheme: size === "phone" ? "dark" : "light" },
      );
    }
  });

  it.each([390, 360])("has points that a finger can hit on a screen of %d pixels", async (width) => {
    await visit(
      async ({ page }) => {
        await opened(page, "gomoku", "policy");
        const box = await place(page, "gomoku", 112).boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
        expect(await tooWide(page)).toBeLessThanOrEqual(0);
      },
      { viewport: { width, height: 740 } },
    );
  });

  it("shows what a thought of 50 simulations has found", async () => {
    await visit(async ({ page }) => {
      await opened(page, "connect4", "simulations 50");
      await play(page, "connect4", 1);
      expect(await simulations(page)).toBe(50);
      expect(Number(await textOf(page, "depth"))).toBeGreaterThan(1);
      expect(await textOf(page, "rate")).toMatch(/^\d+\s%$/);
      expect(await textOf(page, "chances")).toMatch(/now \d+\s%$/);
    });
  });

  it("goes on thinking in the worker while the page is alive, and ends at once when it is stopped", async () => {
    await visit(async ({ page }) => {
      await opened(page, "connect4", "seconds 10");
      await page.check("#heat");
      await page.locator("#board .warm").first().waitFor();
      await page.uncheck("#heat");
      expect(await page.locator("#board .warm").count()).toBe(0);
      await page.check("#heat");
      await place(page, "connect4", 3).click();
      await page.locator("#simulations", { hasText: /\d{2}/ }).waitFor();
      const early = await simulations(page);
      await page.waitForFunction(
        (than) => Number(document.getElementById("simulations")?.textContent?.replace(",", "")) > than,
        early,
      );
      expect(await textOf(page, "depth")).toMatch(/^\d+$/);
      expect(await textOf(page, "rate")).toMatch(/^\d+\s%$/);
      expect(await page.locator("#board .warm").count()).toBeGreaterThan(0);
      expect(await longestPause(page)).toBeLessThan(500);
      await screenshot(page, "connect4-thinking");
      const begin = Date.now();
      await page.click("#stop");
      await ready(page);
      expect(Date.now() - begin).toBeLessThan(2000);
      expect(await page.locator("#board .second").count()).toBe(1);
    });
  });

  it("shows no chances where the network has no value", async () => {
    await visit(async ({ page }) => {
      await opened(page, "tictactoe", "policy");
      expect([await page.locator("#rate").isVisible(), await page.locator("#graph").isVisible()]).toEqual([
        false,
        false,
      ]);
      await opened(page, "connect4", "policy");
      await page.locator("#rate").waitFor();
      expect([await page.locator("#rate").isVisible(), await page.locator("#graph").isVisible()]).toEqual([true, true]);
    });
  });

  it("says who begins where it is drawn at random", async () => {
    await visit(async ({ page }) => {
      await opened(page, "tictactoe", "policy");
      await page.selectOption("#begins", "random");
      await page.click("#new");
      await ready(page);
      const isAi = (await page.locator("#players .stone").first().getAttribute("data-piece")) === "nought";
      expect(await textOf(page, "notice")).toBe(`${isAi ? "AI begins" : "You begin"}, drawn at random.`);
      expect(await page.locator("#board .first").count()).toBe(isAi ? 1 : 0);
    });
  });
});

/** The longest time in milliseconds between two pictures of the page, of 30. */
function longestPause(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let [last, longest] = [performance.now(), 0];
    for (let frame = 0; frame < 30; frame++) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      [last, longest] = [now, Math.max(longest, now - last)];
    }
    return longest;
  });
}
