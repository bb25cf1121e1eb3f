/** The page that cannot start, or no longer as it did: another version on its host, a worker or a script that is gone. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { FIRST_BOARD, visit as visitAt } from "./browser";
import { inBrowser, openBundle, textOf } from "./person";
import { serve } from "./server";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const read = (path: string): string => readFileSync(DIST + path, "utf8");
const asset = (name: string): string =>
  `assets/${readdirSync(`${DIST}assets`).find((file) => file.startsWith(`${name}-`) && file.endsWith(".js"))}`;
const KEPT = { "Cache-Control": "public, max-age=3600" };

/** The app as it is built, as another version of it: its script has another name. */
function later(): ReadonlyMap<string, Buffer | null> {
  const [old, now] = [asset("index"), "assets/index-later.js"];
  const replaceScript = (path: string): Buffer => Buffer.from(read(path).replaceAll(old, now));
  const worker = String(replaceScript("sw.js")).replace(/(["'`])[0-9a-f]{16}\1/, '"later"');
  return new Map([
    [now, Buffer.from(read(old))],
    [old, null],
    ["index.html", replaceScript("index.html")],
    ["sw.js", Buffer.from(worker)],
  ]);
}

inBrowser("the page", ({ browser }) => {
  it("is the new one after an update, on a host that lets browsers keep its files", async () => {
    const files = new Map<string, Buffer | null>();
    const own = await serve(undefined, files, KEPT);
    const { page, context } = await visitAt(browser(), own.url);
    await openBundle(page, "tictactoe", "policy");
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // Heard from here on: the browser may look for the new one by itself.
    await page.evaluate(() =>
      navigator.serviceWorker.addEventListener("controllerchange", () => Object.assign(globalThis, { isTaken: true })),
    );
    for (const [path, bytes] of later()) files.set(path, bytes);
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await page.waitForFunction(() => "isTaken" in globalThis);
    const apps = async () => (await page.evaluate(() => caches.keys())).filter((name) => name.startsWith("azx-app-"));
    await expect.poll(apps).toEqual([`azx-app-${own.url}#later`]);
    // The old script is nowhere any more.
    await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
    await page.reload();
    await page.locator("#status:visible").waitFor();
    await expect.poll(() => page.locator('script[src*="index-later"]').count()).toBe(1);
    await context.close();
    await own.close();
  });

  it("says so where its worker cannot start, whatever is asked later", async () => {
    // The index comes late: the worker has failed before anything is asked of it.
    const own = await serve(undefined, new Map([[asset("worker"), null]]));
    const { page, context } = await visitAt(browser(), "about:blank");
    await page.addInitScript(() => {
      globalThis.Worker = class extends Worker {
        constructor(address: string | URL, options?: WorkerOptions) {
          super(address, options);
          this.addEventListener("error", () => Object.assign(globalThis, { hasFailed: true }));
        }
      };
    });
    await page.route("**/azx/index.json", async (route) => {
      await page.waitForFunction(() => "hasFailed" in globalThis);
      await route.continue();
    });
    await page.goto(own.url + FIRST_BOARD);
    const sentence = "The part of this page that thinks has stopped: load the page again.";
    await page.locator("#alert:visible").waitFor();
    await expect.poll(() => textOf(page, "alert")).toBe(sentence);
    await page.click("#bundle-go");
    await page.locator('#bundle-go[aria-pressed="true"]').waitFor();
    await page.locator("#alert:visible").waitFor();
    await expect.poll(() => textOf(page, "alert")).toBe(sentence);
    await context.close();
    await own.close();
  });

  it("says so where the browser makes no worker at all", async () => {
    const own = await serve();
    const { page, context } = await visitAt(browser(), "about:blank");
    await page.addInitScript(() => {
      globalThis.Worker = class {
        constructor() {
          throw new DOMException("Workers are forbidden here.", "SecurityError");
        }
      } as unknown as typeof Worker;
    });
    await page.goto(own.url + FIRST_BOARD);
    await page.locator("#alert:visible").waitFor();
    await expect
      .poll(() => textOf(page, "alert"))
      .toBe("The part of this page that thinks has stopped (Workers are forbidden here): load the page again.");
    await context.close();
    await own.close();
  });

  it("says so where its script does not come, and nothing where it does", async () => {
    const own = await serve(undefined, new Map([[asset("index"), null]]));
    const { page, context } = await visitAt(browser(), own.url);
    const starting = page.locator("#starting");
    // Its animation from the start: a busy machine may have taken longer to come here.
    const early = await starting.evaluate((each) => {
      each.style.animation = "none";
      each.getBoundingClientRect();
      each.style.animation = "";
      return getComputedStyle(each).visibility;
    });
    expect(early).toBe("hidden");
    await starting.waitFor();
    await expect.poll(() => textOf(page, "starting")).toContain("load it again");
    await context.close();
    await own.close();
    const sound = await serve();
    const other = await visitAt(browser(), sound.url);
    await openBundle(other.page, "tictactoe", "policy");
    await expect.poll(() => other.page.locator("#starting").isHidden()).toBe(true);
    await other.context.close();
    await sound.close();
  });
});
