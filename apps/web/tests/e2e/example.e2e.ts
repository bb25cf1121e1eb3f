/** examples/web: the page that people copy, built with azx-play as it is packed, and played. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { BUNDLE, install, whyNot } from "../play/packed";
import { visit } from "./browser";
import { inBrowser } from "./person";
import { serve } from "./server";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLE = here("../../../../examples/web");

/** The files of the built example, as a server's, in place of the app's own. */
function built(): ReadonlyMap<string, Buffer> {
  const folder = install("example", { types: false });
  cpSync(EXAMPLE, folder, {
    recursive: true,
    filter: (path) => !/node_modules|public|dist/.test(path.slice(EXAMPLE.length)),
  });
  mkdirSync(`${folder}/public/bundles`, { recursive: true });
  symlinkSync(BUNDLE, `${folder}/public/bundles/connect4`);
  const vite = here("../../node_modules/.bin/vite");
  execFileSync(vite, ["build", "--base", "./", "--logLevel", "error"], { cwd: folder });
  const dist = `${folder}/dist/`;
  const paths = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = paths.map((entry) => `${entry.parentPath}/${entry.name}`.slice(dist.length).replace(/^\/+/, ""));
  return new Map(names.map((name) => [name, readFileSync(dist + name)]));
}

it("examples/web is a page of 120 lines at most", () => {
  const lines = ["index.html", "main.js"].flatMap((name) =>
    readFileSync(`${EXAMPLE}/${name}`, "utf8").trimEnd().split("\n"),
  );
  expect(lines.length).toBeLessThanOrEqual(120);
});

inBrowser("examples/web", ({ browser }) => {
  it.skipIf(whyNot() !== null)("plays: a person's disc, and the network's", async () => {
    // As a usual host sends it: TF.js's threads, which need more, are not there.
    const own = await serve(undefined, built(), {
      "Content-Security-Policy":
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:",
      "Cross-Origin-Opener-Policy": "unsafe-none",
      "Cross-Origin-Embedder-Policy": "unsafe-none",
    });
    const { page, context, complaints } = await visit(browser(), `${own.url}#`);
    await page.locator("#status", { hasText: "Your turn" }).waitFor({ timeout: 60_000 });
    await page.locator("#board button").nth(3).click();
    await page.locator("#board .yellow").waitFor();
    expect(await page.locator("#board .red").count()).toBe(1);
    // The lowest cell of the column is number 38.
    expect(await page.locator("#board button").nth(38).getAttribute("aria-label")).toBe("Column 4, red");
    await page.click("#again");
    expect(await page.locator("#board :is(.red, .yellow)").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
    await own.close();
  });
});
