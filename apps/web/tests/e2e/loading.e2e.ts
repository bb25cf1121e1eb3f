/** What a person has before a network is there, and how it comes: on a slow line, aborted, ahead of time. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";

import { installedGames, noteQuestions, screenshot, slowly, visit as visitAt } from "./browser";
import { BOARDS, inBrowser, openBundle, place, play, statusOf, textOf, waitForNetwork, waitForTurn } from "./person";
import { serve } from "./server";

const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
/** What LiteRT.js runs comes where it may be faster, and is kept from then on. */
const isLite = (path: string): boolean => path.endsWith(".tflite");

/** The files of the bundles that the browser keeps, by their paths; but for LiteRT.js's. */
async function keptFiles(page: Page): Promise<string[]> {
  const kept = await page.evaluate(async () => {
    const cache = await caches.open("azx-bundles");
    return (await cache.keys()).map(({ url }) => new URL(url).pathname.slice(1)).sort();
  });
  return kept.filter((path) => !isLite(path));
}

/** Hold answers back: `asked` resolves once one is wanted, `release` lets them come. */
async function hold(context: BrowserContext, path: string): Promise<{ asked: Promise<void>; release: () => void }> {
  let [release, ask] = [(): void => undefined, (): void => undefined];
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  await context.route(path, async (route) => {
    ask();
    await free;
    await route.continue();
  });
  return { asked, release };
}

function allFiles(): string[] {
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as {
    bundles: { name: string; files: { path: string }[] }[];
  };
  const files = bundles.flatMap(({ name, files: each }) => each.map(({ path }) => `azx/${name}/${path}`));
  return [...files.filter((path) => !isLite(path)), "azx/index.json"].sort();
}

inBrowser("a network on its way", ({ browser, visit }) => {
  it.each([
    ["desktop", { width: 1280, height: 900 }],
    ["phone", { width: 390, height: 844 }],
  ] as const)("leaves its board there on a %s, and says how much of it has come", async (size, viewport) => {
    const own = await serve();
    const { page, context } = await slowly(browser(), `${own.url}#connect4`, { viewport });
    await page.locator("#board .column").first().waitFor();
    await expect.poll(() => statusOf(page)).toBe("Tap the column for your move");
    await place(page, "connect4", 3).click();
    await expect.poll(() => page.locator("#board .first").count()).toBe(1);
    await expect.poll(() => statusOf(page)).toBe("Waiting for AI’s move");
    await expect.poll(() => page.locator("#stop").isVisible()).toBe(false);
    await page.locator("#loading-text", { hasText: /^Loading Connect4, ([1-9]|[1-9]\d)\s%$/ }).waitFor();
    await screenshot(page, `loading-${size}`);
    const early = Number(/\d+(?=\s%)/.exec(await textOf(page, "loading-text"))?.[0]);
    await page.waitForFunction(
      (than) => Number(/\d+(?=\s%)/.exec(document.getElementById("loading-text")?.textContent ?? "")?.[0]) > than,
      early,
    );
    // Another game is there before its network, which does not wait for the one that is not wanted any more.
    const { asked, release } = await hold(context, "**/tictactoe_tfjs/*");
    await page.click("#bundle-tictactoe");
    await place(page, "tictactoe", 4).click();
    await asked;
    await expect.poll(() => page.locator("#board .first").count()).toBe(1);
    release();
    await page.locator("#board .second").waitFor();
    expect(await keptFiles(page)).not.toContain("azx/connect4/connect4_tfjs/group1-shard1of1.bin");
    await context.close();
    await own.close();
  });

  it("is that of the smallest game where none is asked for", async () => {
    await visit(async ({ page }) => {
      await page.locator('#bundle-tictactoe[aria-pressed="true"]').waitFor();
      await page.locator("#board .cell").first().waitFor();
    });
  });

  it("plays when it has come, though the person's move came first", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), "about:blank");
    const { asked, release } = await hold(context, "**/go_tfjs/*");
    await page.addInitScript(() => localStorage.setItem("azx begins", "you"));
    await page.goto(`${own.url}#go`);
    await place(page, "go", 40).click();
    await expect.poll(() => page.locator("#board .first").count()).toBe(1);
    await asked;
    await expect.poll(() => page.locator("#board .second").count()).toBe(0);
    await expect.poll(() => page.locator("#hint").isDisabled()).toBe(true);
    release();
    await page.locator("#board .second").waitFor();
    await context.close();
    await own.close();
  });

  it("comes while nobody asks for it, so that every game is played without the host", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), own.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await expect.poll(() => keptFiles(page), { timeout: 60_000, interval: 500 }).toEqual(allFiles());
    await own.close();
    for (const [name, game] of installedGames()) {
      await page.goto(`${own.url}#${name}`);
      await page.reload();
      await openBundle(page, name, "policy", game);
      await play(page, game, 1);
      await expect.poll(() => page.locator(`#board ${BOARDS[game]}`).count()).toBeGreaterThan(0);
      await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    }
    await context.close();
  });

  it("does not come before it is asked for where a person spares data", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), "about:blank");
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true } });
    });
    await page.goto(own.url);
    const questions = await noteQuestions(page);
    await waitForTurn(page);
    await waitForNetwork(page);
    // What comes ahead is asked for as soon as the app is kept.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const { asked } = await questions();
    expect(asked.filter((kind) => ["keep", "quicken"].includes(kind))).toEqual([]);
    expect((await keptFiles(page)).filter((path) => !/tictactoe|index/.test(path))).toEqual([]);
    await context.close();
    await own.close();
  });
});
