/** Bundles on the page: those that cannot be played, and those that a person drops on it or picks. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";

import { type Problem, problem } from "../../src/bundle/Problem";
import { asJson, below, changeFile, type Files, hash, packZip, seal, tiny, withManifest } from "../bundle/tiny";
import { installedGames, screenshot, visit as visitAt, type Watched } from "./browser";
import { asZip, pick, runSelfTest } from "./giving";
import { inBrowser, OVER, openBundle, openSelfTest, play, statusOf, textOf, waitForTurn } from "./person";
import { serve } from "./server";
import { wholeIt } from "./whole";

const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "azx-page-"));
const PROBLEMS = [problem("no_game"), problem("inputs", 2)];
const TWO = ["it has no known game", "its network has 2 inputs, and nothing says what each of them reads"];
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

afterAll(() => rmSync(FOLDER, { recursive: true }));

/** What the index says of a bundle. */
function entryOf(name: string, files: Files, game: string | null, problems: readonly Problem[] = []): object {
  const listed = [...files].map(([path, bytes]) => ({ path, sha256: hash(bytes), size: bytes.length }));
  const artifact = `${name}_tfjs`;
  return { name, title: name, game, settings: null, artifact, format: "tfjs", files: listed, problems };
}

/** The files of a site that has these bundles too. */
function withBundles(bundles: readonly (readonly [string, Files, object])[]): ReadonlyMap<string, Buffer> {
  const index = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: object[] };
  const files = bundles.flatMap(([name, each]) => below(`azx/${name}`, each));
  const all = [...index.bundles, ...bundles.map(([, , entry]) => entry)];
  return new Map([...files, ["azx/index.json", asJson({ ...index, bundles: all })]]);
}

/** The bundle's folder on this machine's disk. */
function onDisk(name: string, files: Files): string {
  const folder = join(mkdtempSync(join(FOLDER, "a")), name);
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

/** Drop files and folders of this machine's disk on the page, as the system does. */
async function drop({ page, context }: Watched, ...files: string[]): Promise<void> {
  const session = await context.newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 200, y: 300, data });
}

const tooWide = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

inBrowser("a bundle that cannot be played", ({ browser }) => {
  const files = tiny({ name: "two_inputs", game: null, inputs: 2 });
  const eight = tiny({ name: "eight", batch: 8, hasPolicy: false });
  const more = withBundles([
    ["two_inputs", files, entryOf("two_inputs", files, null, PROBLEMS)],
    ["eight", eight, entryOf("eight", eight, "tictactoe", [problem("batch", 8)])],
  ]);

  for (const [size, viewport] of Object.entries(SIZES))
    (size === "phone" ? it : wholeIt)(`is listed with the reason, and its self-test runs, on a ${size}`, async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        const own = await serve(undefined, more);
        const { page, context, complaints } = await visitAt(browser(), own.url, { viewport, colorScheme });
        await page.locator("#status:visible").waitFor();
        await screenshot(page, `listed-${size}-${colorScheme}`);
        const listed = page.locator("#bundle-two_inputs");
        await expect.poll(() => listed.locator("small").textContent()).toBe(TWO.join(" · "));
        await expect.poll(() => page.locator("#bundles .unplayable").count()).toBe(2);
        await listed.click();
        await page.locator("#why-not:visible").waitFor();
        await expect
          .poll(() => textOf(page, "why-not"))
          .toBe(`Cannot be played: ${TWO.join(" and ")}. Its self-test runs.`);
        await expect.poll(() => page.locator("#board").isVisible()).toBe(false);
        expect(await runSelfTest(page)).toMatchObject({
          passed: true,
          positions: 3,
          withBest: 3,
          playoutsPerSecond: null,
        });
        await screenshot(page, `unplayable-${size}-${colorScheme}`);
        await expect.poll(() => tooWide(page)).toBeLessThanOrEqual(0);
        await page.click("#bundle-eight");
        await page.locator("#why-not", { hasText: "8 positions" }).waitFor();
        expect(await runSelfTest(page)).toMatchObject({ passed: true, positions: 3, withBest: 0 });
        await page.click("#bundle-tictactoe");
        await openBundle(page, "tictactoe", "policy");
        await expect.poll(() => page.locator("#unplayable").isVisible()).toBe(false);
        await expect.poll(() => page.locator("#self-test[open]").count()).toBe(0);
        expect(complaints).toEqual([]);
        await context.close();
        await own.close();
      }
    });

  it("is judged by its manifest as well, where the index knows less", async () => {
    const own = await serve(undefined, withBundles([["two_inputs", files, entryOf("two_inputs", files, null)]]));
    const { page, context } = await visitAt(browser(), `${own.url}#two_inputs`);
    await page.locator("#why-not", { hasText: "Its self-test runs." }).waitFor();
    await expect.poll(() => page.locator("#bundle-two_inputs small").textContent()).toBe("it has no known game");
    await expect
      .poll(() => textOf(page, "why-not"))
      .toBe(`Cannot be played: ${TWO.join(" and ")}. Its self-test runs.`);
    await context.close();
    await own.close();
  });

  it("says why where its self-test cannot run either", async () => {
    const broken = new Map([...files].filter(([path]) => path !== "golden.json"));
    const own = await serve(
      undefined,
      withBundles([["two_inputs", broken, entryOf("two_inputs", files, null, PROBLEMS)]]),
    );
    const { page, context } = await visitAt(browser(), `${own.url}#two_inputs`);
    await page.locator("#test-status", { hasText: "cannot run" }).waitFor();
    await expect
      .poll(() => textOf(page, "test-status"))
      .toMatch(/^The self-test cannot run\. Bundle 'two_inputs': 'golden\.json' /);
    await expect.poll(() => page.locator("#test").isVisible()).toBe(false);
    await context.close();
    await own.close();
  });
});

