/** What the page sends for, in bytes and files, and what it does at its busiest; how long it takes is in bench/. */

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { screenshot, slowly, visit as visitAt, WHOLE } from "./browser";
import {
  check,
  inBrowser,
  openBundle,
  openSelfTest,
  place,
  play,
  simulations,
  testResults,
  textOf,
  waitForTurn,
} from "./person";
import { bytesSent, LITE, type Site, serve } from "./server";
import { wholeIt } from "./whole";

const LONG = { timeout: 600_000 };

/** Whether the page needs a file before a first move: index.html, and what that names. */
function isFirst(path: string): boolean {
  const index = readFileSync(new URL("../../dist/index.html", import.meta.url), "utf8");
  return path.endsWith("html") || [...index.matchAll(/assets\/[\w.-]+/g)].map(String).includes(path);
}

/** How much of the app was sent until now, as it is sent and unpacked; of those files alone that `isMeant`. */
function sizes({ sent }: Site, isMeant = (_: string): boolean => true): { files: number; sent: number; plain: number } {
  const paths = [...sent.keys()].filter((path) => !path.startsWith("azx/") && isMeant(path));
  const plain = paths.map((path) => readFileSync(new URL(`../../dist/${path}`, import.meta.url)).length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return { files: paths.length, sent: sum(paths.map((path) => sent.get(path) ?? 0)), plain: sum(plain) };
}

/** The same once no more comes: what comes ahead waits for an idle moment, of five seconds at most. */
async function allSent(own: Site, page: Page): Promise<number> {
  const before = bytesSent(own);
  await page.waitForTimeout(8000);
  return before === bytesSent(own) ? before : allSent(own, page);
}

inBrowser("the page", ({ browser, visit }) => {
  it("passes its self-test in both backends of TF.js", LONG, async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await openSelfTest(page);
      await page.click("#test");
      await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 300_000 });
      const tested = await testResults(page);
      const [wasm, cpu] = ["wasm", "cpu"].map((backend) => tested.find((each) => each.backend === backend));
      for (const each of [wasm, cpu]) expect(each).toMatchObject({ passed: true, positions: 20, sameBest: 20 });
      expect(wasm?.largestError).toBeLessThanOrEqual(1e-4);
      await screenshot(page, "self-test");
      const hidden = await page.locator("#self-test").evaluate((panel) => panel.scrollWidth - panel.clientWidth);
      expect(hidden).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 360, height: 740 });
      await screenshot(page, "self-test-phone");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }, WHOLE);
  });

  it("is small", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), own.url);
    await page.locator("#status:visible").waitFor();
    expect(sizes(own).sent).toBeLessThan(1.5e6);
    await context.close();
    await own.close();
  });
});

inBrowser("a network on its way", ({ browser }) => {
  it("is not waited for with the first move, on a slow line and with nothing kept", LONG, async () => {
    const own = await serve();
    // The service worker fetches the app again, behind the first game: what it takes is not counted.
    const { page, context } = await slowly(browser(), own.url, { serviceWorkers: "block" });
    await page.locator(".game-card", { hasText: "Tic-tac-toe" }).getByText("Play").click();
    await place(page, "tictactoe", 4).click();
    await page.locator("#board .first").waitFor();
    const code = sizes(own, isFirst);
    await page.locator("#board .second").waitFor();
    const all = sizes(own);
    console.info(`first move: ${JSON.stringify(code)}; the AI's: ${JSON.stringify(all)}`);
    expect(code.plain).toBeLessThan(0.2e6);
    expect(all.sent).toBeLessThan(0.4e6);
    expect([...own.sent.keys()].filter((path) => /WebGl|Cpu|Given|texts_given|wasm-[^s]/.test(path))).toEqual([]);
    await context.close();
    await own.close();
  });

  it("answers in Connect4 after 1.3 MB, on a slow line and with nothing kept", LONG, async () => {
    const own = await serve();
    // What comes ahead of being asked for, while nothing else does, hangs on how fast the machine is.
    const { page, context } = await slowly(browser(), "about:blank", { isSparing: true });
    await page.goto(`${own.url}#connect4`);
    await place(page, "connect4", 3).click();
    await page.locator("#board .second").waitFor();
    console.info(`until the AI's answer: ${bytesSent(own)} bytes`);
    expect(bytesSent(own)).toBeLessThan(1.3e6);
    await context.close();
    await own.close();
  });

  for (const address of ["", "#connect4"])
    wholeIt(
      `is all that is loaded but for a megabyte: at '${address}'`,
      async () => {
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
      },
      LONG,
    );
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
});

inBrowser("a game", ({ visit }) => {
  it("goes on thinking in the worker while the page is alive, and ends when it is stopped", async () => {
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
      await screenshot(page, "connect4-thinking");
      await page.click("#stop");
      await waitForTurn(page);
      expect(await page.locator("#board .second").count()).toBe(1);
    });
  });
});
