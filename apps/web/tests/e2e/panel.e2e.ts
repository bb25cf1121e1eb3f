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
        // Nothing lies over the status.
        const isFree = await page.locator("#status").evaluate((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect();
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return hit === each || each.contains(hit);
        });
        expect(isFree).toBe(true);
        const cut = await page
          .locator("#players .who")
          .evaluateAll((names) => names.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
        expect(cut).toBe(0);
        if (width > height && width >= 1024) {
          const board = await boxOf(page, "#board");
          expect((board.bottom - board.top) / height).toBeGreaterThanOrEqual(0.8);
          for (const selector of ["#move-list", "#graph"]) {
            const { top, bottom } = await boxOf(page, selector);
            expect([selector, top >= 0 && bottom <= height + 0.5]).toEqual([selector, true]);
          }
        }
      },
      { viewport: { width, height } },
    );
  });
});
