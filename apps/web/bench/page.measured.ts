/** `npm run bench:page`: how long the built page takes, with its targets, on a machine that does nothing else. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import type { TestResult } from "../src/worker/Messages";
import { screenshot, slowly, visit as visitAt, WHOLE } from "../tests/e2e/browser";
import {
  choose,
  inBrowser,
  openBundle,
  openSelfTest,
  place,
  play,
  testResults,
  waitForTurn,
} from "../tests/e2e/person";
import { bytesSent, LITE, type Site, serve } from "../tests/e2e/server";

// A measurement that is taken three times may take as long.
const LONG = { timeout: 300_000 };

/** The first of three figures that suffices, or the last: whatever else the machine does can only make one worse. */
async function best<Figure>(
  measure: () => Promise<Figure>,
  suffices: (found: Figure) => boolean,
  times = 3,
): Promise<Figure> {
  const found = await measure();
  return suffices(found) || times === 1 ? found : best(measure, suffices, times - 1);
}

type Visit = ReturnType<typeof visitAt>;

/** How long it takes from a visit until `act` is done, in milliseconds: the first figure below `target`, or the last. */
const timed = (target: number, open: (own: Site) => Visit, act: (page: Page) => Promise<unknown>): Promise<number> =>
  best(
    async () => {
      const own = await serve();
      const begin = Date.now();
      const { page, context } = await open(own);
      await act(page);
      const milliseconds = Date.now() - begin;
      console.info(`after ${milliseconds} ms: ${bytesSent(own)} bytes in ${own.sent.size} files`);
      await context.close();
      await own.close();
      return milliseconds;
    },
    (milliseconds) => milliseconds < target,
  );

inBrowser("the page", ({ browser, visit }) => {
  it("keeps the network busy in a search, and wasm is faster than plain JavaScript", LONG, async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await openSelfTest(page);
      const measure = async (): Promise<Readonly<Record<"wasm" | "cpu", TestResult>>> => {
        await page.click("#test");
        await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 90_000 });
        const tested = await testResults(page);
        console.info(tested.map((each) => JSON.stringify(each)).join("\n"));
        const of = (backend: string): TestResult => tested.find((each) => each.backend === backend) as TestResult;
        return { wasm: of("wasm"), cpu: of("cpu") };
      };
      const busy = ({ wasm }: { wasm: TestResult }): number =>
        Number(wasm.playoutsPerSecond) / Number(wasm.evaluationsPerSecond);
      const faster = ({ wasm, cpu }: Readonly<Record<"wasm" | "cpu", TestResult>>): number =>
        Number(wasm.playoutsPerSecond) / Number(cpu.playoutsPerSecond);
      const found = await best(measure, (each) => busy(each) > 0.8 && faster(each) > 3);
      expect(busy(found)).toBeGreaterThan(0.8);
      expect(faster(found)).toBeGreaterThan(3);
    }, WHOLE);
  });

  it("is ready for the first move soon", LONG, async () => {
    const open = (own: Site): Visit => visitAt(browser(), own.url);
    const milliseconds = await timed(3000, open, (page) => page.locator("#status:visible").waitFor());
    expect(milliseconds).toBeLessThan(3000);
  });
});

inBrowser("a network on its way", ({ browser }) => {
  it("is not waited for with the first move, on a slow line and with nothing kept", LONG, async () => {
    // The service worker fetches the app again, behind the first game: what it takes is not counted.
    const open = (own: Site): Visit => slowly(browser(), own.url, { serviceWorkers: "block" });
    const milliseconds = await timed(5000, open, async (page) => {
      await page.locator(".game-card", { hasText: "Tic-tac-toe" }).getByText("Play").click();
      await place(page, "tictactoe", 4).click();
      await page.locator("#board .first").waitFor();
    });
    expect(milliseconds).toBeLessThan(5000);
  });

  it("answers in Connect4, on a slow line and with nothing kept", LONG, async () => {
    const open = (own: Site): Visit => slowly(browser(), `${own.url}#connect4`, { serviceWorkers: "block" });
    const milliseconds = await timed(8000, open, async (page) => {
      await place(page, "connect4", 3).click();
      await page.locator("#board .second").waitFor();
    });
    // Its bytes take the line 6.5 seconds: 7.7 on two idle cores; slower ones take longer to have the network ready.
    expect(milliseconds).toBeLessThan(12_000);
  });

  it("is not waited for with the first move here", LONG, async () => {
    const open = (own: Site): Visit => visitAt(browser(), own.url);
    const milliseconds = await timed(3000, open, (page) => page.locator("#board .cell").first().waitFor());
    expect(milliseconds).toBeLessThan(3000);
  });
});

inBrowser("LiteRT.js", ({ browser }) => {
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

inBrowser("a game", ({ visit }) => {
  it("is drawn while the worker thinks, and ends at once when it is stopped", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "seconds 10");
      await place(page, "connect4", 3).click();
      await page.locator("#simulations", { hasText: /\d{2}/ }).waitFor();
      const pause = await longestPause(page);
      const begin = Date.now();
      await page.click("#stop");
      await waitForTurn(page);
      const stopped = Date.now() - begin;
      console.info(`the longest pause between two pictures ${pause.toFixed(0)} ms; stopped after ${stopped} ms`);
      expect(pause).toBeLessThan(500);
      expect(stopped).toBeLessThan(2000);
    });
  });

  it("lets another strength count at once, in a thought that is under way", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "seconds 10");
      await place(page, "connect4", 3).click();
      await page.locator("#simulations", { hasText: /\d/ }).waitFor();
      const begin = Date.now();
      await choose(page, "strength", "policy");
      await page.locator("#board .second").waitFor();
      expect(Date.now() - begin).toBeLessThan(5000);
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
