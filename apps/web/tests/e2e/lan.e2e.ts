/** The page by plain http from another machine, as `azx serve --lan` has it: a context that browsers do not trust. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { packZip, tiny } from "../bundle/tiny";
import { launch, screenshot, visit, whyNot } from "./browser";
import { asZip, pick, runSelfTest } from "./giving";
import { openBundle, openSelfTest, play, press, textOf, waitForNetwork, waitForTurn } from "./person";
import { type Site, serve } from "./server";

// A name that leads to this machine, and that the browser takes for another one's.
const NAME = "azx.test";
const PHONE = { viewport: { width: 390, height: 844 } };
// The headers are sent all the same: they count where the page is trusted.
const IGNORED = /^The Cross-Origin-Opener-Policy header has been ignored/;

describe.skipIf(whyNot() !== null)("the page by plain http", () => {
  let browser: Browser;
  let site: Site;
  let url: string;

  beforeAll(async () => {
    browser = await launch([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, "--no-proxy-server"]);
    site = await serve();
    url = site.url.replace("127.0.0.1", NAME);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it("checks its files, plays and tests itself without the browser's cryptography", async () => {
    const { page, context, complaints } = await visit(browser, url, PHONE);
    const has = await page.evaluate(() => [
      isSecureContext,
      "subtle" in crypto,
      "caches" in self,
      "serviceWorker" in navigator,
    ]);
    expect(has).toEqual([false, false, false, false]);
    await openBundle(page, "connect4", "simulations 50");
    await play(page, "connect4", 2);
    await expect.poll(() => page.locator("#board .second").count()).toBe(2);
    await screenshot(page, "lan-phone");
    await openSelfTest(page);
    expect(await runSelfTest(page)).toMatchObject({ passed: true });
    // There is neither a clipboard nor a share sheet.
    await page.keyboard.press("Escape");
    await press(page, "share-game");
    await page.locator("#share-done", { hasText: "#connect4/moves=" }).waitFor();
    expect(complaints.filter((each) => !IGNORED.test(each))).toEqual([]);
    await context.close();
  });

  it("refuses a file that was changed on its way", async () => {
    const spoilt = await serve((path, bytes) => (path.endsWith(".bin") ? Buffer.alloc(bytes.length) : bytes));
    const { page, context } = await visit(browser, spoilt.url.replace("127.0.0.1", NAME));
    await page.locator("#alert", { hasText: "(SHA-256 differs): install the bundle again." }).waitFor();
    await context.close();
    await spoilt.close();
  });

  it("keeps a bundle that is opened there", async () => {
    const { page, context } = await visit(browser, url);
    await openBundle(page, "connect4", "policy");
    await pick(page, "file", asZip(packZip(tiny())));
    await page.locator('#bundle-tiny[aria-pressed="true"]').waitFor();
    await page.reload();
    await page.locator('#bundle-tiny[aria-pressed="true"]').waitFor();
    await waitForNetwork(page);
    await waitForTurn(page);
    await expect.poll(() => textOf(page, "alert")).toBe("");
    await play(page, "tictactoe", 1);
    await expect.poll(() => page.locator("#board .second").count()).toBe(1);
    await context.close();
  });
});
