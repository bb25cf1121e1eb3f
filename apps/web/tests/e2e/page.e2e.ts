/** The built page in Chromium: games against the network, the self-test, offline, damaged bundles. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";

import { installed, launch, screenshot, visit, whyNot, type Watched } from "./browser";
import { serve, type Site } from "./server";

const reason = whyNot();
if (reason) console.warn(reason);

const OVER = /^(AI won|You won|Draw)$/;
const BOARDS: Readonly<Record<string, string>> = {
  connect4: ".column", tictactoe: ".cell", dots_and_boxes: ".edge", gomoku: ".cell", go: ".cell",
};
/** Other people's networks: `azx install BUNDLE apps/web/dist` puts them beside the shipped ones. */
const OTHERS = [...installed()].filter(([name]) => !(name in BOARDS));
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const statusOf = (page: Page): Promise<string> => page.locator("#status").innerText();

async function opened(page: Page, name: string, strength: string, game = name): Promise<void> {
  await page.locator("#status:visible").waitFor();
  await page.selectOption("#strength", strength);
  await page.selectOption("#begins", "you");
  await page.click(`#bundle-${name}`);
  await page.locator(`#bundle-${name}[aria-pressed="true"]`).waitFor();
  await page.locator(`#board ${BOARDS[game]}`).first().waitFor();
  await ready(page);
}

/** Wait until the person is to move or the game is over. */
async function ready(page: Page): Promise<void> {
  await page.locator('#status:visible:not([data-phase="theirs"])').waitFor();
}

/** Click what can be played, spread over the board, until `plies` own moves are made or the game is over. */
async function play(page: Page, name: string, plies: number): Promise<void> {
  for (let move = 0; move < plies; move++) {
    await ready(page);
    if (OVER.test(await statusOf(page))) return;
    if (name === "go" && move > 12) {
      await page.click("#pass");
      continue;
    }
    const free = page.locator(`#board ${BOARDS[name]}:not([aria-disabled="true"])`);
    await free.nth((move * 7 + 3) % (await free.count())).click();
  }
  await ready(page);
}

describe.skipIf(reason !== null)("the page", () => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    [browser, site] = [await launch(), await serve()];
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  async function withPage(act: (watched: Watched) => Promise<void>, ...options: Parameters<Browser["newContext"]>): Promise<void> {
    const watched = await visit(browser, site.url, ...options);
    await act(watched);
    expect(watched.complaints).toEqual([]);
    await watched.context.close();
  }

  it.each(OTHERS)("plays a whole game against %s, a network of %s that azx does not ship", async (name, game) => {
    await withPage(async ({ page }) => {
      await opened(page, name, "simulations 50", game);
      await play(page, game, 200);
      expect(await statusOf(page)).toMatch(OVER);
    });
  });

  it.each(Object.keys(BOARDS))("plays a whole game of %s by clicks", async (name) => {
    await withPage(async ({ page }) => {
      await opened(page, name, name === "connect4" ? "simulations 50" : "policy");
      await play(page, name, 200);
      expect(await statusOf(page)).toMatch(OVER);
      await screenshot(page, `${name}-over`);
      await page.click("#mode-replay");
      await page.click("#first");
      expect(await page.locator("#ply-text").innerText()).toMatch(/^Move 0 of \d+$/);
    });
  });

  it.each(Object.keys(BOARDS))("shows %s at two sizes, light and dark", async (name) => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await withPage(async ({ page }) => {
        await opened(page, name, "policy");
        await play(page, name, 3);
        await page.click("#hint");
        await page.locator("#notice", { hasText: "Hint:" }).waitFor();
        await page.waitForTimeout(600);
        await screenshot(page, `${name}-${size}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
      }, { viewport, colorScheme: size === "phone" ? "dark" : "light" });
    }
  });

  it("takes moves back, under the Renju rule too", async () => {
    await withPage(async ({ page }) => {
      await opened(page, "gomoku", "policy");
      await page.selectOption("#rule", "renju");
      await play(page, "gomoku", 1);
      const count = page.locator("#board .first");
      expect(await count.count()).toBe(1);
      await page.click("#undo");
      expect(await count.count()).toBe(0);
    });
  });

  it("stops a long thought at once", async () => {
    await withPage(async ({ page }) => {
      await opened(page, "connect4", "seconds 10");
      await page.locator("#board .column").nth(3).click();
      await page.locator("#simulations", { hasText: /\d{2}/ }).waitFor();
      const begin = Date.now();
      await page.click("#stop");
      await ready(page);
      expect(Date.now() - begin).toBeLessThan(2000);
      expect(await page.locator("#depth").innerText()).toMatch(/^\d+$/);
    });
  });

  it("passes its self-test, and the search keeps the network busy", async () => {
    await withPage(async ({ page }) => {
      await opened(page, "connect4", "policy");
      await page.click("#self-test summary");
      await page.click("#test");
      await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 90_000 });
      const rows = await page.locator("#results tr").evaluateAll((found) => found.map((row) => (row as HTMLElement).dataset.tested ?? row.textContent));
      console.info(rows.join("\n"));
      await screenshot(page, "self-test");
      const tested = rows.filter((row) => row?.startsWith("{")).map((row) => JSON.parse(row ?? ""));
      const [wasm, cpu] = ["wasm", "cpu"].map((backend) => tested.find((each) => each.backend === backend));
      for (const each of [wasm, cpu]) expect(each).toMatchObject({ passed: true, positions: 20, sameBest: 20 });
      expect(wasm.playoutsPerSecond / wasm.evaluationsPerSecond).toBeGreaterThan(0.8);
      expect(wasm.playoutsPerSecond / cpu.playoutsPerSecond).toBeGreaterThan(3);
    });
  });

  it("is small, and ready for the first move soon", async () => {
    const own = await serve();
    const begin = Date.now();
    const { page, context } = await visit(browser, own.url);
    await page.locator("#status:visible").waitFor();
    const milliseconds = Date.now() - begin;
    const app = [...own.sent].filter(([path]) => !path.startsWith("azx/"));
    const bytes = app.reduce((sum, [, size]) => sum + size, 0);
    console.info(`first load: ${bytes} bytes in ${app.length} files, ready after ${milliseconds} ms`);
    expect(bytes).toBeLessThan(1.5e6);
    expect(milliseconds).toBeLessThan(3000);
    await context.close();
    await own.close();
  });

  it("plays without a network once it was there", async () => {
    const own = await serve();
    const { page, context } = await visit(browser, own.url);
    await opened(page, "connect4", "policy");
    await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await own.close();
    await page.reload();
    await opened(page, "connect4", "policy");
    await play(page, "connect4", 2);
    expect(await page.locator("#board .first").count()).toBe(2);
    await context.close();
  });

  it("refuses a bundle whose hash is wrong", async () => {
    const own = await serve((path, bytes) => (path.endsWith("connect4_tfjs/group1-shard1of1.bin") ? flipped(bytes) : bytes));
    const { page, context } = await visit(browser, own.url);
    await page.locator("#alert:visible").waitFor();
    expect(await page.locator("#alert").innerText()).toContain("SHA-256 differs");
    expect(await page.locator("#board").isVisible()).toBe(false);
    await context.close();
    await own.close();
  });
});

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[1000] ^= 1;
  return changed;
}
