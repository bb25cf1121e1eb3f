/** The sheet for a new game, what is behind the gear, the bars beside the board and the list of moves. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { asJson, hash } from "../bundle/tiny";
import { noteQuestions, prescribe, screenshot, visit as visitAt, waitForStillness } from "./browser";
import {
  choose,
  click,
  countPieces,
  inBrowser,
  openBundle,
  place,
  statusOf,
  stored,
  textOf,
  waitForTurn,
  watchGame,
} from "./person";
import { serve } from "./server";

const BUNDLES = fileURLToPath(new URL("../../dist/azx/", import.meta.url));

/** An installed bundle with other settings in its manifest. */
function bundleWith(name: string, settings: object): ReadonlyMap<string, Buffer> {
  const read = (path: string): unknown => JSON.parse(readFileSync(BUNDLES + path, "utf8"));
  const manifest = asJson({ ...(read(`${name}/manifest.json`) as object), settings });
  const index = read("index.json") as { bundles: { name: string; files: { path: string }[] }[] };
  const told = { path: "manifest.json", sha256: hash(manifest), size: manifest.length };
  const bundles = index.bundles.map((each) =>
    each.name === name
      ? { ...each, settings, files: each.files.map((file) => (file.path === told.path ? told : file)) }
      : each,
  );
  return new Map([
    [`azx/${name}/manifest.json`, manifest],
    ["azx/index.json", asJson({ ...index, bundles })],
  ]);
}

const SCREENS = {
  desktop: [1440, 900],
  tablet: [1024, 768],
  landscape: [844, 390],
  phone: [360, 640],
} as const;

inBrowser("the sheet for a new game", ({ browser, visit }) => {
  it("has eight levels and the game's own settings, and remembers what was chosen", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      await page.click("#new");
      await expect.poll(() => textOf(page, "new-game-title")).toBe("New game: Go");
      await expect.poll(() => page.locator("#strength .step").count()).toBe(8);
      await page.locator("#strength .step").nth(6).click();
      await expect.poll(() => textOf(page, "strength-name")).toBe("Level 7: expert");
      // By the keyboard, too.
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => textOf(page, "strength-name")).toBe("Level 6: strong");
      await page.locator("#komi label", { hasText: "6.5" }).click();
      await page.locator("#begins label", { hasText: /^you$/ }).click();
      await page.click("#new-play");
      await expect.poll(() => page.locator("#new-game").isVisible()).toBe(false);
      await expect.poll(() => page.locator("#players .what").last().innerText()).toBe("white, Level 6: strong");
      await page.reload();
      await page.locator("#status:visible").waitFor();
      await page.click("#bundle-gomoku");
      await page.locator("#board .cell").nth(224).waitFor();
      await page.click("#new");
      await expect.poll(() => textOf(page, "strength-name")).toBe("Level 6: strong");
      await expect.poll(() => page.locator("#komi").isVisible()).toBe(false);
      await expect.poll(() => page.locator("#rule").isVisible()).toBe(true);
      // Nothing begins where it is left.
      const address = page.url();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("#new-game").isVisible()).toBe(false);
      expect(page.url()).toBe(address);
    });
  });

  it("begins with a network's own komi, says that it is, and lets a person choose another for its games", async () => {
    const own = await serve(undefined, bundleWith("go", { size: 9, komi: 6 }));
    const { page, context, complaints } = await visitAt(browser(), `${own.url}#go`, { isSparing: true });
    const chosen = (): Promise<string> => page.locator("#komi label:has(:checked)").innerText();
    const played = async (): Promise<unknown[]> => (await stored(page)).map(({ settings }) => settings.komi).sort();
    await openBundle(page, "go", "policy");
    await click(page, "go", [40]);
    await expect.poll(played).toEqual([6]);
    await page.click("#new");
    const labels = await page.locator("#komi label").allInnerTexts();
    expect(labels.map((each) => each.replace(/\s+/g, " "))).toEqual([
      "0.5",
      "5.5",
      "6 the network’s own",
      "6.5",
      "7.5",
    ]);
    expect(await chosen()).toMatch(/^6\s/);
    await screenshot(page, "komi-own");
    await page.locator("#komi label", { hasText: "5.5" }).click();
    await page.click("#new-play");
    await click(page, "go", [40]);
    await expect.poll(played).toEqual([5.5, 6]);
    // The game that is there comes back, by what was chosen for it.
    await page.reload();
    await page.locator("#board .first").waitFor();
    await page.click("#new");
    expect(await chosen()).toBe("5.5");
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });

  it("begins with the rule of a network's manifest, and lets a person choose the other one for its games", async () => {
    const own = await serve(undefined, bundleWith("gomoku", { size: 15, rule: "renju" }));
    const { page, context, complaints } = await visitAt(browser(), `${own.url}#gomoku`, { isSparing: true });
    const played = async (): Promise<unknown[]> => (await stored(page)).map(({ settings }) => settings.rule).sort();
    await openBundle(page, "gomoku", "policy");
    await click(page, "gomoku", [112]);
    await expect.poll(played).toEqual(["renju"]);
    await page.click("#new");
    expect(await page.isChecked("#rule")).toBe(true);
    await page.uncheck("#rule");
    await page.click("#new-play");
    await click(page, "gomoku", [112]);
    await expect.poll(played).toEqual(["freestyle", "renju"]);
    // The game that is there comes back, by what was chosen for it.
    await page.reload();
    await page.locator("#board .first").waitFor();
    await page.click("#new");
    expect(await page.isChecked("#rule")).toBe(false);
    await page.keyboard.press("Escape");
    // A rule is one network's, and not that of another game.
    await openBundle(page, "hex", "policy");
    await page.click("#new");
    expect(await page.isChecked("#rule")).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });

  it("leaves the page without a native choice, and the gear has the rest", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      expect(await page.locator("select").count()).toBe(0);
      for (const id of ["language", "theme", "backend", "sound", "self-test"])
        expect(await page.locator(`#${id}`).isVisible(), id).toBe(false);
      await page.click("#gear");
      for (const id of ["language", "theme", "backend", "sound", "self-test"])
        expect(await page.locator(`#${id}`).isVisible(), id).toBe(true);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("#settings").isVisible()).toBe(false);
    });
  });
});

