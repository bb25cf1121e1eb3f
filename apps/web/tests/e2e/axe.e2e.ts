/** What axe-core finds wrong with the page for people who see, hear or move in another way: nothing, in any state. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { ASSUMED, packZip, tiny, withManifest } from "../bundle/tiny";
import type { Visit } from "./browser";
import { asZip, pick } from "./giving";
import { BOARDS, beginNew, choose, inBrowser, openBundle, waitForNetwork } from "./person";
import { analyse, beginGame, blunder, openHalfLoaded, openWithoutIndex, startThought, winGame } from "./states";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every violation by its rule, with what breaks it. */
async function violations(page: Page): Promise<string[]> {
  // The page's own policy lets no other script in; the browser's tools may.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  });
}

const COLOURS: readonly (readonly [string, Visit])[] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
];

inBrowser("axe", ({ browser, visit }) => {
  it("would find a mistake", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await page.evaluate(() => document.getElementById("undo")?.replaceChildren());
      expect((await violations(page)).map((each) => each.split(":")[0])).toEqual(["button-name"]);
    });
  });

  it.each(COLOURS)("finds nothing where the games are chosen from, in %s colours", async (_, how) => {
    await visit(
      async ({ page }) => {
        await page.locator(".game-card").first().waitFor();
        expect(await violations(page)).toEqual([]);
      },
      { ...how, isHome: true },
    );
  });

  it.each(COLOURS)("finds nothing in the list and on the boards, in %s colours", async (_, how) => {
    await visit(async ({ page }) => {
      for (const game of Object.keys(BOARDS)) {
        await beginGame(page, game);
        expect(await violations(page), game).toEqual([]);
      }
      await page.click("#hint");
      await page.locator("#candidates:visible").waitFor();
      expect(await violations(page), "hint").toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await violations(page), "phone").toEqual([]);
    }, how);
  });

  it.each(COLOURS)("finds nothing while the network thinks or plays itself, in %s colours", async (_, how) => {
    await visit(async ({ page }) => {
      await startThought(page);
      expect(await violations(page)).toEqual([]);
      await openBundle(page, "connect4", "policy");
      await choose(page, "begins", "watch");
      await beginNew(page);
      await page.locator("#watch:visible").waitFor();
      expect(await violations(page), "watched").toEqual([]);
    }, how);
  });

  it.each(COLOURS)("finds nothing in the choice of two networks, and at their tally, in %s colours", async (_, how) => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await page.click("#new");
      await choose(page, "begins", "watch");
      await page.locator("#series-choice:visible").waitFor();
      await choose(page, "series-count", "2");
      expect(await violations(page), "sheet").toEqual([]);
      await page.click("#new-play");
      await page.locator("#series:visible").waitFor();
      expect(await violations(page), "series").toEqual([]);
      await choose(page, "pace", "fast");
      await page.locator("#series-about:visible").waitFor();
      expect(await violations(page), "tally").toEqual([]);
    }, how);
  });

  it.each(COLOURS)("finds nothing at a result, and in its review, in %s colours", async (_, how) => {
    await visit(async ({ page }) => {
      await winGame(page);
      expect(await violations(page), "result").toEqual([]);
      await beginGame(page, "connect4");
      expect(await violations(page), "a finished game in the list").toEqual([]);
      await page.click("#mode-replay");
      await choose(page, "analysis-simulations", "50");
      await page.click("#analyse");
      await page.locator("#verdicts:visible").waitFor();
      await page.locator("#analysis-stop").waitFor({ state: "hidden" });
      expect(await violations(page), "review").toEqual([]);
    }, how);
  });

  it.each(COLOURS)("finds nothing in the library, the sheet and behind the gear, in %s colours", async (_, how) => {
    await visit(async ({ page }) => {
      await winGame(page);
      await page.click("#new");
      expect(await violations(page), "sheet").toEqual([]);
      await page.click("#new-cancel");
      await page.click("#gear");
      expect(await violations(page), "gear").toEqual([]);
      await page.keyboard.press("Escape");
      await page.click("#to-library");
      await page.locator("#library-list svg").waitFor();
      expect(await violations(page), "library").toEqual([]);
      await page.locator(".delete").click();
      expect(await violations(page), "deleted").toEqual([]);
    }, how);
  });

  it.each(COLOURS)(
    "finds nothing where two people begin, and where a position is set up, in %s colours",
    async (_, how) => {
      await visit(
        async ({ page }) => {
          await page.locator('.quiet[aria-label="Two people: Go"]').click();
          await page.locator("#people-choice:visible").waitFor();
          expect(await violations(page), "sheet").toEqual([]);
          await page.keyboard.press("Escape");
          for (const game of ["go", "connect4"]) {
            await page.goto(`${new URL(page.url()).origin}/#/set-up/${game}`);
            await page.locator(`#setup-board ${BOARDS[game]}`).first().click();
            expect(await violations(page), game).toEqual([]);
          }
          await page.setViewportSize({ width: 390, height: 844 });
          expect(await violations(page), "phone").toEqual([]);
        },
        { ...how, isHome: true },
      );
    },
  );

  it.each(COLOURS)("finds nothing at the puzzles, and at one on the board, in %s colours", async (_, how) => {
    await visit(async ({ page }) => {
      await blunder(page);
      await analyse(page);
      await page.goto(`${new URL(page.url()).origin}/#/puzzles`);
      await page.locator("#puzzles .primary").waitFor();
      expect(await violations(page), "puzzles").toEqual([]);
      await page.click("#puzzles .primary");
      await page.locator("#puzzle-next:visible").waitFor();
      expect(await violations(page), "puzzle").toEqual([]);
    }, how);
  });

  it.each(COLOURS)(
    "finds nothing where a reading is assumed, and in the choice of another, in %s colours",
    async (_, how) => {
      await visit(async ({ page }) => {
        await openBundle(page, "tictactoe", "policy");
        await pick(page, "file", asZip(packZip(withManifest(tiny(), { assumed: ASSUMED }))));
        await page.locator("#doubt:visible").waitFor();
        await waitForNetwork(page);
        expect(await violations(page), "line").toEqual([]);
        await page.click("#doubt-ask");
        expect(await violations(page), "sheet").toEqual([]);
      }, how);
    },
  );

  it.each(COLOURS)(
    "finds nothing in a dialog, while a network comes, and where none does, in %s colours",
    async (_, how) => {
      await visit(async ({ page }) => {
        await openBundle(page, "tictactoe", "policy");
        await waitForNetwork(page);
        await page.click("#open-game");
        expect(await violations(page), "dialog").toEqual([]);
      }, how);
      for (const [name, state] of Object.entries({ loading: openHalfLoaded, failed: openWithoutIndex })) {
        const page = await state(browser(), how);
        expect(await violations(page), name).toEqual([]);
        await page.context().close();
      }
    },
  );
});
