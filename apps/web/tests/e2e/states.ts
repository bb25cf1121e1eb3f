/** The states of the page that are looked at as a whole: its lists and boards, and what comes between them. */

import type { Browser, Page } from "playwright-core";

import { prescribe, type Visit } from "./browser";
import { BOARDS, click, opened, place, ready } from "./person";

/** Moves of the person and the network's answers, so that both have pieces there. */
export const GAMES: Readonly<Record<string, readonly [readonly number[], readonly number[]]>> = {
  connect4: [
    [3, 3],
    [36, 37],
  ],
  tictactoe: [
    [4, 2],
    [0, 6],
  ],
  dots_and_boxes: [
    [0, 3],
    [3, 20],
  ],
  gomoku: [
    [112, 113, 127],
    [97, 111, 96],
  ],
  go: [
    [40, 41, 30],
    [31, 32, 50],
  ],
};

/** Open a game, with these moves of both sides on its board. */
export async function begun(page: Page, game: string, [own, theirs] = GAMES[game] ?? [[], []]): Promise<void> {
  await opened(page, game, "policy");
  await prescribe(page, theirs);
  await click(page, game, own);
  // A disc falls for half a second.
  await page.waitForTimeout(700);
}

/** A game that the person has won. */
export async function won(page: Page): Promise<void> {
  await begun(page, "tictactoe", [
    [0, 1, 2],
    [3, 4],
  ]);
}

/** The page while the network thinks. */
export async function thinking(page: Page): Promise<void> {
  await opened(page, "go", "seconds 10");
  await place(page, "go", 40).click();
  await page.locator('#status[data-phase="theirs"]').waitFor();
  await page.waitForTimeout(500);
}

/** A new page, of which requests for paths that end so are never answered, or fail. */
async function cut(browser: Browser, url: string, path: string, how: Visit, doFail: boolean): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block", ...how });
  await context.route(`**/*${path}`, (route) => (doFail ? route.abort() : new Promise(() => undefined)));
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem("azx begins", "you"));
  await page.goto(url);
  return page;
}

/** A page whose network is on its way. */
export async function loading(browser: Browser, url: string, how: Visit = {}): Promise<Page> {
  const page = await cut(browser, url, "model.json", how, false);
  await page.locator("#loading:visible").waitFor();
  await page.locator(`#board ${BOARDS.tictactoe}`).first().waitFor();
  await ready(page);
  // What shows only where it takes long.
  await page.waitForTimeout(600);
  return page;
}

/** A page that has no index of bundles. */
export async function failed(browser: Browser, url: string, how: Visit = {}): Promise<Page> {
  const page = await cut(browser, url, "azx/index.json", how, true);
  await page.locator("#alert:visible").waitFor();
  return page;
}
