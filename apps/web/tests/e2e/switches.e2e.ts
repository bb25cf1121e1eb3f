/** What only some devices have: a tick at a move, and the system's accent colour; a switch for each, where it is there. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot, type Visit } from "./browser";
import { beginNew, check, choose, click, inBrowser, openBundle, waitForTurn, watchGame } from "./person";
import { winGame } from "./states";

const PHONE: Visit = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Runs in the page, before its scripts: notes for how long the device is asked to vibrate. */
function feel(): void {
  const felt: unknown[] = [];
  Object.assign(globalThis, { felt });
  navigator.vibrate = (pattern) => {
    felt.push(pattern);
    return true;
  };
}

const felt = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (globalThis as unknown as { felt: unknown[] }).felt.splice(0));

/** What the settings have a switch for. */
const switches = async (page: Page): Promise<string[]> => {
  await page.locator("#sound").waitFor({ state: "attached" });
  // They come behind the first board.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/Device-[^/]*\.js$/.test(name)),
  );
  await page.waitForTimeout(100);
  return page.locator("#vibration, #system-colours").evaluateAll((all) => all.map(({ id }) => id));
};

const accentOf = (page: Page, selector: string): Promise<string> =>
  page.locator(selector).evaluate((each) => getComputedStyle(each).getPropertyValue("--accent"));

inBrowser("a tick", ({ visit }) => {
  it("is felt at a move of either side once a person wants it, and of no game that is watched", async () => {
    await visit(async ({ page }) => {
      await page.addInitScript(feel);
      await page.reload();
      expect(await switches(page)).toContain("vibration");
      await winGame(page);
      expect(await felt(page)).toEqual([]);
      await check(page, "vibration", true);
      await page.reload();
      await expect.poll(() => page.locator("#vibration").isChecked()).toBe(true);
      await openBundle(page, "tictactoe", "policy");
      await beginNew(page);
      await prescribe(page, [3, 4]);
      await click(page, "tictactoe", [0]);
      const all: unknown[] = [];
      const count = async (): Promise<number> => all.push(...(await felt(page)));
      await expect.poll(count).toBe(2);
      expect(all).toEqual([15, 15]);
      await page.click("#undo");
      await waitForTurn(page);
      expect(await felt(page)).toEqual([]);
      await watchGame(page, "tictactoe", "fast");
      await expect.poll(() => page.locator("#board :is(.first, .second)").count()).toBeGreaterThan(1);
      expect(await felt(page)).toEqual([]);
    }, PHONE);
  });

  it("is offered where a device can, and nowhere else", async () => {
    await visit(async ({ page }) => expect(await switches(page)).not.toContain("vibration"));
    await visit(async ({ page }) => {
      await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "vibrate"));
      await page.reload();
      expect(await switches(page)).not.toContain("vibration");
    }, PHONE);
  });
});

inBrowser("the system's accent", ({ visit }) => {
  it("is the page's where a person wants it, in light and dark, and no board's", async () => {
    await visit(async ({ page }) => {
      expect(await switches(page)).toEqual(["system-colours"]);
      await openBundle(page, "tictactoe", "policy");
      const own = await accentOf(page, "body");
      await check(page, "system-colours", true);
      const light = await accentOf(page, "body");
      expect(light).toMatch(/^rgb\(\d+ \d+ \d+\)$/);
      expect(await accentOf(page, "#board .board")).toBe(own);
      await page.click("#gear");
      await page.locator("#system-colours").scrollIntoViewIfNeeded();
      await screenshot(page, "system-colours");
      await choose(page, "theme", "dark");
      await expect.poll(() => accentOf(page, "body")).not.toBe(light);
      expect(await accentOf(page, "body")).toMatch(/^rgb\(/);
      await page.reload();
      await expect.poll(() => page.locator("#system-colours").isChecked()).toBe(true);
      await expect.poll(() => accentOf(page, "body")).toMatch(/^rgb\(/);
      await choose(page, "theme", "light");
      await check(page, "system-colours", false);
      expect(await accentOf(page, "body")).toBe(own);
    });
  });

  it("stays the page's own where it cannot be read, and the settings say so", async () => {
    await visit(async ({ page }) => {
      // As where a person has chosen a yellow in a light system.
      await page.addInitScript(() => {
        const usual = getComputedStyle;
        globalThis.getComputedStyle = (each, part) =>
          /^accentcolor$/i.test((each as HTMLElement).style.color)
            ? ({ color: "rgb(255, 255, 0)" } as CSSStyleDeclaration)
            : usual(each, part);
      });
      await page.reload();
      expect(await switches(page)).toEqual(["system-colours"]);
      const own = await accentOf(page, "body");
      await page.click("#gear");
      const about = page.locator("#settings p", { hasText: "hard to read" });
      expect(await about.isVisible()).toBe(false);
      await check(page, "system-colours", true);
      await about.waitFor();
      expect(await accentOf(page, "body")).toBe(own);
      await choose(page, "theme", "dark");
      await expect.poll(() => accentOf(page, "body")).toBe("rgb(255 255 0)");
      expect(await about.isVisible()).toBe(false);
    });
  });

  it("has no switch in a browser that does not know it", async () => {
    await visit(async ({ page }) => {
      await page.addInitScript(() => {
        const { supports } = CSS;
        CSS.supports = (...asked: [string, string?]) =>
          !asked.join().includes("AccentColor") && supports.apply(CSS, asked as [string]);
      });
      await page.reload();
      expect(await switches(page)).toEqual([]);
    });
  });
});
