/** All games are in the library: nothing that was played or opened is lost, in whatever order and tab it was done. */

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot } from "./browser";
import {
  beginNew,
  click,
  countPieces,
  inBrowser,
  openBundle,
  place,
  statusOf,
  stored,
  textOf,
  waitForTurn,
} from "./person";

const SGF =
  "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]EV[A cup]RE[B+R]RU[Japanese];B[ee]C[A good point];W[ec];B[cc](;W[ce])(;W[gg];B[gc]))";

const gameOf = (page: Page): string => new URL(page.url()).hash.replace("#/games/", "");
const cards = (page: Page): ReturnType<Page["locator"]> => page.locator("#library-list li");

async function showLibrary(page: Page): Promise<void> {
  await page.click("#to-library");
  await page.locator("#library:visible").waitFor();
  await page.locator("#library-count:not(:empty)").waitFor();
}

async function paste(page: Page, text: string): Promise<void> {
  await page.click("#open-game");
  await page.fill("#record-text", text);
  await page.click("#record-open");
  await page.locator("#record-opener[open]").waitFor({ state: "detached" });
}

/** Another tab with the game of this one, where it is a person's turn. */
async function otherTab(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator("#board .second").waitFor();
  await waitForTurn(other);
  return other;
}

async function beginConnect4(page: Page): Promise<string> {
  await openBundle(page, "connect4", "policy");
  await prescribe(page, [35]);
  await click(page, "connect4", [3]);
  await expect.poll(() => countPieces(page)).toBe(2);
  return gameOf(page);
}

