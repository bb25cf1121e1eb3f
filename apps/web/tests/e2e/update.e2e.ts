/** The page after another version of it has come to its host. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { visit as visitAt } from "./browser";
import { inBrowser, opened } from "./person";
import { serve } from "./server";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const read = (path: string): string => readFileSync(DIST + path, "utf8");
const asset = (name: string): string =>
  `assets/${readdirSync(`${DIST}assets`).find((file) => file.startsWith(`${name}-`) && file.endsWith(".js"))}`;
const KEPT = { "Cache-Control": "public, max-age=3600" };

/** The app as it is built, as another version of it: its script has another name. */
function later(): ReadonlyMap<string, Buffer | null> {
  const [old, now] = [asset("index"), "assets/index-later.js"];
  const replaced = (path: string): Buffer => Buffer.from(read(path).replaceAll(old, now));
  const worker = String(replaced("sw.js")).replace(/azx-app-\$\{.*?\}|azx-app-[0-9a-f]{16}/, "azx-app-later");
  return new Map([
    [now, Buffer.from(read(old))],
    [old, null],
    ["index.html", replaced("index.html")],
    ["sw.js", Buffer.from(worker)],
  ]);
}

inBrowser("the page", ({ browser }) => {
  it("is the new one after an update, on a host that lets browsers keep its files", async () => {
    const files = new Map<string, Buffer | null>();
    const own = await serve(undefined, files, KEPT);
    const { page, context } = await visitAt(browser(), own.url);
    await opened(page, "tictactoe", "policy");
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    for (const [path, bytes] of later()) files.set(path, bytes);
    await page.evaluate(async () => {
      const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
      await (await navigator.serviceWorker.ready).update();
      await taken;
    });
    expect(await page.evaluate(() => caches.keys())).toContain("azx-app-later");
    // The old script is nowhere any more.
    await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
    await page.reload();
    await page.locator("#status:visible").waitFor({ timeout: 20_000 });
    expect(await page.locator('script[src*="index-later"]').count()).toBe(1);
    await context.close();
    await own.close();
  });
});
