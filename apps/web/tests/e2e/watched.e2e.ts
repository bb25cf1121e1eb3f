/** A page of `azx serve --watch`: a better network comes while a game is under way. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { screenshot, visit as visitAt } from "./browser";
import { click, inBrowser, openBundle, textOf, waitForNetwork, waitForTurn } from "./person";
import { serve } from "./server";

const AZX = fileURLToPath(new URL("../../dist/azx/", import.meta.url));
const NAME = "tictactoe";
interface Listed {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly size: number }[];
}

/** The files of an index with this network alone; null if a page asks for one that is not there any more. */
type Files = Map<string, Buffer | null>;

/** What the server has: the shipped network as it is, or with every weight's sign turned, under another title. */
function serverFiles(version: string, isTurned: boolean): Files {
  const index = JSON.parse(readFileSync(`${AZX}index.json`, "utf8")) as { bundles: readonly Listed[] };
  const entry = index.bundles.find(({ name }) => name === NAME);
  if (!entry) throw new Error("no tictactoe");
  const files: Files = new Map();
  const listed = entry.files.map((file) => {
    const bytes = readFileSync(`${AZX}${NAME}/${file.path}`);
    if (isTurned && file.path.endsWith(".bin"))
      for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeFloatLE(-bytes.readFloatLE(at), at);
    files.set(`azx/${NAME}/${file.path}`, bytes);
    return { ...file, bytes };
  });
  const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  const manifestPath = `azx/${NAME}/manifest.json`;
  const manifest = JSON.parse(String(files.get(manifestPath))) as { files: { path: string; sha256: string }[] };
  for (const file of manifest.files) {
    const own = listed.find(({ path }) => path === file.path);
    if (own) file.sha256 = hashOf(own.bytes);
  }
  const text = Buffer.from(JSON.stringify(manifest));
  files.set(manifestPath, text);
  const entries = listed.map(({ path, size, bytes }) =>
    path === "manifest.json"
      ? { path, size: text.length, sha256: hashOf(text) }
      : { path, size, sha256: hashOf(bytes) },
  );
  const bundle = { ...entry, title: `Tic-tac-toe (${version})`, files: entries };
  files.set("azx/index.json", Buffer.from(JSON.stringify({ schema_version: 2, watched: true, bundles: [bundle] })));
  return files;
}

/** What the network's policy says of each move, as the board shows it. */
async function hint(page: Page): Promise<string[]> {
  await page.click("#hint");
  // Every cell has the attribute, also while nothing is known.
  await page.locator('#board [data-share]:not([data-share=""])').first().waitFor();
  return page
    .locator("#board .cell")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-share") ?? ""));
}

inBrowser("a better network", ({ browser }) => {
  it("is offered while a game is under way, and plays it on once a person takes it", async () => {
    const files = serverFiles("version1", false);
    const own = await serve(undefined, files);
    const { page, context, complaints } = await visitAt(browser(), own.url);
    await openBundle(page, NAME, "policy");
    await expect.poll(() => textOf(page, `bundle-${NAME}`)).toBe("Tic-tac-toe (version1)");
    await click(page, NAME, [4]);
    const pieces = (): Promise<number> => page.locator("#board .first, #board .second").count();
    await expect.poll(async () => [await pieces(), await page.locator("#offer").isVisible()]).toEqual([2, false]);
    const before = await hint(page);

    for (const [path, bytes] of serverFiles("version2", true)) files.set(path, bytes);
    await page.locator("#offer:visible").waitFor();
    await expect
      .poll(() => textOf(page, "offer-text"))
      .toBe("A stronger network has come: Tic-tac-toe (version2). Your game stays as it is.");
    await expect.poll(() => textOf(page, `bundle-${NAME}`)).toBe("Tic-tac-toe (version1)");
    await expect.poll(() => pieces()).toBe(2);
    await screenshot(page, "watched-offer");
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, "watched-offer-phone");

    await page.click("#offer-take");
    await page.locator(`#bundle-${NAME}`, { hasText: "version2" }).waitFor();
    // Empty until the new network is there.
    await page.locator("#about", { hasText: "Tic-tac-toe (version2)" }).waitFor({ state: "attached" });
    await waitForTurn(page);
    await expect.poll(async () => [await pieces(), await page.locator("#offer").isVisible()]).toEqual([2, false]);
    // The same position, and another network's answer.
    expect(await hint(page)).not.toEqual(before);
    const free = page.locator('#board .cell:not([aria-disabled="true"])');
    await free.first().click();
    await waitForTurn(page);
    await expect.poll(() => pieces()).toBe(4);
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });

  it("is opened at once where there was none before", async () => {
    const none = Buffer.from(JSON.stringify({ schema_version: 2, watched: true, bundles: [] }));
    const files: Files = new Map([["azx/index.json", none]]);
    const own = await serve(undefined, files);
    const { page, context } = await visitAt(browser(), own.url);
    await page.locator("#alert:visible").waitFor();
    for (const [path, bytes] of serverFiles("version1", false)) files.set(path, bytes);
    await page.locator(`#bundle-${NAME}[aria-pressed="true"]`).waitFor();
    await waitForNetwork(page);
    await page.locator("#board .cell").first().waitFor();
    await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    await context.close();
    await own.close();
  });

  it("stands beside the run that it comes from, whose last game can be replayed", async () => {
    const told = {
      name: "first",
      command: "azx train runs/first",
      judge: "lines",
      generations: 2,
      now: { event: "playing", generation: 3, games: 20, of: 200 },
      curve: [40, 7].map((value, at) => ({ generation: at + 1, value, low: null, high: null, best: true })),
      games_a_second: 3.2,
      game: { record: "tictactoe: 4 0 8 2 1 7 6 3 5", plies: 9, result: 0 },
    };
    const ofRun = (bundles: unknown, run: unknown): void => {
      const index = { schema_version: 2, watched: true, run: true, bundles };
      files.set("azx/index.json", Buffer.from(JSON.stringify(index)));
      files.set("azx/run.json", Buffer.from(JSON.stringify(run)));
    };
    const files = serverFiles("gen0002", false);
    const { bundles } = JSON.parse(String(files.get("azx/index.json"))) as { bundles: unknown };
    ofRun([], { ...told, generations: 0, curve: [], game: null, now: { event: "starting" } });
    const own = await serve(undefined, files);
    const { page, context, complaints } = await visitAt(browser(), own.url);
    await page.locator("#run-none:visible").waitFor();
    expect(await page.locator("#alert").isVisible()).toBe(false);

    ofRun(bundles, told);
    await page.locator("aside > #run").waitFor();
    await expect.poll(() => textOf(page, "run-now")).toBe("Generation 3: 20 of 200 games played");
    expect(await textOf(page, "run-best")).toBe("generation 2 of 2");
    expect(await page.locator("#run-curve circle").count()).toBe(2);
    await screenshot(page, "run");
    await page.click("#run-replay");
    await expect.poll(() => page.locator("#board .first, #board .second").count()).toBe(9);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator("main > #run").waitFor();
    await screenshot(page, "run-phone");
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });
});
