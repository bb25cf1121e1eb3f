/**
 * Each screen in five sizes, two themes and two languages, as one picture a screen to be looked at: AZX_SHEET=1 writes
 * build/sheets/NAME.png, and each picture alone in build/sheets/NAME. Without it a few of them are checked to fit their
 * screens.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { bench, FIRST_BOARD, waitForStillness } from "./browser";
import { choose, click, inBrowser, press, waitForNetwork, waitForTurn } from "./person";
import { analyse, blunder } from "./states";

const SHEETS = fileURLToPath(new URL("../../build/sheets/", import.meta.url));
const SIZES = [
  [390, 844],
  [360, 640],
  [844, 390],
  [1024, 768],
  [1440, 900],
] as const;
const THEMES = ["light", "dark"] as const;
const LANGUAGES = ["en-GB", "zh-CN"] as const;
const isWhole = Boolean(process.env.AZX_SHEET);

const people = async (page: Page, at: number): Promise<void> => {
  await page.locator(".game-card .quiet").nth(at).click();
  await page.locator("#people-choice:visible").waitFor();
};

/** Two people at Dots and Boxes, whose lines are drawn in order. */
async function playDots(page: Page, lines: number): Promise<void> {
  const button = page.locator('.quiet[aria-label$="Dots and Boxes"], .quiet[aria-label$="点格棋"]');
  await button.click();
  await page.locator("#people-choice:visible").waitFor();
  await page.click("#new-play");
  const free = page.locator('#board:visible .edge[aria-disabled="false"]');
  await free.first().waitFor();
  for (let line = 0; line < lines; line++) await free.nth((line * 5) % (await free.count())).click();
}

async function playConnect4(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("azx begins", "you"));
  await page.goto(`${new URL(page.url()).origin}/#connect4`);
  await page.reload();
  await page.locator("#board .column").first().waitFor();
  await choose(page, "strength", "policy");
  await waitForNetwork(page);
  await waitForTurn(page);
  await click(page, "connect4", [3, 3]);
}

/** A game of Connect4 that the person loses by a blunder. */
async function lose(page: Page): Promise<void> {
  await page.goto(`${page.url().split("#")[0]}${FIRST_BOARD}`);
  await page.reload();
  await blunder(page);
}

/** What leads to each screen, from the games to choose from. */
const SCREENS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  home: (page) => page.locator(".game-card").first().waitFor(),
  "two-people-sheet": (page) => people(page, 0),
  "two-people": (page) => playDots(page, 9),
  result: (page) => playDots(page, 24),
  "result-lost": lose,
  review: async (page) => {
    await lose(page);
    await analyse(page);
    await press(page, "next-mistake");
    await page.locator("#board .better").first().waitFor();
  },
  play: playConnect4,
  "new-game": (page) => playConnect4(page).then(() => page.click("#new")),
  "set-up": async (page) => {
    await page.goto(`${page.url().split("#")[0]}#/set-up/go/size=9&komi=7.5/${"000010020".repeat(9)}/0`);
    await page.locator("#setup-board .cell").first().waitFor();
  },
  puzzles: async (page) => {
    await page.goto(`${page.url().split("#")[0]}#/puzzles`);
    await page.locator("#puzzles-about").waitFor();
  },
  library: async (page) => {
    await playDots(page, 9);
    await page.click("#to-library");
    await page.locator("#library-list svg").waitFor();
  },
  settings: (page) => page.click("#gear"),
};

/** Whether the primary buttons are in sight, those of a sheet if one is open. */
const areInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...(document.querySelector("dialog[open]") ?? document).querySelectorAll(".primary")]
      .filter((each) => each.checkVisibility())
      .map((each) => each.getBoundingClientRect())
      .every(({ top, bottom }) => top >= 0 && bottom <= innerHeight),
  );

inBrowser("a contact sheet", ({ browser }) => {
  it.each(Object.entries(SCREENS))("of %s fits every screen", { timeout: 600_000 }, async (name, lead) => {
    const { site } = await bench();
    const shots: { readonly png: string; readonly width: number; readonly height: number }[] = [];
    for (const [width, height] of isWhole ? SIZES : SIZES.slice(1, 3)) {
      for (const colorScheme of isWhole ? THEMES : THEMES.slice(0, 1)) {
        for (const locale of isWhole ? LANGUAGES : LANGUAGES.slice(0, 1)) {
          const viewport = { width, height };
          const context = await browser().newContext({ viewport, colorScheme, locale, serviceWorkers: "block" });
          const page = await context.newPage();
          await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
          await page.goto(site.url);
          await page.locator(".game-card").first().waitFor();
          await lead(page);
          await waitForStillness(page);
          const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(tooWide, `${name}, ${width} x ${height}, ${locale}`).toBeLessThanOrEqual(0);
          // One thing is to be done next.
          const loud = await page.locator("button.primary:visible:enabled, a.primary:visible").count();
          expect(loud, `${name}, ${width} x ${height}`).toBeLessThanOrEqual(
            name.includes("sheet") || name === "new-game" || name === "settings" ? 2 : 1,
          );
          // It is in sight; a position that is set up stands above what is done with it.
          if (name !== "set-up") expect(await areInSight(page), `${name}, ${width} x ${height}`).toBe(true);
          const png = await page.screenshot();
          shots.push({ png: png.toString("base64"), width, height });
          if (isWhole) {
            mkdirSync(`${SHEETS}${name}`, { recursive: true });
            writeFileSync(`${SHEETS}${name}/${width}x${height}-${colorScheme}-${locale}.png`, png);
          }
          await context.close();
        }
      }
    }
    if (isWhole) await paste(name, shots);
  });

  /** All shots of a screen on one page, in rows as wide as four phones lie. */
  async function paste(name: string, shots: readonly { png: string; width: number; height: number }[]): Promise<void> {
    mkdirSync(SHEETS, { recursive: true });
    const page = await browser().newPage({ viewport: { width: 2000, height: 1200 } });
    const images = shots.map(
      ({ png, width, height }) =>
        `<img src="data:image/png;base64,${png}" style="width:${Math.round(width * 0.48)}px;height:${Math.round(height * 0.48)}px">`,
    );
    await page.setContent(
      `<body style="margin:8px;display:flex;flex-wrap:wrap;gap:8px;background:#888">${images.join("")}`,
    );
    await page.screenshot({ path: `${SHEETS}${name}.png`, fullPage: true });
    await page.close();
  }
});
