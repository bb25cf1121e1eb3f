/** A series that was left: resumed on a later visit as if nothing had been, in one tab alone; and its entry of the library. */

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { beginSides, inBrowser, openBundle, openSides, textOf } from "./person";
import { wholeIt } from "./whole";

interface Stored {
  readonly id: string;
  readonly actions: readonly number[];
  readonly over: boolean;
  readonly series: { readonly id: string; readonly round: number; readonly openings: readonly (readonly number[])[] };
}

/** The games of series in the database, in their order. */
async function stored(page: Page): Promise<readonly Stored[]> {
  const all = await page.evaluate(
    () =>
      new Promise<Stored[]>((resolve, reject) => {
        const opening = indexedDB.open("azx-games", 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const all = opening.result.transaction("games").objectStore("games").getAll();
          all.onsuccess = () => resolve(all.result);
        };
      }),
  );
  return all.filter(({ series }) => series).sort((one, two) => one.series.round - two.series.round);
}

/** Begin a series of so many games between a beginner and the full strength. */
async function begin(page: Page, count: number): Promise<void> {
  await openBundle(page, "tictactoe", "policy");
  await openSides(page, count);
  await beginSides(page);
}

const title = (page: Page): Promise<string> => textOf(page, "series-title");
const isOver = (page: Page, count: number): Promise<void> =>
  expect.poll(() => title(page), { timeout: 300_000 }).toBe(`${count} games played`);

async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator("#series-resume:visible").waitFor();
}

/** Have chance be the same on every visit. */
const withoutChance = (page: Page): Promise<unknown> => page.addInitScript("Math.random = () => 0.37;");

async function showLibrary(page: Page): Promise<void> {
  await page.click("#to-library");
  await page.locator("#library-count:not(:empty)").waitFor();
}

inBrowser("a series that was left", ({ visit }) => {
  wholeIt("is resumed after reloads, and has the games and openings that it would have had", async () => {
    const whole: (readonly Stored[])[] = [];
    await visit(async ({ page }) => {
      await withoutChance(page);
      await page.reload();
      await begin(page, 10);
      await isOver(page, 10);
      whole.push(await stored(page));
    });
    await visit(async ({ page }) => {
      await withoutChance(page);
      await page.reload();
      await begin(page, 10);
      // Once in the middle of a game, and once after the first of two that have one opening.
      await expect.poll(() => title(page), { timeout: 300_000 }).toBe("Game 2 of 10");
      await reload(page);
      expect(await title(page)).toMatch(/^Stopped after 1 of 10 games$/);
      expect(await page.locator("#series-stop").isVisible()).toBe(false);
      await page.click("#series-resume");
      await expect.poll(() => title(page), { timeout: 300_000 }).toBe("Game 4 of 10");
      await page.click("#series-stop");
      await reload(page);
      await page.click("#series-resume");
      await isOver(page, 10);
      expect(await page.locator("#series-resume").isVisible()).toBe(false);
      whole.push(await stored(page));
    });
    const [through = [], resumed = []] = whole;
    expect(through.map(({ series }) => series.round)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const told = (games: readonly Stored[]): unknown =>
      games.map(({ actions, over, series }) => [actions, over, series.openings]);
    expect(told(resumed)).toEqual(told(through));
    expect(new Set(resumed.map(({ series }) => series.id)).size).toBe(1);
  });

  it("is played in one tab alone, and the other one says so", async () => {
    await visit(async ({ page, context }) => {
      await begin(page, 20);
      await expect.poll(() => title(page), { timeout: 300_000 }).toBe("Game 2 of 20");
      const other = await context.newPage();
      await other.goto(page.url());
      await other.locator("#series-resume:visible").waitFor();
      await other.click("#series-resume");
      await expect.poll(() => textOf(other, "alert")).toContain("Another tab plays this series");
      await other.locator("#series-resume:visible").waitFor();
      await page.bringToFront();
      await page.click("#series-stop");
      await page.locator("#series-resume:visible").waitFor();
      const before = (await stored(page)).length;
      // It is free again: the other tab goes on with it.
      await other.bringToFront();
      await other.click("#series-resume");
      await expect.poll(async () => (await stored(other)).length, { timeout: 300_000 }).toBeGreaterThan(before);
      const rounds = (await stored(other)).map(({ series }) => series.round);
      expect(rounds).toEqual([...new Set(rounds)]);
    });
  });

  it("is one entry of the library: searched, deleted with undo, exported and imported", async () => {
    await visit(async ({ page }) => {
      await begin(page, 2);
      await isOver(page, 2);
      await showLibrary(page);
      const entries = page.locator("#library-list > li");
      await expect.poll(() => entries.count()).toBe(1);
      expect(await textOf(page, "library-count")).toBe("2 games");
      const opens = page.locator(".opens");
      expect(await opens.getAttribute("aria-expanded")).toBe("false");
      await opens.click();
      expect(await opens.getAttribute("aria-expanded")).toBe("true");
      expect(await page.locator(".kept-series li a").allInnerTexts()).toEqual([
        expect.stringContaining("Game 1 of 2"),
        expect.stringContaining("Game 2 of 2"),
      ]);
      await page.fill("#library-search", "nobody");
      await expect.poll(() => entries.count()).toBe(0);
      await page.fill("#library-search", "beginner");
      await expect.poll(() => entries.count()).toBe(1);
      await page.fill("#library-search", "");

      const saving = page.waitForEvent("download");
      await page.click("#library-export");
      const buffer = readFileSync(await (await saving).path());
      const before = await stored(page);

      // The entry goes with all of its games, and comes back with all of them.
      await page.locator(".kept-series > .kept-game .delete").click();
      await expect.poll(async () => (await stored(page)).length).toBe(0);
      await page.click("#library-undo");
      await expect.poll(async () => (await stored(page)).length).toBe(2);
      await expect.poll(() => entries.count()).toBe(1);

      await page.locator(".kept-series > .kept-game .delete").click();
      await expect.poll(async () => (await stored(page)).length).toBe(0);
      await page.setInputFiles("#library-import", { name: "games.zip", mimeType: "application/zip", buffer });
      await expect.poll(() => textOf(page, "library-done")).toBe("2 games imported.");
      await expect.poll(() => entries.count()).toBe(1);
      expect((await stored(page)).map(({ series }) => series)).toEqual(before.map(({ series }) => series));
    });
  });
});
