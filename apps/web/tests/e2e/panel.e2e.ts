/** A review on screens of each size: the mistake, its words, the better move and "Try again" are in sight together. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { screenshot } from "./browser";
import { inBrowser } from "./person";
import { analyse, blunder } from "./states";

const SIZES = [
  [390, 844],
  [360, 640],
  [844, 390],
  [1024, 768],
  [1440, 900],
] as const;

interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const boxOf = (page: Page, selector: string): Promise<Box> =>
  page.locator(selector).evaluate((each) => {
    const { top, left, bottom, right } = each.getBoundingClientRect();
    return { top, left, bottom, right };
  });

/** At how many of five points of an element, in its middle and near its ends, something else lies over it. */
const countCovered = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const places = [0.03, 0.25, 0.5, 0.75, 0.97].map((part) => [left + part * width, top + height / 2] as const);
    return places.filter(([x, y]) => !each.contains(document.elementFromPoint(x, y))).length;
  });

const SHOWN = ["#status", "#board", "#verdict", "#retry", "#next-mistake", "#ply"];

inBrowser("a mistake in a review", ({ visit }) => {
  it.each(SIZES)("is in sight with its words, the better move and what to do, on %i x %i", async (width, height) => {
    await visit(
      async ({ page }) => {
        await blunder(page);
        await analyse(page);
        await page.locator("#next-mistake").click();
        await page.locator("#verdict", { hasText: "Better" }).waitFor();
        await page.evaluate(() => scrollTo(0, 0));
        await screenshot(page, `panel-${width}x${height}`);
        expect(await page.locator("#board .better").count()).toBeGreaterThan(0);
        for (const selector of SHOWN) {
          const { top, left, bottom, right } = await boxOf(page, selector);
          expect([selector, top >= 0, left >= 0, bottom <= height + 0.5, right <= width + 0.5]).toEqual([
            selector,
            true,
            true,
            true,
            true,
          ]);
        }
        const slider = await boxOf(page, "#ply");
        expect(slider.right - slider.left).toBeGreaterThanOrEqual(200);
        // Nothing lies over any of them, nor over the ends of the status.
        for (const selector of SHOWN) expect([selector, await countCovered(page, selector)]).toEqual([selector, 0]);
        const cut = await page
          .locator("#players .who")
          .evaluateAll((names) => names.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
        expect(cut).toBe(0);
        const board = await boxOf(page, "#board");
        const part = (board.bottom - board.top) / height;
        const about = `slider ${Math.round(slider.right - slider.left)} px, board ${Math.round(100 * part)} % of the height`;
        console.info(`${width} x ${height}: ${about}`);
        if (width > height && width >= 1024) {
          expect(part).toBeGreaterThanOrEqual(0.8);
          for (const selector of ["#move-list", "#graph"]) {
            const { top, bottom } = await boxOf(page, selector);
            expect([selector, top >= 0 && bottom <= height + 0.5]).toEqual([selector, true]);
          }
        }
      },
      { viewport: { width, height } },
    );
  });

  it.each(SIZES.slice(0, 3))("is of people whose names are long, and stay names on %i x %i", async (width, height) => {
    await visit(
      async ({ page }) => {
        await page.locator('.quiet[aria-label="Two people: Dots and Boxes"]').click();
        await page.locator("#people-choice:visible").waitFor();
        await page.fill("#name-0", "Alexandra");
        await page.fill("#name-1", "Bartholomew of Hohenstein");
        await page.locator('#minutes input[value="5"]').check({ force: true });
        await page.click("#new-play");
        await page.locator('#board .edge[aria-disabled="false"]').first().click();
        await page.locator("#players .clock").first().waitFor();
        const shares = await page
          .locator("#players .who")
          .evaluateAll((names) => names.map((each) => [each.clientWidth, each.scrollWidth] as const));
        console.info(
          `${width} x ${height}: names of ${shares.map(([seen, all]) => `${seen} of ${all} px`).join(", ")}`,
        );
        // Nine letters are there, or the whole name.
        for (const [seen, all] of shares) expect(Math.min(all, 72)).toBeLessThanOrEqual(seen + 1);
      },
      { viewport: { width, height }, isHome: true },
    );
  });
});
