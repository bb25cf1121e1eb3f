/** What `azx page` writes, on a plain host: in a sub-folder, without the host, from the disk, and as a board in a frame. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { visit, WHOLE } from "./browser";
import { inBrowser, openBundle, openSelfTest, place, play, waitForNetwork } from "./person";
import { addressOf } from "./plain-host";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PYTHON = join(ROOT, ".venv", "bin", "python");
const BUNDLES = ["tictactoe", "reversi"].map((name) => join(ROOT, "build", "bundles", name));
const canWrite = [PYTHON, ...BUNDLES].every((path) => existsSync(path));
if (!canWrite) console.warn("a written page is not tested: it takes .venv and build/bundles (make bundles).");

describe.skipIf(!canWrite)("a page that azx wrote", () => {
  let folder: string;
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "azx-page-"));
    mkdirSync(join(folder, "games"));
    const site = join(folder, "games", "mine");
    const how = ["--title", "Tom & Jerry", "--author", "Ada", "--accent", "#ffff00", "-o", site];
    const done = spawnSync(PYTHON, ["-P", "-m", "azx", "page", ...BUNDLES, ...how], { encoding: "utf8" });
    expect(done.stderr).toBe("");
    writeFileSync(join(folder, "frame.html"), '<iframe src="games/mine/board.html#reversi" width="480" height="640">');
    const host = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder];
    server = spawn("python3", host, { stdio: ["ignore", "pipe", "ignore"] });
    url = `${await addressOf(server)}games/mine/`;
  });

  afterAll(() => {
    server?.kill();
    rmSync(folder, { recursive: true });
  });

  inBrowser("the page", ({ browser }) => {
    it("plays in a sub-folder under its own title, and then without the host", async () => {
      const { page, context, complaints } = await visit(browser(), url, { ...WHOLE, isHome: true });
      await page.getByRole("link", { name: "Play: Reversi" }).click();
      await openBundle(page, "reversi", "simulations 50");
      expect(await page.title()).toBe("Reversi · Tom & Jerry");
      expect(await page.locator("h1").textContent()).toBe("Tom & Jerry");
      expect(await page.locator("#author").textContent()).toBe("Ada");
      expect(await page.locator('#backend input[value^="litert"]').count()).toBe(0);
      await play(page, "reversi", 1);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      expect(complaints).toEqual([]);
      await context.setOffline(true);
      await page.reload();
      await waitForNetwork(page);
      expect(await page.title()).toBe("Reversi · Tom & Jerry");
      await play(page, "reversi", 1);
      await context.close();
    });

    it("passes its self-test: what lies there packed is what the bundle has", async () => {
      const { page, context, complaints } = await visit(browser(), `${url}#reversi`);
      await openBundle(page, "reversi", "policy");
      await openSelfTest(page);
      await page.click("#test");
      const status = page.locator("#test-status", { hasText: "Self-test done" });
      await status.waitFor();
      expect(await status.textContent()).toMatch(/passed on (\d) of \1 backends/);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it("is a single board in a frame of somebody's own page", async () => {
      const { page, context } = await visit(browser(), "about:blank");
      await page.goto(new URL("/frame.html", url).href);
      const frame = page.frameLocator("iframe");
      await frame.locator("#board .cell").first().waitFor();
      await frame.locator("#moves #new").waitFor();
      for (const hidden of ["header", "aside", "#author"]) expect(await frame.locator(hidden).isVisible()).toBe(false);
      const [inner] = page.frames().slice(1);
      const beyond = await inner?.evaluate(() => [
        document.documentElement.scrollWidth - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
      ]);
      expect(Math.max(...(beyond ?? [1]))).toBeLessThanOrEqual(0);
      await context.close();
    });

    it("says from the disk that it needs a server", async () => {
      const { page, context } = await visit(browser(), "about:blank");
      await page.goto(pathToFileURL(join(folder, "games", "mine", "index.html")).href);
      expect(await page.locator("#starting").textContent()).toContain("from a web server alone");
      await expect.poll(() => page.locator("#starting").isVisible()).toBe(true);
      await context.close();
    });

    it("does not forget what another page of the same host keeps", async () => {
      const { page, context } = await visit(browser(), `${url}#tictactoe`, WHOLE);
      await waitForNetwork(page);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const kept = (): Promise<readonly string[]> =>
        page.evaluate(async () => {
          const names = await caches.keys();
          const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
          return keys.flat().map(({ url }) => url);
        });
      const [of] = [(await kept()).filter((each) => each.startsWith(url))];
      expect(of.filter((each) => each.includes("/azx/tictactoe/")).length).toBeGreaterThan(0);
      // The same files at another address are another page.
      rmSync(join(folder, "games", "other"), { recursive: true, force: true });
      spawnSync(PYTHON, ["-P", "-m", "azx", "page", BUNDLES[0] ?? "", "-o", join(folder, "games", "other")]);
      await page.goto(new URL("../other/#tictactoe", url).href);
      await place(page, "tictactoe", 4).waitFor();
      await waitForNetwork(page);
      await page.waitForFunction(() => navigator.serviceWorker.controller?.scriptURL.includes("/other/"));
      expect(await kept()).toEqual(expect.arrayContaining(of));
      await context.close();
    });
  });
});
