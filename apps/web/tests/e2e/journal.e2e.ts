/** What a page that was killed has left in its journal: it goes on with its entry, is forgotten, or becomes an entry of its own. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe } from "./browser";
import { click, inBrowser, openBundle, stored, waitForTurn } from "./person";

/** A change that did not come to the database: of these moves, so many seconds after the entry, made from it or not. */
interface Left {
  readonly actions: readonly number[];
  readonly seconds: number;
  readonly isFromThere: boolean;
}

/** Runs in the page: leave a change of the game `id` behind, as a page that is killed does. */
function leave([id, { actions, seconds, isFromThere }]: readonly [string, Left]): Promise<void> {
  return new Promise((resolve) => {
    indexedDB.open("azx-games", 1).onsuccess = ({ target }) => {
      const database = (target as IDBOpenDBRequest).result;
      database.transaction("games").objectStore("games").get(id).onsuccess = (found) => {
        const there = (found.target as IDBRequest).result as { revision: string; changed: string };
        const changed = new Date(Date.parse(there.changed) + 1000 * seconds).toISOString();
        const record = { ...there, actions, changed, revision: "0123456789abcdef" };
        const draft = { base: isFromThere ? there.revision : "fedcba9876543210", record };
        localStorage.setItem(`azx draft ${id}`, JSON.stringify(draft));
        database.close();
        resolve();
      };
    };
  });
}

const games = async (page: Page): Promise<readonly (readonly number[])[]> =>
  (await stored(page)).map(({ actions }) => actions).sort((one, two) => one.length - two.length);

const PLAYED = [4, 0, 8, 2];

inBrowser("what a page that was killed has left of a game", ({ visit }) => {
  it.each([
    ["continues where it is newer", { actions: [4, 0], seconds: 5, isFromThere: true }, [[4, 0]], 2],
    [
      "is nothing where its entry has all of it and is newer",
      { actions: [4, 0], seconds: -5, isFromThere: false },
      [PLAYED],
      4,
    ],
    [
      "is an entry of its own beside one that went on otherwise",
      { actions: [4, 0, 1], seconds: 5, isFromThere: false },
      [[4, 0, 1], PLAYED],
      4,
    ],
  ] as const)("%s", async (_, left, all, shown) => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await prescribe(page, [0, 2]);
      await click(page, "tictactoe", [4, 8]);
      await expect.poll(() => games(page)).toEqual([PLAYED]);
      const [game] = await stored(page);
      await page.evaluate(leave, [game?.id ?? "", left] as const);
      // The network answers nothing by itself, which would be another change.
      await page.reload();
      await page.locator("#board .first").first().waitFor();
      await waitForTurn(page);
      expect(await page.locator("#board :is(.first, .second)").count()).toBe(shown);
      await expect.poll(() => games(page)).toEqual(all);
      expect(
        await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("azx draft "))),
      ).toEqual([]);
    });
  });
});
