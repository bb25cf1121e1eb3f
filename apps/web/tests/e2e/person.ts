/** Playing on the page as a person does. */

import type { Browser, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect } from "vitest";
import type { TestResult } from "../../src/worker/Messages";

import { bench, type Visit, visit, type Watched, whyNot } from "./browser";
import type { Site } from "./server";

export const OVER = /^(AI won!|You won!|Draw)$/;

/** What a person clicks on each game's board. */
export const BOARDS: Readonly<Record<string, string>> = {
  connect4: ".column",
  tictactoe: ".cell",
  dots_and_boxes: ".edge",
  gomoku: ".cell",
  go: ".cell",
  reversi: ".cell",
  hex: ".hexagon",
};

/** A browser and a site for the tests of a file; each test has contexts, and so a storage, of its own. */
export interface Bench {
  browser(): Browser;
  /**
   * Visit the site, and see that the page complained of nothing. Nothing comes ahead, which would take longer than most
   * tests, where `how` does not have it otherwise.
   */
  visit(act: (watched: Watched) => Promise<void>, how?: Visit): Promise<void>;
}

/** Tests in a browser; left out, with the reason, if there is none. */
export function inBrowser(name: string, tests: (bench: Bench) => void): void {
  const reason = whyNot();
  if (reason) console.warn(reason);
  describe.skipIf(reason !== null)(name, () => {
    let browser: Browser;
    let site: Site;
    beforeAll(async () => {
      ({ browser, site } = await bench());
    });
    // A test that failed has left its pages, which may still be thinking.
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    });
    tests({
      browser: () => browser,
      visit: async (act, how) => {
        const watched = await visit(browser, site.url, { isSparing: true, ...how });
        await act(watched);
        expect(watched.complaints).toEqual([]);
        await watched.context.close();
      },
    });
  });
}

export const textOf = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).innerText();

/** How many simulations a thought has made until now. */
export const simulations = async (page: Page): Promise<number> =>
  Number((await textOf(page, "simulations")).replace(",", ""));

/** How many pieces are on the board. */
export const countPieces = (page: Page): Promise<number> => page.locator("#board :is(.first, .second)").count();

/** Choose one of several, wherever its choice is: in a sheet, or behind the gear. */
export async function choose(page: Page, id: string, value: string): Promise<void> {
  await page.locator(`#${id} input[value="${value}"]`).evaluate((input: HTMLInputElement) => input.click());
}

/** Tick what is in a sheet, or behind the gear. */
export async function check(page: Page, id: string, isOn: boolean): Promise<void> {
  await page.locator(`#${id}`).evaluate((input: HTMLInputElement, on) => input.checked === on || input.click(), isOn);
}

/** Begin a new game by its sheet, by the Renju rule or without it if that is said. */
export async function beginNew(page: Page, isRenju?: boolean): Promise<void> {
  await page.click("#new");
  if (isRenju !== undefined) await page.setChecked("#rule", isRenju);
  await page.click("#new-play");
}

/** The records of games that the page's database holds. */
export const stored = (
  page: Page,
): Promise<{ id: string; game: string; settings: Record<string, unknown>; actions: number[] }[]> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("azx-games", 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const all = opening.result.transaction("games").objectStore("games").getAll();
          all.onsuccess = () => resolve(all.result);
        };
      }),
  );

/** Press a button, wherever it is: on a phone its tab comes to the front first. */
export async function press(page: Page, id: string): Promise<void> {
  const pane = await page.locator(`#${id}`).evaluate((button) => button.closest('[role="tabpanel"]')?.id);
  if (pane) await page.click(`[aria-controls="${pane}"]`);
  await page.click(`#${id}`);
}

/** Open the self-test, behind the gear where a game is played. */
export async function openSelfTest(page: Page): Promise<void> {
  if (!(await page.locator("#self-test").isVisible())) await page.click("#gear");
  if (!(await page.locator("#test, #test-status").first().isVisible())) await page.click("#self-test summary");
}

export const statusOf = (page: Page): Promise<string> => textOf(page, "status");

/** A cell, point, column or edge, in the order of the page. */
export const place = (page: Page, game: string, at: number): ReturnType<Page["locator"]> =>
  page.locator(`#board ${BOARDS[game]}`).nth(at);

/** Open a bundle; the person begins. */
export async function openBundle(page: Page, name: string, strength: string, game = name): Promise<void> {
  await page.locator("#status:visible").waitFor();
  await choose(page, "strength", strength);
  await choose(page, "begins", "you");
  await page.click(`#bundle-${name}`);
  await page.locator(`#bundle-${name}[aria-pressed="true"]`).waitFor();
  await page.locator(`#board ${BOARDS[game]}`).first().waitFor();
  await waitForNetwork(page);
  await waitForTurn(page);
}

/** Wait until no network is on its way. */
export async function waitForNetwork(page: Page): Promise<void> {
  // By its attribute: what is on its way is shown only after a while, and is not seen before.
  await page.locator("#loading[hidden]").waitFor({ state: "attached" });
}

/** Wait until the person is to move or the game is over. */
export async function waitForTurn(page: Page): Promise<void> {
  await page.locator('#status:visible:not([data-phase="theirs"])').waitFor();
}

/** Click these places one after the other, each when it is the person's turn. */
export async function click(page: Page, game: string, places: readonly number[]): Promise<void> {
  for (const at of places) {
    await waitForTurn(page);
    await place(page, game, at).click();
  }
  await waitForTurn(page);
}

/** Click what can be played, spread over the board, until `plies` own moves are made or the game is over. */
export async function play(page: Page, game: string, plies: number): Promise<void> {
  for (let move = 0; move < plies; move++) {
    await waitForTurn(page);
    if (OVER.test(await statusOf(page))) return;
    // After two passes the dead stones are agreed on.
    if (await page.locator("#agree").isVisible()) {
      await page.click("#agree");
      continue;
    }
    if (game === "go" && move > 12) {
      await page.click("#pass");
      continue;
    }
    const free = page.locator(`#board ${BOARDS[game]}:not([aria-disabled="true"])`);
    await free.nth((move * 7 + 3) % (await free.count())).click();
  }
  await waitForTurn(page);
}

/** Begin a game that the network plays against itself, by its policy alone. */
export async function watchGame(page: Page, name: string, pace: string): Promise<void> {
  await openBundle(page, name, "policy");
  await choose(page, "begins", "watch");
  await beginNew(page);
  await page.locator("#watch").waitFor();
  await choose(page, "pace", pace);
}

/** Open the sheet for a game between a beginner and the full strength of what is open, so many times. */
export async function openSides(page: Page, count: number): Promise<void> {
  await page.click("#new");
  await choose(page, "begins", "watch");
  await page.locator("#series-choice:visible").waitFor();
  await choose(page, "level-0", "level 1");
  await choose(page, "level-1", "level 8");
  await choose(page, "series-count", String(count));
}

/** Begin what that sheet says. */
export async function beginSides(page: Page): Promise<void> {
  await page.click("#new-play");
  await choose(page, "pace", "fast");
}

/** What the self-test's table says of each backend that it has tested. */
export async function testResults(page: Page): Promise<readonly TestResult[]> {
  const columns = await page
    .locator("#results [data-tested]")
    .evaluateAll((cells) => cells.map((each) => (each as HTMLElement).dataset.tested ?? ""));
  return columns.filter(Boolean).map((column) => JSON.parse(column) as TestResult);
}