inBrowser("the library", ({ visit }) => {
  it("has each game with an address of its own, through a new one, a record, Back and a reload", async () => {
    await visit(async ({ page }) => {
      const first = await beginConnect4(page);
      expect(first).toMatch(/^[0-9a-z]{16}$/);
      // Nothing is asked: the game stays where it is.
      await beginNew(page);
      await expect.poll(() => countPieces(page)).toBe(0);
      expect(await page.locator("dialog[open]").count()).toBe(0);
      await prescribe(page, [38]);
      await click(page, "connect4", [2]);
      const second = gameOf(page);
      expect(second).not.toBe(first);
      await paste(page, SGF);
      await page.locator("#replay:visible").waitFor();
      const third = gameOf(page);
      expect(await page.title()).toBe("Honinbo – Gennan, Go · azx");
      await page.goBack();
      await page.locator("#board .column").first().waitFor();
      await expect.poll(() => gameOf(page)).toBe(second);
      await page.goForward();
      await expect.poll(() => gameOf(page)).toBe(third);
      await page.locator("#replay:visible").waitFor();
      await page.reload();
      await page.locator("#replay:visible").waitFor();
      expect(gameOf(page)).toBe(third);
      expect((await stored(page)).map(({ game }) => game).sort()).toEqual(["connect4", "connect4", "go"]);
      await page.goto(`${page.url().split("#")[0]}#/games/${first}`);
      await page.locator("#board .column").first().waitFor();
      await expect.poll(() => countPieces(page)).toBe(2);
      await waitForTurn(page);
      await click(page, "connect4", [2]);
      await expect.poll(() => countPieces(page)).toBe(4);
      expect(gameOf(page)).toBe(first);
    });
  });

  it("loses no move where two tabs play the same game, and says so", async () => {
    await visit(async ({ page }) => {
      const id = await beginConnect4(page);
      const other = await otherTab(page);
      await prescribe(page, [36]);
      await click(page, "connect4", [0]);
      await expect.poll(async () => (await stored(page)).map(({ actions }) => actions.length)).toEqual([4]);
      await prescribe(other, [37]);
      await click(other, "connect4", [1]);
      await expect.poll(() => textOf(other, "alert")).toMatch(/^Another tab has continued this game/);
      await expect.poll(() => countPieces(other)).toBe(4);
      expect(gameOf(other)).not.toBe(id);
      expect(gameOf(page)).toBe(id);
      const thirds = (await stored(page)).map(({ actions }) => Number(actions[2]) % 7);
      expect(thirds.sort()).toEqual([0, 1]);
      // Both go on, each as its own.
      await prescribe(other, [30]);
      await click(other, "connect4", [4]);
      await expect.poll(async () => (await stored(page)).map(({ actions }) => actions.length).sort()).toEqual([4, 6]);
    });
  });

  it("loses no move to a tab that plays the same moves later", async () => {
    await visit(async ({ page }) => {
      const id = await beginConnect4(page);
      const other = await otherTab(page);
      await prescribe(page, [36, 37]);
      await click(page, "connect4", [0, 1]);
      await expect.poll(async () => (await stored(page)).map(({ actions }) => actions.length)).toEqual([6]);
      await prescribe(other, [36]);
      await click(other, "connect4", [0]);
      await expect.poll(() => textOf(other, "alert")).toMatch(/^Another tab has continued this game/);
      expect(gameOf(other)).not.toBe(id);
      const lengths = async (): Promise<number[]> => (await stored(page)).map(({ actions }) => actions.length);
      await expect.poll(async () => (await lengths()).sort()).toEqual([4, 6]);
    });
  });

  it("keeps a move of a page that is killed in the next moment", async () => {
    await visit(async ({ page, context, complaints }) => {
      await openBundle(page, "connect4", "seconds 10");
      await place(page, "connect4", 3).click();
      await page.evaluate(() => {
        // Nothing is written any more: as if the process had ended here.
        IDBObjectStore.prototype.put = () => {
          throw new Error("gone");
        };
      });
      const address = page.url();
      await page.close();
      // The page may have come to write before it was closed.
      expect(complaints.splice(0).filter((text) => !/\bgone\b/.test(text))).toEqual([]);
      const next = await context.newPage();
      await next.goto(address);
      await next.locator("#board .first").waitFor();
      expect(await countPieces(next)).toBeGreaterThan(0);
    });
  });

  it("has the games that an earlier version has kept", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await page.evaluate(() => {
        localStorage.setItem("azx game tictactoe", "azx game 1\nhuman 0\nsettings\nactions 4 0\nrates 1=0.5");
      });
      await page.goto(page.url().split("#")[0] ?? "");
      await page.reload();
      await page.locator(".game-card", { hasText: "Tic-tac-toe" }).getByText("Resume").click();
      await expect.poll(() => countPieces(page)).toBe(2);
      await expect.poll(() => page.evaluate(() => localStorage.getItem("azx game tictactoe"))).toBeNull();
      await expect.poll(async () => (await stored(page)).map(({ actions }) => actions)).toEqual([[4, 0]]);
    });
  });

  it("is searched, filtered, deleted from with undo, exported and imported", async () => {
    await visit(async ({ page }) => {
      await beginConnect4(page);
      await openBundle(page, "tictactoe", "policy");
      await prescribe(page, [3, 4]);
      await click(page, "tictactoe", [0, 1, 2]);
      await paste(page, SGF);
      await page.locator("#replay:visible").waitFor();
      await showLibrary(page);
      await expect.poll(() => page.title()).toBe("Library · azx");
      await expect.poll(() => cards(page).count()).toBe(3);
      await expect
        .poll(() => page.locator("#library-list strong").allInnerTexts())
        .toEqual(["Honinbo – Gennan", "You – AI", "You – AI"]);
      await expect.poll(() => page.locator(".standing").allInnerTexts()).toEqual(["B+R", "You won!", "Game under way"]);
      await expect.poll(() => page.locator("#library-list svg").count()).toBe(3);
      await screenshot(page, "library-desktop");
      await page.fill("#library-search", "honinbo cup");
      await expect.poll(() => textOf(page, "library-count")).toBe("1 game");
      await page.fill("#library-search", "nobody");
      await expect.poll(() => textOf(page, "library-count")).toBe("No game fits the search.");
      await page.fill("#library-search", "");
      await page.locator("#library-results button", { hasText: "Won" }).click();
      await expect.poll(() => cards(page).count()).toBe(1);
      await page.locator("#library-results button", { hasText: "All" }).click();
      await page.locator("#library-games button", { hasText: "Go" }).click();
      await expect.poll(() => cards(page).count()).toBe(1);
      await cards(page).locator(".delete").click();
      await expect.poll(() => textOf(page, "library-done")).toBe("Deleted: Honinbo – Gennan, Go.");
      await expect.poll(async () => (await stored(page)).length).toBe(2);
      await screenshot(page, "library-deleted");
      await page.click("#library-undo");
      await expect.poll(async () => (await stored(page)).length).toBe(3);
      await page.locator("#library-games button", { hasText: "All" }).click();
      await expect.poll(() => cards(page).count()).toBe(3);
      const saving = page.waitForEvent("download");
      await page.click("#library-export");
      const file = await saving;
      expect(file.suggestedFilename()).toMatch(/^azx-games-\d{4}-\d\d-\d\d\.zip$/);
      const buffer = readFileSync(await file.path());
      for (let left = 3; left > 0; left--) {
        await expect.poll(() => cards(page).count()).toBe(left);
        await page.locator(".delete").first().click();
      }
      await expect.poll(async () => (await stored(page)).length).toBe(0);
      await page.setInputFiles("#library-import", { name: "games.zip", mimeType: "application/zip", buffer });
      await expect.poll(() => textOf(page, "library-done")).toBe("3 games imported.");
      await expect.poll(() => cards(page).count()).toBe(3);
      await page.setViewportSize({ width: 390, height: 844 });
      await screenshot(page, "library-phone");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.locator("#library-list a", { hasText: "You won!" }).click();
      await page.locator("#library").waitFor({ state: "hidden" });
      await expect.poll(() => statusOf(page)).toBe("You won!");
      await page.goBack();
      await page.locator("#library:visible").waitFor();
    });
  });

  it("reads other people's game by their names, and goes on with it as a game of its own", async () => {
    await visit(async ({ page }) => {
      await page.locator("#status:visible").waitFor();
      await paste(page, SGF);
      await page.locator("#replay:visible").waitFor();
      const id = gameOf(page);
      await expect.poll(() => statusOf(page)).toBe("The winner is Honinbo");
      await expect.poll(() => page.locator("#players .who").allInnerTexts()).toEqual(["Honinbo", "Gennan"]);
      expect(await page.locator("#told").innerText()).toContain("Japanese");
      expect(await page.locator("#told").innerText()).toContain("6.5");
      await expect.poll(() => page.locator("#mode-play").isVisible()).toBe(false);
      await page.click("#back");
      await expect.poll(() => statusOf(page)).toBe("Gennan to move");
      await page.locator("#branches button", { hasText: "G3" }).click();
      await expect.poll(() => textOf(page, "ply-text")).toBe("Variation: 1 after move 3");
      await page.click("#forward");
      await expect.poll(() => textOf(page, "ply-text")).toBe("Variation: 2 after move 3");
      await screenshot(page, "record-variation");
      await page.click("#to-game");
      await page.click("#first");
      await page.click("#forward");
      await expect.poll(() => textOf(page, "comment")).toBe("A good point");
      await page.click("#play-from-here");
      await waitForTurn(page);
      await expect.poll(() => gameOf(page)).not.toBe(id);
      await expect.poll(() => page.locator("#players .who").allInnerTexts()).toEqual(["You", "AI"]);
      await page.goBack();
      await expect.poll(() => page.locator("#players .who").allInnerTexts()).toEqual(["Honinbo", "Gennan"]);
      await expect.poll(() => textOf(page, "ply-text")).toBe("Move 4 of 4");
      const saving = page.waitForEvent("download");
      await page.locator("#save-game").evaluate((button) => (button as HTMLButtonElement).click());
      expect(readFileSync(await (await saving).path(), "utf8")).toBe(
        "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[6.5]RU[Japanese]PB[Honinbo]PW[Gennan]RE[B+R]EV[A cup];B[ee]C[A good point];W[ec];B[cc]\n" +
          "(;W[ce])\n(;W[gg];B[gc]))\n",
      );
    });
  });

  it("shows each line of Dots and Boxes at its place in the small picture", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${page.url().split("#")[0]}#dots_and_boxes/moves=0.5.12.15.20`);
      await page.locator("#replay:visible").waitFor();
      await showLibrary(page);
      const edges = cards(page).locator(".picture .edges");
      // Each in the colour of who has drawn it.
      const drawn = (): Promise<(string | null)[]> =>
        edges.evaluateAll((paths) => paths.map((path) => `${path.getAttribute("class")} ${path.getAttribute("d")}`));
      await expect.poll(drawn).toEqual(["edges blue M0 0h1M0 0v1M0 2v1", "edges orange M2 1h1M3 0v1"]);
    });
  });

  it("shows a record that no network here plays", async () => {
    await visit(async ({ page }) => {
      await page.locator("#status:visible").waitFor();
      await paste(page, "(;GM[1]SZ[19]PB[A]PW[B];B[pd];W[dd])");
      await page.locator("#replay:visible").waitFor();
      await expect.poll(() => countPieces(page)).toBe(2);
      await expect.poll(() => textOf(page, "alert")).toBe("No network here plays Go on the board of this record.");
      await expect.poll(() => page.locator("#new").isVisible()).toBe(false);
      await page.click("#bundle-tictactoe");
      await page.locator("#board .cell").nth(8).waitFor();
      await expect.poll(() => page.locator("#new").isVisible()).toBe(true);
    });
  });

  it.each([
    [
      "forbids its database",
      (): void => {
        Object.defineProperty(globalThis, "indexedDB", {
          get: () => {
            throw new DOMException("not here", "SecurityError");
          },
        });
      },
    ],
    [
      "has a database that opens and then never answers",
      (): void => {
        IDBTransaction.prototype.addEventListener = () => undefined;
      },
    ],
  ])("says once that nothing is stored where the browser %s, and the game goes on", async (_, spoil) => {
    await visit(async ({ page }) => {
      await page.addInitScript(spoil);
      await page.reload();
      await beginConnect4(page);
      await expect.poll(() => textOf(page, "alert")).toMatch(/^This browser stores nothing for this page/);
      await prescribe(page, [36]);
      await click(page, "connect4", [2]);
      await expect.poll(() => countPieces(page)).toBe(4);
      await showLibrary(page);
      await expect.poll(() => cards(page).count()).toBe(1);
    });
  });
});
