/** A list of many bundles, and choices that are as wide as their texts. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { asJson } from "../bundle/tiny";
import { screenshot, visit as visitAt } from "./browser";
import { inBrowser, openBundle } from "./person";
import { serve } from "./server";

const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
};

/** An index of this many bundles: the installed ones again and again, by other names. */
function many(count: number): ReadonlyMap<string, Buffer> {
  const index = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: { name: string; title: string }[] };
  const { bundles } = index;
  const more = Array.from({ length: count - bundles.length }, (_, at) => {
    const entry = bundles[at % bundles.length] ?? { name: "", title: "" };
    return { ...entry, name: `${entry.name}-${at}`, title: `${entry.title} (run ${at})` };
  });
  return new Map([["azx/index.json", asJson({ ...index, bundles: [...bundles, ...more] })]]);
}

inBrowser("a list", ({ browser, visit }) => {
  it.each(Object.entries(SIZES))(
    "of 50 bundles is one of games, with a field to find one, on a %s",
    async (size, viewport) => {
      const own = await serve(undefined, many(50));
      const { page, context } = await visitAt(browser(), own.url, { viewport });
      await openBundle(page, "connect4", "policy");
      await expect
        .poll(() => page.locator("#bundles h2").allTextContents())
        .toEqual(["Connect4", "Tic-tac-toe", "Dots and Boxes", "Gomoku", "Go", "Reversi", "Hex"]);
      await screenshot(page, `fifty-${size}`);
      // The board is where it can be played.
      const board = await page.locator("#board").boundingBox();
      expect(board?.y).toBeLessThan(0.4 * viewport.height);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        .toBeLessThanOrEqual(0);
      await page.fill("#find", "tac run 13");
      await expect
        .poll(() => page.locator("#bundles button:visible span").allTextContents())
        .toEqual(["Tic-tac-toe (run 13)"]);
      await screenshot(page, `found-${size}`);
      await page.fill("#find", "chess");
      await expect.poll(() => page.locator("#none-found").textContent()).toBe("No bundle is called so.");
      await page.fill("#find", "");
      await expect.poll(() => page.locator("#bundles button:visible").count()).toBe(50);
      await context.close();
      await own.close();
    },
  );

  it("of fewer than 10 is one of bundles alone", async () => {
    const own = await serve(undefined, many(7));
    const { page, context } = await visitAt(browser(), own.url);
    await page.locator("#bundles button").first().waitFor();
    await expect
      .poll(async () => [await page.locator("#bundles button").count(), await page.locator("#find").count()])
      .toEqual([7, 0]);
    await context.close();
    await own.close();
  });

  it.each([320, 360, 375, 390, 768, 900, 1280])(
    "of choices shows each whole, on a screen of %d pixels",
    async (width) => {
      await visit(
        async ({ page }) => {
          await openBundle(page, "gomoku", "policy");
          await page.click("#new");
          const shown = page.locator("dialog:has(#new-play) label:visible");
          expect(await shown.count()).toBeGreaterThan(8);
          const clipped = await shown.evaluateAll((found) =>
            found
              .filter((each) => each.scrollWidth > each.clientWidth + 1)
              .map((each) => ({ text: each.textContent, needs: each.scrollWidth, has: each.clientWidth })),
          );
          await screenshot(page, `choices-${width}`);
          expect(clipped).toEqual([]);
          await expect
            .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
            .toBeLessThanOrEqual(0);
        },
        { viewport: { width, height: 800 } },
      );
    },
  );
});
