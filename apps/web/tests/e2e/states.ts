/** The states of the page that are looked at as a whole: its lists and boards, and what comes between them. */

import type { Browser, Page } from "playwright-core";

import { FIRST_BOARD, PATIENCE, prescribe, type Visit, waitForStillness } from "./browser";
import { BOARDS, choose, click, openBundle, place, press } from "./person";
import { serve } from "./server";

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
export async function beginGame(page: Page, game: string, [own, theirs] = GAMES[game] ?? [[], []]): Promise<void> {
  await openBundle(page, game, "policy");
  await prescribe(page, theirs);
  await click(page, game, own);
  await waitForStillness(page);
}

/** A game that the person has won. */
export async function winGame(page: Page): Promise<void> {
  await beginGame(page, "tictactoe", [
    [0, 1, 2],
    [3, 4],
  ]);
}

/** A game that the person has lost: the network fills the last column, and the person's seventh move lets it win. */
export async function blunder(page: Page): Promise<void> {
  await openBundle(page, "connect4", "policy");
  await prescribe(page, [41, 34, 27, 20]);
  await click(page, "connect4", [3, 0, 0, 1]);
  await page.locator("#status", { hasText: /AI won!|AI 赢了/ }).waitFor();
}

/** Have a finished game looked at. */
export async function analyse(page: Page): Promise<void> {
  await choose(page, "analysis-simulations", "50");
  await press(page, "analyse");
  await page.locator("#analysis-stop").waitFor({ state: "hidden", timeout: 300_000 });
}

/** The page while the network thinks. */
export async function startThought(page: Page): Promise<void> {
  await openBundle(page, "go", "seconds 10");
  await place(page, "go", 40).click();
  await page.locator('#status[data-phase="theirs"]').waitFor();
  // What it has found until now is shown.
  await page.locator("#simulations", { hasText: /\d/ }).waitFor();
}

async function fresh(browser: Browser, how: Visit): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block", ...how });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem("azx begins", "you"));
  return page;
}

/** A page of which half a network has come. */
export async function openHalfLoaded(browser: Browser, how: Visit = {}): Promise<Page> {
  const site = await serve(undefined, undefined, undefined, (path) => path.endsWith(".bin"));
  const page = await fresh(browser, how);
  page.context().on("close", () => void site.close());
  await page.goto(site.url + FIRST_BOARD);
  await page.locator("#loading:visible").waitFor();
  await page.locator(`#board ${BOARDS.tictactoe}`).first().waitFor();
  // How much has come is told once that half is there.
  await page.waitForFunction(() => Number(document.querySelector<HTMLProgressElement>("#loading-bar")?.value) > 0.3);
  await waitForStillness(page);
  return page;
}

/** A page that has no index of bundles. */
export async function openWithoutIndex(browser: Browser, how: Visit = {}): Promise<Page> {
  const site = await serve(undefined, new Map([["azx/index.json", null]]));
  const page = await fresh(browser, how);
  page.context().on("close", () => void site.close());
  await page.goto(site.url + FIRST_BOARD);
  await page.locator("#alert:visible").waitFor();
  return page;
}
