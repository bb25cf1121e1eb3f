/** The page on a host that knows nothing of it: Python's plain web server, no headers of ours, also in a sub-folder. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { installedGames, visit } from "./browser";
import { inBrowser, openBundle, openSelfTest, play } from "./person";
import { addressOf } from "./plain-host";
import { wholeIt } from "./whole";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("a plain host is not tested: there is no python3.");

const isIsolated = (page: Page): Promise<boolean> => page.evaluate(() => crossOriginIsolated);

describe.skipIf(!hasPython)("on a plain host", () => {
  let folder: string;
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "azx-host-"));
    mkdirSync(join(folder, "games"));
    symlinkSync(DIST, join(folder, "games", "azx"));
    const how = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder];
    server = spawn("python3", how, { stdio: ["ignore", "pipe", "ignore"] });
    url = await addressOf(server);
  });

  afterAll(() => {
    server?.kill();
    rmSync(folder, { recursive: true });
  });

  inBrowser("the page", ({ browser }) => {
    it("plays in a sub-folder, without headers of its own, and then without the host", async () => {
      const { page, context, complaints } = await visit(browser(), `${url}games/azx/`);
      await openBundle(page, "connect4", "simulations 50");
      expect(await isIsolated(page)).toBe(false);
      await play(page, "connect4", 1);
      await expect.poll(() => page.locator("#board .second").count()).toBe(1);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
      expect(scope).toBe(`${url}games/azx/`);
      const addresses = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      expect(addresses.filter((each) => !each.startsWith(`${url}games/azx/`))).toEqual([]);
      expect(complaints).toEqual([]);
      await context.setOffline(true);
      await page.reload();
      await openBundle(page, "connect4", "simulations 50");
      // The game that was left goes on.
      await play(page, "connect4", 1);
      await expect.poll(() => page.locator("#board .second").count()).toBe(2);
      await context.close();
    });

    for (const [name, game] of installedGames()) {
      const say = name === "tictactoe" ? it : wholeIt;
      say(`answers as the original of ${name} does, on every backend`, async () => {
        const { page, context } = await visit(browser(), `${url}games/azx/`);
        await openBundle(page, name, "policy", game);
        await openSelfTest(page);
        await page.click("#test");
        const status = page.locator("#test-status", { hasText: "Self-test done" });
        await status.waitFor({ timeout: 300_000 });
        const all = await page.locator("#results [data-backend]").count();
        expect(all).toBeGreaterThanOrEqual(3);
        await expect.poll(() => status.textContent()).toBe(`Self-test done: passed on ${all} of ${all} backends.`);
        await context.close();
      });
    }
  });
});