inBrowser("a bundle from this computer", ({ browser, visit }) => {
  const good = tiny();
  const given = "#bundle-tiny:has(small)";

  for (const [size, viewport] of Object.entries(SIZES))
    (size === "phone" ? it : wholeIt)(
      `is played when its folder is dropped on a ${size}, and its self-test runs`,
      async () => {
        for (const colorScheme of ["light", "dark"] as const)
          await visit(
            async (watched) => {
              const { page } = watched;
              await openBundle(page, "connect4", "policy");
              await drop(watched, onDisk("tiny", good));
              await page.locator(`${given}[aria-pressed="true"]`).waitFor();
              await expect.poll(() => page.locator(`${given} small`).textContent()).toBe("opened from this computer");
              await openBundle(page, "tiny", "simulations 50", "tictactoe");
              await play(page, "tictactoe", 2);
              await screenshot(page, `dropped-${size}-${colorScheme}`);
              await expect.poll(() => tooWide(page)).toBeLessThanOrEqual(0);
              await play(page, "tictactoe", 9);
              await expect.poll(() => statusOf(page)).toMatch(OVER);
              await openSelfTest(page);
              expect(await runSelfTest(page)).toMatchObject({ passed: true, positions: 3 });
              // It stays in the list, and the address names its game.
              await openBundle(page, "tictactoe", "policy");
              await page.click(given);
              await page.locator(`${given}[aria-pressed="true"]`).waitFor();
              await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/games\//);
            },
            { viewport, colorScheme },
          );
      },
    );

  it("is played when its .zip is picked or dropped, and when its folder is picked", async () => {
    await visit(async (watched) => {
      const { page } = watched;
      await openBundle(page, "connect4", "policy");
      await page.click("#open");
      await page.locator("#opener[open]").waitFor();
      await screenshot(page, "opener");
      await page.click("#open-cancel");
      await pick(page, "file", asZip(packZip(below("tiny", good))));
      await page.locator(`${given}[aria-pressed="true"]`).waitFor();
      await waitForTurn(page);
      const archive = join(FOLDER, "third.zip");
      writeFileSync(archive, packZip(tiny({ name: "third" })));
      await drop(watched, archive);
      await page.locator('#bundle-third[aria-pressed="true"]').waitFor();
      await waitForTurn(page);
      await pick(page, "folder", onDisk("other", tiny({ name: "other" })));
      await page.locator('#bundle-other[aria-pressed="true"]').waitFor();
      await openBundle(page, "other", "simulations 50", "tictactoe");
      await play(page, "tictactoe", 1);
      await expect.poll(() => page.locator("#board .second").count()).toBe(1);
    });
  });

  it("is played on a page that has no other", async () => {
    const own = await serve(undefined, new Map([["azx/index.json", asJson({ schema_version: 2, bundles: [] })]]));
    const watched = await visitAt(browser(), own.url);
    const { page, context } = watched;
    await page.locator("#alert", { hasText: "No bundle is installed here" }).waitFor();
    await drop(watched, onDisk("tiny", good));
    await openBundle(page, "tiny", "simulations 50", "tictactoe");
    await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    await play(page, "tictactoe", 1);
    await expect.poll(() => page.locator("#board .second").count()).toBe(1);
    await context.close();
    await own.close();
  });

  it("is played by its value where it has no policy", async () => {
    await visit(async (watched) => {
      const { page } = watched;
      await openBundle(page, "connect4", "policy");
      await drop(watched, onDisk("tiny", tiny({ hasPolicy: false })));
      await page.locator(`${given}[aria-pressed="true"]`).waitFor();
      await page.locator("#about", { hasText: "Tic-tac-toe (tiny): " }).waitFor({ state: "attached" });
      await expect.poll(() => page.locator("#strength input:checked").inputValue()).toBe("simulations 50");
      await expect.poll(() => page.locator("#hint").isVisible()).toBe(false);
      await play(page, "tictactoe", 9);
      await expect.poll(() => statusOf(page)).toMatch(OVER);
      await expect.poll(() => textOf(page, "rate")).toMatch(/^\d+\s%$/);
    });
  });

  it("is kept apart from an installed one of its name", async () => {
    await visit(async (watched) => {
      const { page } = watched;
      await openBundle(page, "tictactoe", "policy");
      await drop(watched, onDisk("tictactoe", tiny({ name: "tictactoe" })));
      await page.locator('#bundle-tictactoe-2[aria-pressed="true"]').waitFor();
      await expect.poll(() => page.locator("#bundles button").count()).toBe(installedGames().size + 1);
      await drop(watched, onDisk("tictactoe", tiny({ name: "tictactoe" })));
      await waitForTurn(page);
      await expect.poll(() => page.locator("#bundles button").count()).toBe(installedGames().size + 1);
    });
  });

  const weights = "tiny_tfjs/group1-shard1of1.bin";
  const bad: readonly (readonly [string, Buffer, string])[] = [
    [
      "is no .zip",
      Buffer.from("a picture"),
      "'tiny.zip' is no .zip, or is cut short: open a bundle's folder, or a .zip of it.",
    ],
    [
      "is a checkpoint",
      Buffer.from("\x89HDF\r\n\x1a\n", "latin1"),
      "looks like a Keras checkpoint: run azx export --format tfjs with it and open the folder",
    ],
    ["has a wrong hash", packZip(changeFile(good, weights, (bytes) => Buffer.alloc(bytes.length))), "SHA-256 differs"],
    [
      "has a model that is cut short",
      packZip(changeFile(good, weights, (bytes) => bytes.subarray(1))),
      "has 7 bytes, its manifest says 8",
    ],
    ["lacks a file", packZip([...good].filter(([path]) => path !== weights)), `'${weights}' is missing`],
    [
      "is of a later azx",
      packZip(withManifest(good, { schema_version: 2 })),
      "has version 2, this app reads 1: use a newer app.",
    ],
    [
      "names a path outside",
      packZip([...good, ["../out", Buffer.of(1)]]),
      "names '../out', which is no path inside of it",
    ],
    [
      "has a manifest without end",
      packZip(changeFile(good, "manifest.json", () => Buffer.alloc(40e6, "["))),
      "has 40 MB, this app reads 4 MB at most",
    ],
    [
      "has a network that TF.js cannot read",
      // It only calculates, so that it is kept; what one of its nodes reads is not there.
      packZip(
        seal(
          changeFile(good, "tiny_tfjs/model.json", (bytes) =>
            Buffer.from(String(bytes).replace('"input":["mean","bias"]', '"input":["nobody","bias"]')),
          ),
        ),
      ),
      "export the bundle again.",
    ],
  ];

  it("is refused in one sentence where it is not sound, and the game goes on", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "simulations 50");
      await play(page, "tictactoe", 1);
      for (const [, bytes, sentence] of bad.slice(0, -1)) {
        await pick(page, "file", asZip(bytes));
        await page.locator("#alert", { hasText: sentence }).waitFor();
        await expect.poll(() => page.locator("#opening").isVisible()).toBe(false);
        await expect.poll(() => page.locator(given).count()).toBe(0);
      }
      await screenshot(page, "refused");
      await play(page, "tictactoe", 1);
      await expect.poll(() => page.locator("#board .second").count()).toBe(2);
      const [, unread, sentence] = bad.at(-1) ?? bad[0] ?? [];
      await pick(page, "file", asZip(unread ?? Buffer.alloc(0)));
      await page.locator("#alert", { hasText: sentence ?? "" }).waitFor();
      await expect.poll(() => page.locator("#board").isVisible()).toBe(false);
      await page.click("#bundle-connect4");
      await openBundle(page, "connect4", "policy");
      await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    });
  });
});
