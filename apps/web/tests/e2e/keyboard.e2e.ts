/** A person who has a keyboard alone: plays a game, takes a move back, and looks at what was played. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe } from "./browser";
import { inBrowser, openBundle, statusOf, textOf, waitForNetwork, waitForTurn } from "./person";

const pieces = (page: Page): Promise<number> => page.locator("#board :is(.first, .second)").count();

const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || (document.activeElement?.getAttribute("aria-label") ?? ""));

/** Press Tab, or Shift and Tab, until what is sought has the focus, as a person would. */
async function tabTo(page: Page, sought: RegExp, key = "Tab"): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed++) {
    if (sought.test(await focusOf(page))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${sought}: it is at '${await focusOf(page)}'`);
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

inBrowser("a keyboard alone", ({ visit }) => {
  it("opens a game, plays it to its end, undoes and reviews it", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      // From here on nothing is clicked.
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await tabTo(page, /^bundle-tictactoe$/);
      await press(page, "Enter");
      await page.locator("#board .tictactoe").waitFor();
      await waitForNetwork(page);
      await prescribe(page, [3, 4, 6]);
      await tabTo(page, /^Row 1, column 1/);
      await press(page, "Enter");
      await expect.poll(() => pieces(page)).toBe(2);
      await press(page, "ArrowRight", "Space");
      await expect.poll(() => pieces(page)).toBe(4);
      await expect.poll(() => focusOf(page)).toMatch(/^Row 1, column 2, X/);

      await press(page, "u");
      await expect.poll(() => pieces(page)).toBe(2);
      await press(page, "Enter");
      await expect.poll(() => pieces(page)).toBe(4);
      await waitForTurn(page);
      await press(page, "ArrowRight", "Enter");
      await expect.poll(() => statusOf(page)).toBe("You won!");

      await tabTo(page, /^see-replay$/);
      await press(page, "Enter");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 0 of 5");
      await tabTo(page, /^forward$/);
      await press(page, "Enter");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 1 of 5");
      await press(page, "ArrowRight", "ArrowRight", "End", "ArrowLeft");
      await expect.poll(async () => [await textOf(page, "ply-text"), await pieces(page)]).toEqual(["Move 4 of 5", 4]);

      await tabTo(page, /^mode-play$/);
      await press(page, "Enter");
      await tabTo(page, /^new$/, "Shift+Tab");
      await press(page, "Enter");
      await tabTo(page, /^new-play$/);
      await press(page, "Enter");
      await expect.poll(() => pieces(page)).toBe(0);
    });
  });

  it("sees where it is: what has the focus has a ring", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const bare = new Set<string>();
      for (let pressed = 0; pressed < 45; pressed++) {
        await page.keyboard.press("Tab");
        const [name, ring] = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement;
          const shown = at.matches(".unseen") ? (at.parentElement as HTMLElement) : at;
          const { outlineStyle, outlineWidth } = getComputedStyle(shown);
          return [
            at.id || at.className || at.tagName,
            outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth),
          ] as const;
        });
        if (name !== "BODY" && ring < 2) bare.add(name);
      }
      expect([...bare]).toEqual([]);
    });
  });
});
