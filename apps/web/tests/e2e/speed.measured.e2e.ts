/** What the page takes, by the clock: it has the machine for itself, no other file is tested beside it. */

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import type { Tested } from "../../src/worker/Messages";
import { screenshot, slowly, visit as visitAt, WHOLE } from "./browser";
import {
  beginNew,
  check,
  choose,
  countPieces,
  inBrowser,
  openBundle,
  openSelfTest,
  place,
  play,
  simulations,
  textOf,
  waitForTurn,
  watchGame,
} from "./person";
import { type Site, serve } from "./server";

// A measurement that is taken three times may take as long.
const LONG = { timeout: 300_000 };

/** LiteRT.js, its runtime, and the files that it runs. */
const LITE = /assets\/(Lite|litert_wasm)|\.tflite$/;

/** Whether the page needs a file before a first move: index.html, and what that names. */
function isFirst(path: string): boolean {
  const index = readFileSync(new URL("../../dist/index.html", import.meta.url), "utf8");
  return path.endsWith("html") || [...index.matchAll(/assets\/[\w.-]+/g)].map(String).includes(path);
}

/** The first of three figures that suffices, or the last: whatever else the machine does can only make one worse. */
async function best<Figure>(
  measure: () => Promise<Figure>,
  suffices: (found: Figure) => boolean,
  times = 3,
): Promise<Figure> {
  const found = await measure();
  return suffices(found) || times === 1 ? found : best(measure, suffices, times - 1);
}

/** How much of the app was sent until now, as it is sent and unpacked; of those files alone that `isMeant`. */
function sizes({ sent }: Site, isMeant = (_: string): boolean => true): { files: number; sent: number; plain: number } {
  const paths = [...sent.keys()].filter((path) => !path.startsWith("azx/") && isMeant(path));
  const plain = paths.map((path) => readFileSync(new URL(`../../dist/${path}`, import.meta.url)).length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return { files: paths.length, sent: sum(paths.map((path) => sent.get(path) ?? 0)), plain: sum(plain) };
}

/** All that was sent, of the app and of its bundles. */
const bytesSent = ({ sent }: Site): number => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);

/** The same once no more comes: what comes ahead waits for an idle moment, of five seconds at most. */
async function allSent(own: Site, page: Page): Promise<number> {
  const before = bytesSent(own);
  await page.waitForTimeout(8000);
  return before === bytesSent(own) ? before : allSent(own, page);
}

inBrowser("the page", ({ browser, visit }) => {
  it("passes its self-test, and the search keeps the network busy", LONG, async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await openSelfTest(page);
      const measure = async (): Promise<Readonly<Record<"wasm" | "cpu", Tested>>> => {
        await page.click("#test");
        await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 90_000 });
        const columns = await page
          .locator("#results [data-tested]")
          .evaluateAll((found) => found.map((each) => (each as HTMLElement).dataset.tested ?? ""));
        console.info(columns.join("\n"));
        const tested = columns.filter(Boolean).map((column) => JSON.parse(column) as Tested);
        const of = (backend: string): Tested => tested.find((each) => each.backend === backend) as Tested;
        return { wasm: of("wasm"), cpu: of("cpu") };
      };
      const busy = ({ wasm }: { wasm: Tested }): number =>
        Number(wasm.playoutsPerSecond) / Number(wasm.evaluationsPerSecond);
      const faster = ({ wasm, cpu }: Readonly<Record<"wasm" | "cpu", Tested>>): number =>
        Number(wasm.playoutsPerSecond) / Number(cpu.playoutsPerSecond);
      const found = await best(measure, (each) => busy(each) > 0.8 && faster(each) > 3);
      await screenshot(page, "self-test");
      const hidden = await page.locator("#self-test").evaluate((panel) => panel.scrollWidth - panel.clientWidth);
      expect(hidden).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 360, height: 740 });
      await screenshot(page, "self-test-phone");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      for (const each of [found.wasm, found.cpu])
        expect(each).toMatchObject({ passed: true, positions: 20, sameBest: 20 });
      expect(found.wasm.largestError).toBeLessThanOrEqual(1e-4);
      expect(busy(found)).toBeGreaterThan(0.8);
      expect(faster(found)).toBeGreaterThan(3);
    }, WHOLE);
  });

  it("is small, and ready for the first move soon", LONG, async () => {
    const { milliseconds } = await best(
      async () => {
        const own = await serve();
        const begin = Date.now();
        const { page, context } = await visitAt(browser(), own.url);
        await page.locator("#status:visible").waitFor();
        const milliseconds = Date.now() - begin;
        const app = [...own.sent].filter(([path]) => !path.startsWith("azx/"));
        const bytes = app.reduce((sum, [, size]) => sum + size, 0);
        console.info(`first load: ${bytes} bytes in ${app.length} files, ready after ${milliseconds} ms`);
        expect(bytes).toBeLessThan(1.5e6);
        await context.close();
        await own.close();
        return { milliseconds };
      },
      ({ milliseconds }) => milliseconds < 3000,
    );
    expect(milliseconds).toBeLessThan(3000);
  });
});

