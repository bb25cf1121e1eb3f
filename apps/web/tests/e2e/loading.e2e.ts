/** What a person has before a network is there, and how it comes: on a slow line, aborted, ahead of time. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";

import type { TestResult } from "../../src/worker/Messages";
import { FIRST_BOARD, installedGames, noteQuestions, screenshot, slowly, visit as visitAt } from "./browser";
import {
  BOARDS,
  check,
  inBrowser,
  openBundle,
  openSelfTest,
  place,
  play,
  statusOf,
  textOf,
  waitForNetwork,
  waitForTurn,
} from "./person";
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

interface Listed {
  readonly name: string;
  readonly artifact: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The installed bundles with what each is played with: the manifest, and the network that is not for the self-test. */
function played(): readonly Listed[] {
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: Listed[] };
  return bundles.map(({ files, artifact, ...entry }) => {
    const isPlayed = (path: string): boolean => path === "manifest.json" || path.startsWith(`${artifact}/`);
    return { ...entry, artifact, files: files.filter(({ path }) => isPlayed(path)) };
  });
}

/** The bundles that come unasked: the smallest, 0.6 MB of them. */
function fewest(): readonly Listed[] {
  const bytes = ({ files }: Listed): number => files.reduce((sum, { size }) => sum + size, 0);
  const sorted = [...played()].sort((one, two) => bytes(one) - bytes(two));
  return sorted.filter((_, at) => sorted.slice(0, at + 1).reduce((sum, each) => sum + bytes(each), 0) <= 0.6e6);
}

const pathsOf = (bundles: readonly Listed[]): string[] =>
  [...bundles.flatMap(({ name, files }) => files.map(({ path }) => `azx/${name}/${path}`)), "azx/index.json"].sort();

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
    expect(await keptFiles(page)).not.toContain("azx/connect4/connect4.int8-weights_tfjs/group1-shard1of1.bin");
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
    const { asked, release } = await hold(context, "**/go.int8-weights_tfjs/*");
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

  it("comes while nobody asks for it, as far as it is small, so that it is played without the host", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), own.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const few = fewest();
    expect(few.length).toBeGreaterThan(2);
    expect(few.length).toBeLessThan(played().length);
    await expect.poll(() => keptFiles(page), { timeout: 300_000, interval: 500 }).toEqual(pathsOf(few));
    // What a person has opened is kept, however large.
    await openBundle(page, "connect4", "policy");
    await own.close();
    for (const [name, game] of installedGames()) {
      if (name !== "connect4" && !few.some((each) => each.name === name)) continue;
      await page.goto(`${own.url}#${name}`);
      await page.reload();
      await openBundle(page, name, "policy", game);
      await play(page, game, 1);
      await expect.poll(() => page.locator(`#board ${BOARDS[game]}`).count()).toBeGreaterThan(0);
      await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    }
    await context.close();
  });

  it("is the small one, and the one in full precision comes when it is asked for, and is kept then", async () => {
    await visit(async ({ page }) => {
      const full = ["reversi_tfjs/group1-shard1of1.bin", "reversi_tfjs/model.json"].map(
        (path) => `azx/reversi/${path}`,
      );
      const kept = async (): Promise<string[]> => (await keptFiles(page)).filter((path) => path.includes("reversi"));
      await openBundle(page, "reversi", "policy");
      await page.locator("#about", { hasText: /on wasm int8\.$/ }).waitFor({ state: "attached" });
      const small = await kept();
      expect(small.filter((path) => full.includes(path) || path.endsWith("golden.json"))).toEqual([]);
      await play(page, "reversi", 1);
      await check(page, "full", true);
      await page.locator("#about", { hasText: /on wasm\.$/ }).waitFor({ state: "attached" });
      expect(await kept()).toEqual([...small, ...full].sort());
      await check(page, "full", false);
      await page.locator("#about", { hasText: /on wasm int8\.$/ }).waitFor({ state: "attached" });
      await openSelfTest(page);
      await page.click("#test");
      const column = page.locator('#results [data-backend="int8-weights"][data-tested]');
      await column.waitFor({ timeout: 300_000 });
      const tested = JSON.parse((await column.getAttribute("data-tested")) ?? "") as TestResult;
      expect(tested).toMatchObject({ backend: "int8-weights", passed: true, positions: 20 });
      // It is another network: by the limit of full precision it would not pass.
      expect(tested.largestError).toBeGreaterThan(1e-3);
      expect(await kept()).toContain("azx/reversi/golden.json");
    });
  });

  it("does not come before it is asked for where a person spares data", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), "about:blank");
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true } });
    });
    await page.goto(own.url + FIRST_BOARD);
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
