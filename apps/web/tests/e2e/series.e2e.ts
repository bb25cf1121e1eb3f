/** Two networks, or two levels of one, play each other: one game, or a series with a tally. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { packZip, tiny } from "../bundle/tiny";
import { screenshot, type Visit, visit as visitAt } from "./browser";
import { asZip, pick } from "./giving";
import {
  beginNew,
  beginSides,
  choose,
  countPieces,
  inBrowser,
  openBundle,
  openSides,
  textOf,
  waitForNetwork,
} from "./person";
import { serve } from "./server";

const AZX = fileURLToPath(new URL("../../dist/azx/", import.meta.url));
const LEVELS = ["Level 1: beginner", "Level 8: full strength"] as const;
const SCREENS: readonly (readonly [string, Visit])[] = [
  ["desktop-light", { viewport: { width: 1440, height: 900 } }],
  ["phone-dark", { viewport: { width: 360, height: 640 }, colorScheme: "dark" }],
];

const tally = (page: Page): Promise<number[]> =>
  page.locator("#series-tally dd").evaluateAll((all) => all.map(({ textContent }) => Number(textContent)));

/** What the library lists, the last one first. */
async function listed(page: Page): Promise<string[]> {
  await page.click("#to-library");
  await page.locator("#library-list li").first().waitFor();
  return page.locator("#library-list li").allInnerTexts();
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

inBrowser("a series", ({ visit }) => {
  it.each(SCREENS)("is played to its end with the sides swapped, and its games stay: %s", async (name, how) => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await openSides(page, 2);
      await expect.poll(() => page.locator("#strength").isVisible()).toBe(false);
      await expect.poll(() => textOf(page, "series-openings")).toContain("The first 2 moves are drawn by chance");
      await screenshot(page, `series-sheet-${name}`);
      await beginSides(page);
      await expect.poll(() => textOf(page, "series-title")).toBe("Game 1 of 2");
      const bars = (what: string): Promise<string[]> => page.locator(`#players .${what}`).allInnerTexts();
      await expect.poll(() => bars("who")).toEqual(LEVELS);
      await expect.poll(() => page.locator("#series-tally dt").allInnerTexts()).toEqual([...LEVELS, "Draws"]);
      await expect.poll(() => textOf(page, "series-title")).toBe("Game 2 of 2");
      // The other side begins, with the same two moves.
      await expect.poll(() => bars("who")).toEqual([...LEVELS].reverse());
      await screenshot(page, `series-${name}`);
      await expect.poll(() => textOf(page, "series-title"), { timeout: 300_000 }).toBe("2 games played");
      const played = await tally(page);
      expect(sum(played)).toBe(2);
      expect(await bars("wins")).toEqual([String(played[1]), String(played[0])]);
      await expect.poll(() => textOf(page, "series-about")).toContain("too few for a rating");
      expect(await page.locator("#series-stop").isVisible()).toBe(false);
      await screenshot(page, `series-over-${name}`);

      await page.reload();
      await page.locator("#status:visible").waitFor();
      await expect.poll(() => bars("who")).toEqual([...LEVELS].reverse());
      expect(await textOf(page, "series-title")).toBe("2 games played");
      const [entry = "", ...others] = await listed(page);
      expect(others).toEqual([]);
      expect(entry).toContain(`Tic-tac-toe, ${LEVELS[0]} – Tic-tac-toe, ${LEVELS[1]}`);
      expect(entry).toContain(`${played[0]} : ${played[1]}, draws: ${played[2]}`);
      expect(entry).toContain("2 games played");
      await page.click(".opens");
      const [first = "", second = ""] = await page.locator(".kept-series li").allInnerTexts();
      await screenshot(page, `series-library-${name}`);
      expect(first).toContain(`Tic-tac-toe, ${LEVELS[0]} – Tic-tac-toe, ${LEVELS[1]}`);
      expect(second).toContain(`Tic-tac-toe, ${LEVELS[1]} – Tic-tac-toe, ${LEVELS[0]}`);
      const opening = async (at: number): Promise<string[]> => {
        await page.locator(".kept-series li a").nth(at).click();
        // On a phone the list lies behind its tab.
        await page.locator("#move-list li").nth(1).waitFor({ state: "attached" });
        return (await page.locator("#move-list li").allTextContents()).slice(0, 2);
      };
      const moves = await opening(0);
      await page.click("#to-library");
      expect(await opening(1)).toEqual(moves);
    }, how);
  });

  it("is stopped in the middle of a game, which counts once a person has it played to its end", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await openSides(page, 10);
      await beginSides(page);
      await expect.poll(() => textOf(page, "series-title"), { timeout: 300_000 }).toBe("Game 2 of 10");
      await page.click("#series-stop");
      await expect.poll(() => textOf(page, "series-title")).toBe("Stopped after 1 of 10 games");
      await expect.poll(() => textOf(page, "pause")).toBe("Go on");
      const pieces = await countPieces(page);
      await page.waitForTimeout(800);
      expect(await countPieces(page)).toBe(pieces);
      await page.click("#pause");
      await page.locator('#status[data-phase="over"]').waitFor({ state: "attached" });
      await expect.poll(async () => sum(await tally(page))).toBe(2);
      await page.reload();
      await page.locator("#status:visible").waitFor();
      await expect.poll(() => textOf(page, "series-title")).toBe("Stopped after 2 of 10 games");
      expect(await listed(page)).toHaveLength(1);
    });
  });

  it("waits for who looks back at its last game, is in the library, or is not there", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await openSides(page, 10);
      await beginSides(page);
      for (const [game, [leave, back]] of [
        ["mode-replay", "mode-play"],
        ["to-library", "to-library"],
        ["hide", "unhide"],
      ].entries()) {
        // At once: the next game would come in half a second.
        await page.evaluate(leaveAtEnd, [leave ?? "", `Game ${game + 1} of 10`] as const);
        await page.waitForTimeout(1500);
        const left = (): Promise<string | null> => page.locator("#series-title").textContent();
        expect(await left(), leave).toBe(`Game ${game + 1} of 10`);
        await page.evaluate(comeBack, back ?? "");
        await expect.poll(left, { timeout: 300_000 }).toBe(`Game ${game + 2} of 10`);
      }
      await page.click("#series-stop");
    });
  });

  it("ends where another game is opened, and leaves nothing of it on the page", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await openSides(page, 20);
      await beginSides(page);
      await page.locator("#board .second").first().waitFor();
      await choose(page, "begins", "you");
      await beginNew(page);
      await expect.poll(() => page.locator("#series").isVisible()).toBe(false);
      expect(await countPieces(page)).toBe(0);
      await openSides(page, 2);
      await beginSides(page);
      await page.locator("#series:visible").waitFor();
      await openBundle(page, "connect4", "policy");
      await expect.poll(() => page.locator("#series").isVisible()).toBe(false);
      await page.waitForTimeout(800);
      expect(await countPieces(page)).toBe(0);
      await expect.poll(() => page.locator("#players .wins").count()).toBe(0);
    });
  });

  it("is between an installed network and one that a person has given, too", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "level 8");
      await pick(page, "file", asZip(packZip(tiny())));
      await page.locator('#bundle-tiny[aria-pressed="true"]').waitFor();
      await waitForNetwork(page);
      await openSides(page, 2);
      // What is open is offered first, and the other one of its game.
      await expect.poll(() => page.locator("#network-1 label").allInnerTexts()).toEqual(["tiny", "Tic-tac-toe"]);
      await choose(page, "level-0", "level 8");
      await choose(page, "network-1", "tictactoe");
      await beginSides(page);
      await expect.poll(() => textOf(page, "series-title"), { timeout: 300_000 }).toBe("2 games played");
      await expect
        .poll(() => page.locator("#series-tally dt").allInnerTexts())
        .toEqual(["tiny", "Tic-tac-toe", "Draws"]);
      expect(sum(await tally(page))).toBe(2);
    });
  });
});

