/** The listings of docs/in-your-app.md in Chromium: the network alone in TF.js, and azx-play as it is packed. */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { BUNDLE, install, listings, START, whyNot as whyNoBundle } from "../play/packed";
import { bench, whyNot } from "./browser";
import { type Site, serve } from "./server";

const PROGRAMS = { alone: listings("js")[0] ?? "", player: listings("ts")[0] ?? "" };

/** A site with a page for each program, as a bundler makes it, beside the bundle's files. */
async function siteOfPrograms(): Promise<Site> {
  const folder = install("play-in-chromium", { types: false });
  for (const [name, code] of Object.entries(PROGRAMS)) {
    writeFileSync(`${folder}/${name}.ts`, code);
    writeFileSync(
      `${folder}/${name}.html`,
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./${name}.ts"></script>`,
    );
  }
  const input = Object.keys(PROGRAMS).map((name) => `${folder}/${name}.html`);
  await build({
    root: folder,
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: { outDir: `${folder}/site`, target: "es2022", rolldownOptions: { input } },
  });
  return serve(undefined, new Map([...filesBelow(`${folder}/site`), ...filesBelow(BUNDLE, "bundles/connect4/")]));
}

function filesBelow(folder: string, before = ""): (readonly [string, Buffer])[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => statSync(`${folder}/${path}`).isFile())
    .map((path) => [before + path, readFileSync(`${folder}/${path}`)] as const);
}

describe.skipIf(whyNot() !== null || whyNoBundle() !== null)("in a browser", () => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOfPrograms();
  });
  afterAll(() => site.close());

  /** What a program writes to its console, once there are so many lines. */
  async function linesOf(program: keyof typeof PROGRAMS, count: number): Promise<readonly string[]> {
    const { browser } = await bench();
    const page = await browser.newPage();
    const lines: string[] = [];
    page.on("console", (message) => lines.push(message.text()));
    page.on("pageerror", (error) => lines.push(String(error)));
    await page.goto(`${site.url}${program}.html`);
    await expect
      .poll(() => lines.length, { timeout: 300_000, message: "lines on the console" })
      .toBeGreaterThanOrEqual(count);
    await page.close();
    return lines;
  }

  it("the network alone answers as the original does", async () => {
    const [line = ""] = await linesOf("alone", 1);
    const [shapes = "", value] = line.split(/ (?=[^ ]+$)/);
    expect(shapes).toBe("[1, 1] [1, 42]");
    expect(Math.abs(Number(value) - START)).toBeLessThan(1e-4);
  });

  it("azx-play opens the bundle and plays", async () => {
    const [value = "", plays] = await linesOf("player", 2);
    expect(Math.abs(Number(value.split(" ")[1]) - START)).toBeLessThan(1e-4);
    expect(plays).toMatch(/^plays 3 with \d+ visits$/);
  });
});
