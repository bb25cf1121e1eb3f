/** A tiny game that is added to the page: its board is drawn, clicked and spoken (docs/adding-a-game.md). */

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";

import { screenshot, visit } from "./browser";
import { inBrowser } from "./person";
import { type Site, serve } from "./server";

const PAGE = fileURLToPath(new URL("row/page.ts", import.meta.url));
const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Row</title>
<link rel="stylesheet" href="row.css"><link rel="icon" href="icon.svg"></head>
<body><script type="module" src="row.js"></script></body></html>`;

/** The files of the tiny game's page, by their names. */
async function pageOfRow(): Promise<ReadonlyMap<string, Buffer>> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: PAGE, formats: ["es"], fileName: () => "row.js", cssFileName: "row" },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : "output" in built ? built.output : [];
  const files = outputs.map((each) => [each.fileName, "code" in each ? each.code : each.source] as const);
  return new Map([["row.html", HTML] as const, ...files].map(([name, text]) => [name, Buffer.from(text)]));
}

const labels = (page: Page): Promise<readonly (string | null)[]> =>
  page.locator(".row .cell").evaluateAll((cells) => cells.map((each) => each.getAttribute("aria-label")));

const text = (page: Page, id: string): Promise<string | null> => page.locator(`#${id}`).textContent();

inBrowser("a tiny game that is added to the page", (bench) => {
  let site: Site;
  beforeAll(async () => {
    site = await serve(undefined, await pageOfRow());
  });
  afterAll(() => site.close());

  it("is drawn, clicked, walked over by arrow keys, spoken, and small in the list of games", async () => {
    const { page, complaints, context } = await visit(bench.browser(), `${site.url}row.html#`);
    const cells = page.locator(".row .cell");
    expect(await page.locator(".row").getAttribute("aria-label")).toBe("Three in a row");
    expect(await labels(page)).toEqual([1, 2, 3, 4, 5, 6].map((at) => `Row 1, column ${at}, empty`));
    expect(await text(page, "status")).toBe("Tap the cell for your move");

    await cells.nth(3).click();
    expect((await labels(page)).slice(0, 4)).toEqual([
      "Row 1, column 1, blue, last move",
      "Row 1, column 2, empty",
      "Row 1, column 3, empty",
      "Row 1, column 4, red",
    ]);
    expect(await text(page, "moves")).toBe("red, Row 1, column 4. blue, Row 1, column 1. ");
    expect(await cells.nth(3).getAttribute("aria-disabled")).toBe("true");
    await cells.nth(0).click({ force: true });
    expect(await text(page, "status")).toBe("Not possible: that place is occupied.");

    await cells.nth(3).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await screenshot(page, "row");
    expect((await labels(page))[4]).toBe("Row 1, column 5, red");
    await cells.nth(5).click();
    expect(await text(page, "status")).toBe("You won!");
    expect(await cells.locator("xpath=self::*[@aria-disabled='false']").count()).toBe(0);
    const drawn = page.locator("#picture .piece");
    expect(
      await drawn.evaluateAll((paths) => paths.map((each) => (each.getAttribute("d") ?? "").split("M").length - 1)),
    ).toEqual([3, 2]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
