/** Bundles that were opened from this computer are there on the next visit, with their games, until they are removed. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";

import { asJson, below, type Files, hash, packZip, tiny } from "../bundle/tiny";
import { screenshot, visit as visitAt } from "./browser";
import { asZip, pick, runSelfTest } from "./giving";
import { inBrowser, openBundle, openSelfTest, play, textOf, waitForNetwork, waitForTurn } from "./person";
import { serve } from "./server";

const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** Give a bundle to the page, and wait until it is open. */
async function give(page: Page, name: string, files: Files): Promise<void> {
  await pick(page, "file", asZip(packZip(files)));
  await page.locator(`#bundle-${name}[aria-pressed="true"]`).waitFor();
  await waitForNetwork(page);
}

async function remove(page: Page, title: string): Promise<void> {
  await page.click("#open");
  await page.getByRole("button", { name: `Remove ${title}` }).click();
  await page.click("#question-yes");
}

/** How many pieces of each player are on the board. */
async function pieces(page: Page): Promise<readonly number[]> {
  return [await page.locator("#board .first").count(), await page.locator("#board .second").count()];
}

const TITLE = "Tic-tac-toe (tiny)";

inBrowser("a bundle from this computer", ({ browser, visit }) => {
  it("is there when the page is loaded again, with its game", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await give(page, "tiny", tiny());
      await openBundle(page, "tiny", "policy", "tictactoe");
      await play(page, "tictactoe", 1);
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
      await page.reload();
      await page.locator('#bundle-tiny[aria-pressed="true"]').waitFor();
      await page.locator("#about", { hasText: /^Tic-tac-toe \(tiny\): 1 parameter, / }).waitFor({ state: "attached" });
      await waitForTurn(page);
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
      await play(page, "tictactoe", 1);
      await expect.poll(() => pieces(page)).toEqual([2, 2]);
      await openSelfTest(page);
      expect(await runSelfTest(page)).toMatchObject({ passed: true, positions: 3 });
      // It is in the list of a visit that opens another, too, as one to resume.
      await openBundle(page, "connect4", "policy");
      await page.reload();
      await page.locator("#bundle-tiny .resume").waitFor();
      await expect
        .poll(() => page.locator("#bundle-tiny small").allInnerTexts())
        .toEqual(["opened from this computer", "Resume"]);
    });
  });

  it("was not opened yet when the page was ended, which says so, once", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      // The page's own part comes, the worker's does not: the opening has begun, and does not end.
      const parts: Route[] = [];
      const letThrough = (route: Route): Promise<void> | undefined =>
        parts.push(route) === 2 ? undefined : route.continue();
      await page.route(/\/(Given|_texts_given)-[^/]*\.js$/, letThrough);
      await pick(page, "file", asZip(packZip(tiny())));
      await page.locator("#opening", { hasText: "Checking tiny.zip" }).waitFor();
      await expect.poll(() => parts.length).toBe(2);
      await page.reload();
      // The browser may keep others from the file as long as somebody waits for it.
      await parts[1]?.abort().catch(() => undefined);
      const sentence = "The page was ended while it was opening tiny.zip: open it again, if it is not in the list.";
      await page.locator("#alert", { hasText: sentence }).waitFor();
      await page.reload();
      await waitForNetwork(page);
      await expect.poll(() => textOf(page, "alert")).toBe("");
    });
  });

  it("is there with its reason where it cannot be played, and its self-test runs", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await give(page, "blank", tiny({ name: "blank", game: null }));
      await page.reload();
      await page.locator("#bundle-blank.unplayable").waitFor();
      await expect
        .poll(() => page.locator("#bundle-blank small").innerText())
        .toBe("opened from this computer · it has no known game");
      await page.locator("#why-not", { hasText: "Its self-test runs." }).waitFor();
      await expect
        .poll(() => textOf(page, "why-not"))
        .toBe("Cannot be played: it has no known game. Its self-test runs.");
      expect(await runSelfTest(page)).toMatchObject({ passed: true, positions: 3, playoutsPerSecond: null });
    });
  });

  it.each(Object.entries(SIZES))(
    "is removed where the person means it, and its game stays, on a %s",
    async (size, viewport) => {
      await visit(
        async ({ page }) => {
          await openBundle(page, "connect4", "policy");
          await give(page, "tiny", tiny());
          await openBundle(page, "tiny", "policy", "tictactoe");
          await play(page, "tictactoe", 1);
          await page.click("#open");
          await page.locator("#own:visible").waitFor();
          await screenshot(page, `own-${size}`);
          await expect.poll(() => page.locator("#own-list span").allInnerTexts()).toEqual([`${TITLE}, 0.1 MB`]);
          await page.click("#open-cancel");
          // Who changes their mind keeps it.
          await page.click("#open");
          await page.click("#own-list button");
          await page.click("#question-no");
          await expect.poll(() => page.locator("#bundle-tiny").count()).toBe(1);
          await page.click("#open-cancel");
          await remove(page, TITLE);
          await page.locator("#bundle-tiny").waitFor({ state: "detached" });
          await page.locator("#status:visible").waitFor();
          await waitForNetwork(page);
          // Its game stays, and another network of the game goes on with it.
          await page.click("#to-library");
          await expect.poll(() => page.locator("#library-list li").count()).toBe(1);
          await page.locator("#library-list a").click();
          await expect.poll(() => pieces(page)).toEqual([1, 1]);
          await page.reload();
          await waitForNetwork(page);
          await page.click("#open");
          await page.locator("#opener[open]").waitFor();
          await expect.poll(() => page.locator("#bundle-tiny").count()).toBe(0);
          await expect.poll(() => page.locator("#own").isVisible()).toBe(false);
        },
        { viewport },
      );
    },
  );

  it("is there on a page that has no other, and may be removed there", async () => {
    const own = await serve(undefined, new Map([["azx/index.json", asJson({ schema_version: 2, bundles: [] })]]));
    const { page, context, complaints } = await visitAt(browser(), own.url);
    await page.locator("#alert", { hasText: "No bundle is installed here" }).waitFor();
    await give(page, "tiny", tiny());
    await page.goto(own.url);
    await page.locator('#bundle-tiny[aria-pressed="true"]').waitFor();
    await waitForNetwork(page);
    await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    await remove(page, TITLE);
    await page.locator("#alert", { hasText: "No bundle is installed here" }).waitFor();
    await expect
      .poll(async () => [await page.locator("#play").isVisible(), await page.locator("#bundles button").count()])
      .toEqual([false, 0]);
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });

  it("is another one's neighbour where one of its name is installed since", async () => {
    const files = tiny();
    const more = new Map<string, Buffer>();
    const own = await serve(undefined, more);
    const { page, context } = await visitAt(browser(), own.url);
    await openBundle(page, "connect4", "policy");
    await give(page, "tiny", files);
    const index = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: object[] };
    const listed = [...files].map(([path, bytes]) => ({ path, sha256: hash(bytes), size: bytes.length }));
    const entry = { name: "tiny", title: "tiny", game: "tictactoe", settings: null, format: "tfjs", files: listed };
    for (const [path, bytes] of below("azx/tiny", files)) more.set(path, bytes);
    more.set("azx/index.json", asJson({ ...index, bundles: [...index.bundles, { ...entry, artifact: "tiny_tfjs" }] }));
    for (let visits = 0; visits < 2; visits++) {
      await page.reload();
      await page.locator("#bundle-tiny-2").waitFor();
      await expect.poll(() => page.locator("#bundle-tiny small").count()).toBe(0);
    }
    await openBundle(page, "tiny-2", "policy", "tictactoe");
    await play(page, "tictactoe", 1);
    await expect.poll(() => pieces(page)).toEqual([1, 1]);
    await context.close();
    await own.close();
  });

  it("says so where it was damaged since, and may be removed", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await give(page, "tiny", tiny());
      await page.evaluate(spoil, "tiny_tfjs/group1-shard1of1.bin");
      await page.reload();
      await page
        .locator("#alert", { hasText: "'tiny_tfjs/group1-shard1of1.bin' is not the file of its manifest" })
        .waitFor();
      await expect.poll(() => page.locator("#play").isVisible()).toBe(false);
      await remove(page, TITLE);
      await page.locator("#status:visible").waitFor();
      await expect.poll(() => page.locator("#bundle-tiny").count()).toBe(0);
    });
  });

  it("is there for this visit where the browser has no room for it, and the page says so", async () => {
    await visit(async ({ page, context }) => {
      await openBundle(page, "connect4", "policy");
      const session = await context.newCDPSession(page);
      await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, quotaSize: 1 });
      await give(page, "tiny", tiny());
      await page.locator("#alert", { hasText: "Bundle 'tiny' has 0.1 MB, and this browser has no room" }).waitFor();
      await screenshot(page, "no-room");
      await openBundle(page, "tiny", "policy", "tictactoe");
      await play(page, "tictactoe", 1);
      // No address brings the bundle back; the game has one.
      await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/games\//);
      await page.reload();
      await page.locator("#status:visible").waitFor();
      await waitForNetwork(page);
      await expect.poll(() => page.locator("#bundle-tiny").count()).toBe(0);
    });
  });
});

/** Runs in the page: change one byte of a file of the bundle that is kept. */
function spoil(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("azx-given", 1);
    request.onsuccess = () => {
      const bundles = request.result.transaction("bundles", "readwrite").objectStore("bundles");
      const read = bundles.get("tiny");
      read.onsuccess = () => {
        const { files } = read.result as { files: Map<string, Blob> };
        files.set(path, new Blob([Uint8Array.of(9, 9, 9, 9, 1, 0, 0, 0)]));
        bundles.put(read.result).onsuccess = () => {
          request.result.close();
          resolve();
        };
      };
    };
    request.onerror = () => reject(request.error);
  });
}
