/** A visit begins with the games as pictures: each can be played at once, or continued if one is under way. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot, type Visit } from "./browser";
import { BOARDS, click, countPieces, inBrowser, textOf, waitForNetwork, waitForTurn } from "./person";

const cards = (page: Page): ReturnType<Page["locator"]> => page.locator(".game-card");
const card = (page: Page, name: string): ReturnType<Page["locator"]> => cards(page).filter({ hasText: name });

const HOME: Visit = { isHome: true };
const PHONE: Visit = { isHome: true, viewport: { width: 390, height: 844 } };

inBrowser("the first visit", ({ visit }) => {
  it.each([
    ["desktop-light", HOME],
    ["desktop-dark", { ...HOME, colorScheme: "dark" }],
    ["phone-light", PHONE],
    ["phone-dark", { ...PHONE, colorScheme: "dark" }],
  ] as const)("shows each game as a picture with Play, on a %s", async (name, how) => {
    await visit(async ({ page }) => {
      await cards(page).first().waitFor();
      await screenshot(page, `home-${name}`);
      expect(await cards(page).count()).toBe(Object.keys(BOARDS).length);
      expect(await cards(page).locator(".board").count()).toBe(Object.keys(BOARDS).length);
      const pieces = cards(page).locator(".board :is(.first, .second, .drawn)");
      expect(await pieces.count()).toBeGreaterThan(5 * Object.keys(BOARDS).length);
      await expect.poll(() => cards(page).locator("a").allInnerTexts()).toEqual(Array(7).fill("Play"));
      expect(await cards(page).locator(".quiet").allInnerTexts()).toEqual(Array(7).fill("Two people"));
      // One is large, and the one that is to be pressed next.
      expect(await page.locator("#home .primary").count()).toBe(1);
      expect(await page.locator(".game-card.large .primary").count()).toBe(1);
      expect(await cards(page).locator("small").allInnerTexts()).toEqual(
        Array(7).fill(expect.stringMatching(/^\d+ × \d+ · Level 4: average$/)),
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await page.title()).toBe("Games · azx");
      // What is seen is a picture: nobody lands in it by the keyboard.
      expect(await page.locator(".game-card :is(.place:not([inert]))").count()).toBe(0);
    }, how);
  });

  it("moves nothing once the games are there", async () => {
    await visit(async ({ page }) => {
      await cards(page).first().waitFor();
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            const watch = new PerformanceObserver((list) => {
              for (const each of list.getEntries()) sum += (each as unknown as { value: number }).value;
            });
            watch.observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(sum), 1500);
          }),
      );
      expect(shift).toBeLessThan(0.01);
    }, PHONE);
  });

  it("begins a game with Play, and goes on with it by Resume, with its position as the picture", async () => {
    await visit(async ({ page }) => {
      await page.evaluate(() => localStorage.setItem("azx begins", "you"));
      await page.reload();
      await card(page, "Connect4").locator("a").first().click();
      await page.locator("#board .column").first().waitFor();
      await waitForNetwork(page);
      await waitForTurn(page);
      await prescribe(page, [35]);
      await click(page, "connect4", [3]);
      await expect.poll(() => countPieces(page)).toBe(2);
      const address = page.url();
      expect(address).toMatch(/#\/games\/[0-9a-z]{16}$/);
      await page.click("h1 a");
      await cards(page).first().waitFor();
      expect(await page.locator("#board").isVisible()).toBe(false);
      await expect
        .poll(() => card(page, "Connect4").locator(".row").innerText())
        .toMatch(/^Resume\s+New game\s+Two people$/);
      expect(await card(page, "Connect4").locator(".board :is(.first, .second)").count()).toBe(2);
      await screenshot(page, "home-resume");
      await card(page, "Connect4").locator("a").first().click();
      await expect.poll(() => countPieces(page)).toBe(2);
      expect(page.url()).toBe(address);
      await page.goBack();
      await cards(page).first().waitFor();
      await card(page, "Connect4").locator("a", { hasText: "New game" }).click();
      await expect.poll(() => countPieces(page)).toBe(0);
      await page.goBack();
      await card(page, "Connect4").locator("a").first().click();
      await expect.poll(() => countPieces(page)).toBe(2);
      await page.reload();
      await expect.poll(() => countPieces(page)).toBe(2);
    }, HOME);
  });

  it("speaks the language that is chosen, and stays where it is", async () => {
    await visit(async ({ page }) => {
      await cards(page).first().waitFor();
      await page.click("#gear");
      await page.locator('#language input[value="zh-CN"]').click();
      await expect.poll(() => textOf(page, "home-title")).toBe("游戏");
      await expect.poll(() => page.title()).toBe("游戏 · azx");
    }, HOME);
  });
});