inBrowser("a network on its way", ({ browser }) => {
  it("is not waited for with the first move, on a slow line and with nothing kept", LONG, async () => {
    const first = await best(
      async () => {
        const own = await serve();
        const begin = Date.now();
        // The service worker fetches the app again, behind the first game: what it takes is not counted.
        const { page, context } = await slowly(browser(), own.url, { serviceWorkers: "block" });
        await page.locator(".game-card", { hasText: "Tic-tac-toe" }).getByText("Play").click();
        await place(page, "tictactoe", 4).click();
        await page.locator("#board .first").waitFor();
        const [first, code] = [Date.now() - begin, sizes(own, isFirst)];
        await page.locator("#board .second").waitFor();
        const [answer, all] = [Date.now() - begin, sizes(own)];
        console.info(
          `first move after ${first} ms: ${JSON.stringify(code)}; the AI's ${answer} ms: ${JSON.stringify(all)}`,
        );
        expect(code.plain).toBeLessThan(0.2e6);
        expect(all.sent).toBeLessThan(0.4e6);
        expect([...own.sent.keys()].filter((path) => /WebGl|Cpu|Given|wasm-[^s]/.test(path))).toEqual([]);
        await context.close();
        await own.close();
        return first;
      },
      (milliseconds) => milliseconds < 5000,
    );
    expect(first).toBeLessThan(5000);
  });

  it("answers in Connect4 after 1.3 MB, on a slow line and with nothing kept", LONG, async () => {
    const answer = await best(
      async () => {
        const own = await serve();
        const { page, context } = await slowly(browser(), "about:blank", { serviceWorkers: "block" });
        const begin = Date.now();
        await page.goto(`${own.url}#connect4`);
        await place(page, "connect4", 3).click();
        await page.locator("#board .second").waitFor();
        const milliseconds = Date.now() - begin;
        console.info(`the AI's first answer in Connect4 after ${milliseconds} ms: ${bytesSent(own)} bytes`);
        // These take the line 6.5 seconds; what is left of eight is the machine's.
        expect(bytesSent(own)).toBeLessThan(1.3e6);
        await context.close();
        await own.close();
        return milliseconds;
      },
      (milliseconds) => milliseconds < 8000,
    );
    // 7.7 on two idle cores; slower ones take longer to have the network ready.
    expect(answer).toBeLessThan(12_000);
  });

  it.each(["", "#connect4"])("is all that is loaded but for a megabyte: at '%s'", LONG, async (address) => {
    const asked = await (async () => {
      const own = await serve();
      const { page, context } = await visitAt(browser(), own.url + address, { isSparing: true, isHome: true });
      const bytes = await allSent(own, page);
      await context.close();
      await own.close();
      return bytes;
    })();
    const own = await serve();
    const { page, context } = await visitAt(browser(), own.url + address, { isHome: true });
    await page.evaluate(() => navigator.serviceWorker.ready);
    const sent = await allSent(own, page);
    console.info(`unasked at '${address}': ${sent - asked} bytes, beyond ${asked}: ${JSON.stringify(sizes(own))}`);
    expect(sent - asked).toBeGreaterThan(0);
    expect(sent - asked).toBeLessThanOrEqual(1e6);
    await context.close();
    await own.close();
  });

  it("is not waited for with the first move here", LONG, async () => {
    const first = await best(
      async () => {
        const own = await serve();
        const begin = Date.now();
        const { page, context } = await visitAt(browser(), own.url);
        await page.locator("#board .cell").first().waitFor();
        const milliseconds = Date.now() - begin;
        console.info(`a board after ${milliseconds} ms`);
        await context.close();
        await own.close();
        return milliseconds;
      },
      (milliseconds) => milliseconds < 3000,
    );
    expect(first).toBeLessThan(3000);
  });
});

