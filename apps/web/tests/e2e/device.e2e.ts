/** The page on a device: the self-test, how soon it is ready, offline, installed, damaged bundles, missing backends. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { TestResult } from "../../src/worker/Messages";
import { installedGames, visit as visitAt, WHOLE } from "./browser";
import { runSelfTest } from "./giving";
import { choose, inBrowser, openBundle, openSelfTest, play, statusOf, textOf, waitForTurn } from "./person";
import { serve } from "./server";

/** Wait until the service worker answers for the page. */
async function kept(page: Page): Promise<void> {
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

inBrowser("the page", ({ browser, visit }) => {
  it.each([...installedGames()])("answers as the original of %s, a network of %s, does on wasm", async (name, game) => {
    await visit(async ({ page }) => {
      await openBundle(page, name, "policy", game);
      await openSelfTest(page);
      await page.click("#test");
      const column = page.locator('#results [data-backend="wasm"][data-tested]');
      await column.waitFor();
      const tested = JSON.parse((await column.getAttribute("data-tested")) ?? "") as TestResult;
      console.info(
        `${name}: largest error ${tested.largestError.toExponential(1)}, ${tested.milliseconds.toFixed(2)} ms a position`,
      );
      expect(tested).toMatchObject({ passed: true, positions: 20, sameBest: tested.withBest });
      expect(tested.largestError).toBeLessThanOrEqual(1e-4);
    });
  });

  it("shares what its self-test has found, as a text", async () => {
    await visit(
      async ({ page }) => {
        await openBundle(page, "tictactoe", "policy");
        await openSelfTest(page);
        await expect.poll(() => page.locator("#share-test").count()).toBe(0);
        await runSelfTest(page);
        await page.click("#share-test");
        await page.locator("#share-test-done", { hasText: "The result is copied." }).waitFor();
        const [first, ...others] = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
        expect(first).toBe("azx self-test: PASS");
        expect(others.slice(0, 3)).toEqual([
          expect.stringMatching(/^Bundle: Tic-tac-toe \(tictactoe, manifest [0-9a-f]{12}\)$/),
          expect.stringMatching(/^Browser: Mozilla/),
          "Largest error allowed: 1.0e-4",
        ]);
        expect(others.slice(3).map((line) => line.split(":")[0])).toContain("wasm");
        const figures =
          /^wasm: pass on 20 positions, largest error \d\.\de-\d+, best move \d+ of \d+, one evaluation [\d.]+ ms \(p50\), \d+ evaluations a second, \d+ playouts a second$/;
        expect(others.filter((line) => figures.test(line)).length).toBe(1);
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
  });

  it("opens the game that its address names", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await page.evaluate(() => location.assign("#go"));
      await page.locator('#bundle-go[aria-pressed="true"]').waitFor();
      await page.waitForFunction(() => document.title === "Go · azx");
      await expect.poll(() => page.locator("#board .cell").count()).toBe(81);
    });
  });

  it("plays without a network once it was there", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), own.url);
    await openBundle(page, "connect4", "simulations 50");
    await kept(page);
    await own.close();
    await page.reload();
    await openBundle(page, "connect4", "simulations 50");
    await play(page, "connect4", 2);
    await expect.poll(() => page.locator("#board .first").count()).toBe(2);
    await expect.poll(() => page.locator("#board .second").count()).toBe(2);
    await context.close();
  });

  it("can be installed", async () => {
    await visit(async ({ page, context }) => {
      await kept(page);
      const session = await context.newCDPSession(page);
      const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
      // A test's window keeps nothing, and an app cannot be installed from such a one.
      const errors = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
      const { data, errors: faults } = await session.send("Page.getAppManifest");
      expect([errors, faults]).toEqual([[], []]);
      const {
        start_url: start,
        icons,
        display,
      } = JSON.parse(data ?? "") as { start_url: string; display: string; icons: { src: string; sizes: string }[] };
      expect([start, display]).toEqual(["./", "standalone"]);
      expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
      for (const { src, sizes } of icons)
        expect(await naturalSize(page, src), src).toMatch(sizes === "any" ? /./ : sizes);
    }, WHOLE);
  });

  it("runs on another backend where the chosen one does not work, and says so", async () => {
    const own = await serve((path, bytes) => (path.endsWith(".wasm") ? Buffer.from("none") : bytes));
    const { page, context } = await visitAt(browser(), own.url);
    await openBundle(page, "tictactoe", "policy");
    // Where that is slow, LiteRT.js is tried too, which is as broken here.
    await expect
      .poll(() => textOf(page, "about"))
      .toMatch(/on (webgl|cpu)\.( LiteRT\.js does not run in this browser .+)?$/);
    await choose(page, "backend", "wasm");
    await page.locator("#alert:visible").waitFor();
    await expect
      .poll(() => textOf(page, "alert"))
      .toMatch(/^Backend wasm does not work .* Until then it runs on (webgl|cpu)\.$/);
    await play(page, "tictactoe", 1);
    await expect.poll(() => statusOf(page)).toBe("Tap the cell for your move");
    await context.close();
    await own.close();
  });

  it.each([
    ["damaged", "{", "azx/index.json is not an index of version 2: install the bundles again with this app's azx."],
    [
      "empty",
      '{"schema_version": 2, "bundles": []}',
      "No bundle is installed here: open one with the button above, or drop it on this page.",
    ],
  ])("says what to do where the index is %s", async (_, index, sentence) => {
    const own = await serve((path, bytes) => (path === "azx/index.json" ? Buffer.from(index) : bytes));
    const { page, context } = await visitAt(browser(), own.url);
    await page.locator("#alert:visible").waitFor();
    await expect.poll(() => textOf(page, "alert")).toBe(sentence);
    await context.close();
    await own.close();
  });

  it("plays a game that it knows first, and says of another that it does not know it", async () => {
    const own = await serve((path, bytes) =>
      path === "azx/index.json"
        ? Buffer.from(bytes.toString().replace('"game": "connect4"', '"game": "chess"'))
        : bytes,
    );
    const { page, context } = await visitAt(browser(), own.url);
    await page.locator("#status:visible").waitFor();
    await expect
      .poll(() => page.locator('#bundles [aria-pressed="true"]').getAttribute("id"))
      .not.toBe("bundle-connect4");
    await page.click("#bundle-connect4");
    // That its self-test runs is known when its network has come.
    const sentence = "Cannot be played: its game, 'chess', is none that the apps know. Its self-test runs.";
    await expect.poll(() => textOf(page, "why-not"), { timeout: 300_000 }).toBe(sentence);
    await context.close();
    await own.close();
  });

  it("refuses a bundle whose hash is wrong", async () => {
    const own = await serve((path, bytes) =>
      path.endsWith("connect4.int8-weights_tfjs/group1-shard1of1.bin") ? flip(bytes) : bytes,
    );
    const { page, context } = await visitAt(browser(), `${own.url}#connect4`);
    await page.locator("#alert:visible").waitFor();
    await expect.poll(() => textOf(page, "alert")).toContain("SHA-256 differs");
    await expect.poll(() => page.locator("#board").isVisible()).toBe(false);
    await context.close();
    await own.close();
  });

  it("says that a part of it did not come, and the board stays", async () => {
    const own = await serve();
    // With nothing kept of an earlier visit.
    const { page, context } = await visitAt(browser(), "about:blank", { serviceWorkers: "block" });
    await context.route("**/assets/Question-*.js", (route) => route.abort());
    // Else the network may begin, and in that cell.
    await page.addInitScript(() => localStorage.setItem("azx begins", "you"));
    await page.goto(`${own.url}#tictactoe`);
    await page.locator("#board .cell").first().click();
    await page.locator("#board .second").waitFor();
    await waitForTurn(page);
    await page.click("#resign");
    await page.locator("#alert:visible").waitFor();
    await expect
      .poll(() => textOf(page, "alert"))
      .toBe("A part of this page did not come: look whether there is a connection and load the page again.");
    await expect.poll(() => page.locator("#board .second").count()).toBe(1);
    await context.close();
    await own.close();
  });
});

function naturalSize(page: Page, src: string): Promise<string> {
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return `${image.naturalWidth}x${image.naturalHeight}`;
  }, src);
}

function flip(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000);
  return changed;
}
