/** LiteRT.js on the page: it answers as the original does, is chosen, and stays away where it cannot run. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import type { TestResult } from "../../src/worker/Messages";
import { screenshot, visit as visitAt, WHOLE } from "./browser";
import { choose, inBrowser, openBundle, openSelfTest, play, textOf } from "./person";
import { type Change, serve } from "./server";
import { wholeIt } from "./whole";

const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));

const about = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator("#about", { hasText: text }).waitFor({ state: "attached" });

/** The `.tflite` files of an installed bundle. */
function liteOf(name: string): readonly string[] {
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as {
    bundles: { name: string; files: { path: string }[] }[];
  };
  const paths = bundles.find((each) => each.name === name)?.files.map(({ path }) => path) ?? [];
  return paths.filter((path) => path.endsWith(".tflite"));
}

inBrowser("LiteRT.js", ({ browser, visit }) => {
  wholeIt("answers as the original does, in each precision that came along", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await openSelfTest(page);
      await page.click("#test");
      await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 300_000 });
      const heads = page.locator('#results [data-backend^="litert"]');
      const found = await heads.evaluateAll((each) => each.map((head) => (head as HTMLElement).dataset.tested ?? ""));
      console.info(found.join("\n"));
      expect(found).toHaveLength(liteOf("connect4").length);
      const tested = found.map((text) => JSON.parse(text) as TestResult);
      for (const each of tested) expect(each).toMatchObject({ passed: true, positions: 20 });
      expect(tested.find((each) => each.backend === "litert")?.largestError).toBeLessThanOrEqual(1e-4);
      await screenshot(page, "self-test-litert");
      const hidden = await page.locator("#self-test").evaluate((panel) => panel.scrollWidth - panel.clientWidth);
      expect(hidden).toBeLessThanOrEqual(0);
      await choose(page, "language", "zh-CN");
      await page.setViewportSize({ width: 360, height: 740 });
      await screenshot(page, "self-test-litert-phone");
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        .toBeLessThanOrEqual(0);
    }, WHOLE);
  });

  it("runs what a person chooses, and says in which precision", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await choose(page, "backend", "litert");
      await about(page, /on LiteRT\.js\.$/);
      await play(page, "connect4", 1);
      await expect.poll(() => page.locator("#board .second").count()).toBe(1);
    }, WHOLE);
  });

  it("runs without the host too, once it has come", async () => {
    const own = await serve();
    const { page, context, complaints } = await visitAt(browser(), `${own.url}#connect4`);
    await openBundle(page, "connect4", "policy");
    await choose(page, "backend", "litert");
    await about(page, /on LiteRT\.js\.$/);
    await play(page, "connect4", 1);
    expect(complaints).toEqual([]);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await expect.poll(() => keptOfApp(page)).toHaveLength(2);
    await own.close();
    await page.reload();
    await about(page, /on LiteRT\.js\.$/);
    await play(page, "connect4", 1);
    await expect.poll(() => page.locator("#board .second").count()).toBe(2);
    await context.close();
  });

  it.each<[string, Change, RegExp]>([
    [
      "its runtime is damaged",
      (path, bytes) => (/litert_wasm.*wasm$/.test(path) ? Buffer.from("none") : bytes),
      /on wasm int8\. LiteRT\.js does not run in this browser \(.+\): use a newer one, or stay with TF\.js\.$/,
    ],
    [
      "a file is not that of the manifest",
      (path, bytes) => (path.endsWith(".tflite") ? flip(bytes) : bytes),
      /on wasm int8\. Bundle 'connect4': '.+\.tflite' is not the file of its manifest/,
    ],
  ])("stays away where %s, and the page says why", async (_, change, sentence) => {
    const own = await serve(change);
    const { page, context } = await visitAt(browser(), `${own.url}#connect4`, { hasRuntime: true });
    await openBundle(page, "connect4", "policy");
    await about(page, sentence);
    await play(page, "connect4", 1);
    await expect.poll(() => page.locator("#board .second").count()).toBe(1);
    await expect.poll(() => textOf(page, "alert")).toBe("");
    await context.close();
    await own.close();
  });
});

function flip(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
  return changed;
}

/** LiteRT.js's files that the service worker keeps. */
function keptOfApp(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const name = (await caches.keys()).find((each) => each.startsWith("azx-app-")) ?? "";
    const addresses = (await (await caches.open(name)).keys()).map(({ url }) => url);
    return addresses.filter((url) => /assets\/(Lite|litert_wasm)/.test(url));
  });
}