inBrowser("LiteRT.js", ({ browser }) => {
  it("is not fetched with the page, nor, where it was chosen, for a network that is quick as it is", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), `${own.url}#tictactoe`, { hasRuntime: true });
    await openBundle(page, "tictactoe", "policy");
    await play(page, "tictactoe", 1);
    expect([...own.sent.keys()].filter((path) => LITE.test(path))).toEqual([]);
    await context.close();
    await own.close();
  });

  it(
    "plays on where it was chosen and is faster, the game as it was, and without the host from then on",
    LONG,
    async () => {
      const own = await serve();
      const { page, context, complaints } = await visitAt(browser(), `${own.url}#connect4`);
      await openBundle(page, "connect4", "policy");
      await play(page, "connect4", 1);
      expect([...own.sent.keys()].filter((path) => LITE.test(path))).toEqual([]);
      await choose(page, "backend", "litert");
      expect(await waitForQuickening(page)).toBe(true);
      await choose(page, "backend", "auto");
      await page.reload();
      expect(await waitForQuickening(page)).toBe(true);
      await screenshot(page, "litert");
      await play(page, "connect4", 1);
      expect(await page.locator("#board .second").count()).toBe(2);
      expect(complaints).toEqual([]);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await expect.poll(() => keptOfApp(page), { timeout: 60_000 }).toHaveLength(2);
      await own.close();
      await page.reload();
      expect(await waitForQuickening(page)).toBe(true);
      await context.close();
    },
  );
});

inBrowser("a game that is watched", ({ visit }) => {
  it("goes at three speeds", async () => {
    await visit(async ({ page }) => {
      const took: number[] = [];
      await watchGame(page, "gomoku", "fast");
      for (const pace of ["fast", "usual", "slow"]) {
        await choose(page, "pace", pace);
        await beginNew(page);
        await expect.poll(() => countPieces(page), { timeout: 20_000, interval: 20 }).toBe(2);
        const from = Date.now();
        await expect.poll(() => countPieces(page), { timeout: 20_000, interval: 20 }).toBeGreaterThan(2);
        took.push(Date.now() - from);
      }
      const [fast = 0, usual = 0, slow = 0] = took;
      expect(usual, String(took)).toBeGreaterThan(fast + 400);
      expect(slow, String(took)).toBeGreaterThan(usual + 1000);
    });
  });
});

inBrowser("a game", ({ visit }) => {
  it("goes on thinking in the worker while the page is alive, and ends at once when it is stopped", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "seconds 10");
      await check(page, "heat", true);
      await page.locator("#board .warm").first().waitFor();
      await check(page, "heat", false);
      expect(await page.locator("#board .warm").count()).toBe(0);
      await check(page, "heat", true);
      await place(page, "connect4", 3).click();
      await page.locator("#simulations", { hasText: /\d{2}/ }).waitFor();
      const early = await simulations(page);
      await page.waitForFunction(
        (than) => Number(document.getElementById("simulations")?.textContent?.replace(",", "")) > than,
        early,
      );
      expect(await textOf(page, "depth")).toMatch(/^\d+$/);
      expect(await textOf(page, "rate")).toMatch(/^\d+\s%$/);
      expect(await page.locator("#board .warm").count()).toBeGreaterThan(0);
      expect(await longestPause(page)).toBeLessThan(500);
      await screenshot(page, "connect4-thinking");
      const begin = Date.now();
      await page.click("#stop");
      await waitForTurn(page);
      expect(Date.now() - begin).toBeLessThan(2000);
      expect(await page.locator("#board .second").count()).toBe(1);
    });
  });
});

/** The longest time in milliseconds between two pictures of the page, of 30. */
function longestPause(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let [last, longest] = [performance.now(), 0];
    for (let frame = 0; frame < 30; frame++) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      [last, longest] = [now, Math.max(longest, now - last)];
    }
    return longest;
  });
}

/** Whether LiteRT.js is found to be faster: the page measures that, and measures it anew where it is loaded again. */
async function waitForQuickening(page: Page): Promise<boolean> {
  const found = page.locator("#about", { hasText: /on LiteRT\.js/ });
  const isSo = (): Promise<boolean> =>
    found.waitFor({ timeout: 30_000, state: "attached" }).then(
      () => true,
      () => false,
    );
  return (await isSo()) || best(() => page.reload().then(isSo), Boolean, 2);
}

/** LiteRT.js's files that the service worker keeps. */
function keptOfApp(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const name = (await caches.keys()).find((each) => each.startsWith("azx-app-")) ?? "";
    const addresses = (await (await caches.open(name)).keys()).map(({ url }) => url);
    return addresses.filter((url) => /assets\/(Lite|litert_wasm)/.test(url));
  });
}
