/** What a person has before a network is there, and how it comes: on a slow line, aborted, ahead of time. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { expect, it } from "vitest";

import { installed, screenshot, type Visit, visit as visitAt, type Watched } from "./browser";
import { BOARDS, inBrowser, loaded, opened, place, play, ready, statusOf, textOf } from "./person";
import { type Site, serve } from "./server";

const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
// What the browser's own tools call a slow mobile line: 1.6 Mbit/s, and 150 ms until an answer begins.
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
// Something else on the machine may take its time away while a figure is measured.
const TIMED = { retry: 2 };

/** A page on a slow line, with nothing kept; its worker is as slow. */
async function slowly(browser: Browser, url: string, how: Visit = {}): Promise<Watched> {
  const watched = await visitAt(browser, "about:blank", how);
  const session = await watched.context.newCDPSession(watched.page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  await watched.page.addInitScript(() => localStorage.setItem("azx begins", "you"));
  await watched.page.goto(url);
  return watched;
}

/** How much of the app was sent until now, as it is sent and unpacked; of those files alone that `isMeant`. */
function sizes({ sent }: Site, isMeant = (_: string): boolean => true): { files: number; sent: number; plain: number } {
  const paths = [...sent.keys()].filter((path) => !path.startsWith("azx/") && isMeant(path));
  const plain = paths.map((path) => readFileSync(new URL(`../../dist/${path}`, import.meta.url)).length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return { files: paths.length, sent: sum(paths.map((path) => sent.get(path) ?? 0)), plain: sum(plain) };
}

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

function allFiles(): string[] {
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as {
    bundles: { name: string; files: { path: string }[] }[];
  };
  const files = bundles.flatMap(({ name, files: each }) => each.map(({ path }) => `azx/${name}/${path}`));
  return [...files.filter((path) => !isLite(path)), "azx/index.json"].sort();
}

inBrowser("a network on its way", ({ browser, visit }) => {
  it("is not waited for with the first move, on a slow line and with nothing kept", TIMED, async () => {
    const own = await serve();
    const begin = Date.now();
    // The service worker fetches the app again, behind the first game: what it takes is not counted.
    const { page, context } = await slowly(browser(), own.url, { serviceWorkers: "block" });
    await place(page, "tictactoe", 4).click();
    await page.locator("#board .first").waitFor();
    const [first, code] = [Date.now() - begin, sizes(own, (path) => /(html|css|assets\/index.*js)$/.test(path))];
    await page.locator("#board .second").waitFor();
    const [answer, all] = [Date.now() - begin, sizes(own)];
    console.info(
      `first move after ${first} ms: ${JSON.stringify(code)}; the AI's ${answer} ms: ${JSON.stringify(all)}`,
    );
    expect(first).toBeLessThan(5000);
    expect(code.plain).toBeLessThan(0.2e6);
    expect(all.sent).toBeLessThan(0.4e6);
    expect([...own.sent.keys()].filter((path) => /WebGl|Cpu|Given|wasm-[^s]/.test(path))).toEqual([]);
    await context.close();
    await own.close();
  });

  it("is not waited for with the first move here", TIMED, async () => {
    const own = await serve();
    const begin = Date.now();
    const { page, context } = await visitAt(browser(), own.url);
    await page.locator("#board .cell").first().waitFor();
    const first = Date.now() - begin;
    console.info(`a board after ${first} ms`);
    expect(first).toBeLessThan(3000);
    await context.close();
    await own.close();
  });

  it.each([
    ["desktop", { width: 1280, height: 900 }],
    ["phone", { width: 390, height: 844 }],
  ] as const)("leaves its board there on a %s, and says how much of it has come", async (size, viewport) => {
    const own = await serve();
    const { page, context } = await slowly(browser(), `${own.url}#connect4`, { viewport });
    await page.locator("#board .column").first().waitFor();
    expect(await statusOf(page)).toBe("Tap the column for your move");
    await place(page, "connect4", 3).click();
    expect(await page.locator("#board .first").count()).toBe(1);
    expect(await statusOf(page)).toBe("Waiting for AI’s move");
    expect(await page.locator("#stop").isVisible()).toBe(false);
    await page.locator("#loading-text", { hasText: /^Loading Connect4, ([1-9]|[1-9]\d)\s%$/ }).waitFor();
    await screenshot(page, `loading-${size}`);
    const early = Number(/\d+(?=\s%)/.exec(await textOf(page, "loading-text"))?.[0]);
    await page.waitForFunction(
      (than) => Number(/\d+(?=\s%)/.exec(document.getElementById("loading-text")?.textContent ?? "")?.[0]) > than,
      early,
    );
    // Another game is there at once, and its network does not wait for the one that is not wanted any more.
    const begin = Date.now();
    await page.click("#bundle-tictactoe");
    await page.locator("#board .cell").first().waitFor();
    expect(Date.now() - begin).toBeLessThan(1000);
    await place(page, "tictactoe", 4).click();
    await page.locator("#board .second").waitFor({ timeout: 10_000 });
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
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route("**/go_tfjs/*", async (route) => {
      await held;
      await route.continue();
    });
    await page.addInitScript(() => localStorage.setItem("azx begins", "you"));
    await page.goto(`${own.url}#go`);
    await place(page, "go", 40).click();
    expect(await page.locator("#board .first").count()).toBe(1);
    await page.waitForTimeout(500);
    expect(await page.locator("#board .second").count()).toBe(0);
    expect(await page.locator("#hint").isDisabled()).toBe(true);
    release();
    await page.locator("#board .second").waitFor({ timeout: 20_000 });
    await context.close();
    await own.close();
  });

  it("comes while nobody asks for it, so that every game is played without the host", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), own.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await expect.poll(() => keptFiles(page), { timeout: 60_000, interval: 500 }).toEqual(allFiles());
    await own.close();
    for (const [name, game] of installed()) {
      await page.goto(`${own.url}#${name}`);
      await page.reload();
      await opened(page, name, "policy", game);
      await play(page, game, 1);
      expect(await page.locator(`#board ${BOARDS[game]}`).count()).toBeGreaterThan(0);
      expect(await page.locator("#alert").isVisible()).toBe(false);
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
    await ready(page);
    await loaded(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.waitForTimeout(3000);
    expect((await keptFiles(page)).filter((path) => !/tictactoe|index/.test(path))).toEqual([]);
    await context.close();
    await own.close();
  });
});