inBrowser("the screen of a game", ({ visit }) => {
  it("lets another strength count at once, in a thought that is under way", async () => {
    await visit(async ({ page }) => {
      const questions = await noteQuestions(page);
      const stops = async (): Promise<number> => (await questions()).asked.filter((kind) => kind === "stop").length;
      await openBundle(page, "connect4", "seconds 10");
      await place(page, "connect4", 3).click();
      await page.locator("#simulations", { hasText: /\d/ }).waitFor();
      expect(await page.locator("#board .second").count()).toBe(0);
      const before = await stops();
      await choose(page, "strength", "policy");
      await expect.poll(stops).toBeGreaterThan(before);
      await page.locator("#board .second").waitFor();
    });
  });

  it("has the position that is shown in its bars and its list of moves", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "dots_and_boxes", "policy");
      await prescribe(page, [3, 13, 23]);
      await click(page, "dots_and_boxes", [0, 3]);
      await waitForTurn(page);
      const bars = page.locator("#players .chip");
      const board = await page.locator("#board").boundingBox();
      const [own, theirs] = [await bars.first().boundingBox(), await bars.last().boundingBox()];
      expect(own?.y).toBeGreaterThanOrEqual((board?.y ?? 0) + (board?.height ?? 0));
      expect((theirs?.y ?? 0) + (theirs?.height ?? 0)).toBeLessThanOrEqual(board?.y ?? 0);
      await expect.poll(() => page.locator("#players .count").allInnerTexts()).toEqual(["0 boxes", "1 box"]);
      await expect.poll(() => page.locator("#move-list li").first().innerText()).toMatch(/1\s+A1–B1/);
      await page.locator("#move-list button").nth(1).click();
      await expect.poll(() => textOf(page, "ply-text")).toMatch(/^Move 2 of \d$/);
      await expect.poll(() => page.locator("#players .count").allInnerTexts()).toEqual(["0 boxes", "0 boxes"]);
      await expect.poll(() => page.locator("#players [aria-current] .who").innerText()).toBe("You");
      await expect.poll(() => statusOf(page)).toBe("Your turn");
      expect(await countPieces(page)).toBe(0);
    });
  });

  /** What must be seen whole without scrolling, and how far the page could be scrolled. */
  const measure = async (page: Page, parts: readonly string[], where: string): Promise<void> => {
    await page.evaluate(() => scrollTo(0, 0));
    await waitForStillness(page);
    await screenshot(page, `sheet-${where.replaceAll(/\W+/g, "-")}`);
    const [width, height] = await page.evaluate(() => [innerWidth, innerHeight] as const);
    for (const part of parts) {
      // All at once: a game that is watched may draw them anew meanwhile.
      const seen = await page.locator(`${part}:visible`).evaluateAll((all) =>
        all.map((each) => {
          const { left, top, right, bottom } = each.getBoundingClientRect();
          return { text: each.textContent, left, top, right, bottom };
        }),
      );
      for (const { text, ...box } of seen) {
        const what = `${where}: ${part} ${text} ${JSON.stringify(box)}`;
        expect(Math.round(Math.min(box.left, box.top)), what).toBeGreaterThanOrEqual(0);
        expect(Math.round(box.bottom), what).toBeLessThanOrEqual(height);
        expect(Math.round(box.right), what).toBeLessThanOrEqual(width);
      }
      expect(seen.length, `${where}: ${part}`).toBeGreaterThan(0);
    }
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    if (width < 1000) expect(beyond, `${where}: the page is higher than the screen`).toBeLessThanOrEqual(0);
  };

  const ALWAYS = ["#board", "#players .chip", "#moves button"];

  it.each(Object.entries(SCREENS))(
    "has the board and what is done next in sight, on a %s",
    async (name, [width, height]) => {
      await visit(
        async ({ page }) => {
          const tabs = width < 1000 ? ["#tabs button"] : [];
          for (const game of ["connect4", "tictactoe", "dots_and_boxes", "gomoku", "go", "reversi", "hex"]) {
            await openBundle(page, game, "policy");
            await measure(page, [...ALWAYS, ...tabs], `${name}, ${game}`);
          }
          await openBundle(page, "go", "policy");
          await page.click("#hint");
          await page.locator("#candidates:visible").waitFor();
          await measure(page, [...ALWAYS, ...tabs], `${name}, a hint`);
          await openBundle(page, "connect4", "policy");
          await prescribe(page, [35, 28, 21]);
          await click(page, "connect4", [3, 3, 3, 3]);
          await measure(page, [...ALWAYS, ...tabs, "#result"], `${name}, a result`);
          await page.click("#see-replay");
          await page.locator("#replay:visible").waitFor();
          // A new game is not what is done next: on a phone it stands at the end of a row that scrolls.
          const always = ["#board", "#players .chip", "#hint"];
          await measure(page, [...always, ...tabs, "#ply"], `${name}, a replay`);
          if (tabs.length) await page.click("#tab-analysis");
          await measure(page, [...always, ...tabs, "#analyse"], `${name}, an analysis`);
          if (tabs.length) await page.click("#tab-game");
          if (tabs.length) await measure(page, [...always, ...tabs], `${name}, the game`);
          await watchGame(page, "connect4", "slow");
          await measure(page, [...ALWAYS, ...tabs, "#watch button"], `${name}, a game that is watched`);
        },
        { viewport: { width, height } },
      );
    },
  );

  it("has a sheet with tabs on a phone, which the keyboard walks through, and none on a larger screen", async () => {
    await visit(
      async ({ page }) => {
        await openBundle(page, "go", "policy");
        await expect.poll(() => page.locator("#tabs button").allInnerTexts()).toEqual(["Moves", "Analysis", "Game"]);
        expect(await page.locator("#graph").isVisible()).toBe(false);
        // It reaches to the lower edge of the screen.
        const box = await page.locator("#play > aside").boundingBox();
        expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844);
        expect(await page.locator("#share-game").isVisible()).toBe(false);
        await page.focus("#tab-moves");
        await page.keyboard.press("ArrowRight");
        await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("tab-analysis");
        expect(await page.locator("#graph").isVisible()).toBe(true);
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("ArrowLeft");
        expect(await page.locator("#share-game").isVisible()).toBe(true);
        expect(await page.locator("#resign").isVisible()).toBe(true);
        // What comes up brings its tab to the front.
        await page.click("#hint");
        await expect.poll(() => page.locator("#tab-analysis").getAttribute("aria-selected")).toBe("true");
        await page.setViewportSize({ width: 1280, height: 900 });
        await expect.poll(() => page.locator("#tabs").count()).toBe(0);
        for (const id of ["graph", "share-game", "resign", "modes"])
          expect(await page.locator(`#${id}`).isVisible(), id).toBe(true);
        expect(await page.locator("#moves #resign").count()).toBe(1);
      },
      { viewport: { width: 390, height: 844 } },
    );
  });
});