/** The built page with Connect4's network twice: once more under a name and a title of its own. */
function twice(): Map<string, Buffer> {
  const index = JSON.parse(readFileSync(`${AZX}index.json`, "utf8")) as {
    bundles: { name: string; title: string; files: readonly { path: string }[] }[];
  };
  const found = index.bundles.find(({ name }) => name === "connect4");
  if (!found) throw new Error("no connect4");
  const late = { ...found, name: "connect4_late", title: "Connect4 (late)" };
  const files = new Map([
    ["azx/index.json", Buffer.from(JSON.stringify({ ...index, bundles: [...index.bundles, late] }))],
  ]);
  for (const { path } of found.files) files.set(`azx/${late.name}/${path}`, readFileSync(`${AZX}connect4/${path}`));
  return files;
}

inBrowser("two networks of one game", ({ browser }) => {
  it("play a game of Connect4, which goes on with both after a reload", async () => {
    const own = await serve(undefined, twice());
    const { page, context, complaints } = await visitAt(browser(), `${own.url}#connect4`, { isSparing: true });
    await openBundle(page, "connect4", "level 1");
    await openSides(page, 1);
    await choose(page, "level-1", "level 1");
    await choose(page, "network-1", "connect4_late");
    await beginSides(page);
    const names = (): Promise<string[]> => page.locator("#players .who").allInnerTexts();
    await expect.poll(() => names()).toEqual(["Connect4", "late"]);
    // A game alone is no series.
    expect(await page.locator("#series").isVisible()).toBe(false);
    await expect.poll(() => countPieces(page)).toBeGreaterThan(3);
    await page.reload();
    await page.locator('#status[data-phase="paused"]').waitFor();
    await expect.poll(() => names()).toEqual(["Connect4", "late"]);
    await waitForNetwork(page);
    await page.click("#pause");
    await page.locator('#status[data-phase="over"]').waitFor({ state: "attached", timeout: 300_000 });
    const [game = ""] = await listed(page);
    expect(game).toContain(`Connect4, ${LEVELS[0]} – Connect4 (late), ${LEVELS[0]}`);
    // Where the network that is open plays on neither side, one of the two takes its place.
    await page.locator("#library-list li a").first().click();
    await openSides(page, 1);
    await choose(page, "network-0", "connect4_late");
    await choose(page, "network-1", "connect4_late");
    await beginSides(page);
    await page.locator('#bundle-connect4_late[aria-pressed="true"]').waitFor();
    await expect.poll(() => names()).toEqual([...LEVELS]);
    await expect.poll(() => countPieces(page)).toBeGreaterThan(2);
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });

  it("do not play on where one of them is gone, and that is said", async () => {
    const files = twice();
    const own = await serve(undefined, files);
    const { page, context } = await visitAt(browser(), `${own.url}#connect4`, { isSparing: true });
    await openBundle(page, "connect4", "level 1");
    await openSides(page, 1);
    await choose(page, "network-1", "connect4_late");
    await beginSides(page);
    await expect.poll(() => countPieces(page)).toBeGreaterThan(1);
    files.clear();
    await page.reload();
    await page.locator('#status[data-phase="paused"]').waitFor();
    await waitForNetwork(page);
    await page.click("#pause");
    await expect.poll(() => textOf(page, "alert")).toContain("Connect4 (late) is not on this page any more");
    await context.close();
    await own.close();
  });
});

/** Runs in the page: leave the board where this game of a series is over. */
function leaveAtEnd([how, title]: readonly [string, string]): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const isThere = document.getElementById("series-title")?.textContent === title;
      if (!isThere || document.getElementById("status")?.dataset.phase !== "over") {
        requestAnimationFrame(look);
        return;
      }
      if (how === "hide") Object.defineProperty(document, "hidden", { value: true, configurable: true });
      else document.getElementById(how)?.click();
      resolve();
    };
    look();
  });
}

/** Runs in the page: come back to it. */
function comeBack(how: string): void {
  if (how === "unhide") Object.defineProperty(document, "hidden", { value: false, configurable: true });
  else document.getElementById(how)?.click();
}
