/** A game is there again, wherever a person was in between. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { noteQuestions, prescribe, screenshot } from "./browser";
import {
  beginNew,
  choose,
  click,
  inBrowser,
  openBundle,
  place,
  statusOf,
  textOf,
  waitForNetwork,
  waitForTurn,
} from "./person";

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** How many pieces of each player are on the board. */
async function pieces(page: Page): Promise<readonly number[]> {
  return [await page.locator("#board .first").count(), await page.locator("#board .second").count()];
}

/** A game of Connect4 in which both have moved once. */
async function beginGame(page: Page): Promise<void> {
  await openBundle(page, "connect4", "policy");
  await prescribe(page, [35]);
  await click(page, "connect4", [3]);
  await expect.poll(() => pieces(page)).toEqual([1, 1]);
}

const isAsked = (page: Page): Promise<boolean> => page.locator("#question").isVisible();

inBrowser("a game", ({ visit }) => {
  it("is still there after another one, and when the page is loaded again", async () => {
    await visit(async ({ page }) => {
      await beginGame(page);
      const chances = await textOf(page, "chances");
      await openBundle(page, "tictactoe", "policy");
      await page.click("#bundle-connect4");
      await page.locator("#board .column").first().waitFor();
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
      await page.reload();
      await page.locator("#board .column").first().waitFor();
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
      await waitForNetwork(page);
      await waitForTurn(page);
      await expect.poll(() => textOf(page, "chances")).toBe(chances);
      await expect.poll(() => page.locator("#players .what").first().innerText()).toBe("red");
      // It goes on.
      await click(page, "connect4", [2]);
      await expect.poll(() => page.locator("#board .second").count()).toBe(2);
    });
  });

  it("goes on with the AI's move that it was left before", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "seconds 10");
      await place(page, "connect4", 3).click();
      await page.locator('#status[data-phase="theirs"]').waitFor();
      await choose(page, "strength", "policy");
      await page.reload();
      await page.locator("#board .second").waitFor();
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
    });
  });

  it("goes on on another backend", async () => {
    await visit(async ({ page }) => {
      await beginGame(page);
      await choose(page, "backend", "cpu");
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
      await page.locator("#about", { hasText: "on cpu int8." }).waitFor({ state: "attached" });
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
      await click(page, "connect4", [2]);
      await expect.poll(() => page.locator("#board .second").count()).toBe(2);
    });
  });

  it.each(Object.entries(SIZES))(
    "that was left under way is one to resume in the list, on a %s",
    async (size, viewport) => {
      await visit(
        async ({ page }) => {
          await beginGame(page);
          await expect.poll(() => page.locator("#bundles .resume").count()).toBe(0);
          await openBundle(page, "go", "policy");
          const button = page.locator("#bundle-connect4");
          await expect.poll(() => button.locator(".resume").textContent()).toBe("Resume");
          // What is seen is what it is called: one may say it to press it.
          await expect
            .poll(async () => [await button.innerText(), await button.getAttribute("title")])
            .toEqual(["Connect4\nResume", "Game under way"]);
          await expect.poll(() => button.getAttribute("aria-label")).toBeNull();
          await expect.poll(() => page.locator("#bundles .resume").count()).toBe(1);
          await screenshot(page, `resume-${size}`);
          await page.reload();
          await page.locator("#bundles .resume").waitFor();
          await button.click();
          await expect.poll(() => page.locator("#bundles .resume").count()).toBe(0);
          await expect.poll(() => pieces(page)).toEqual([1, 1]);
        },
        { viewport },
      );
    },
  );

  it.each(Object.entries(SIZES))(
    "stays where another is begun beside it, which nobody is asked about, on a %s",
    async (_, viewport) => {
      await visit(
        async ({ page }) => {
          await beginGame(page);
          const address = page.url();
          await beginNew(page);
          await page.locator("#board .first").waitFor({ state: "detached" });
          await expect.poll(async () => [await isAsked(page), ...(await pieces(page))]).toEqual([false, 0, 0]);
          await page.reload();
          await page.locator("#board .column").first().waitFor();
          await expect.poll(() => pieces(page)).toEqual([0, 0]);
          await page.goBack();
          await page.locator("#board .second").waitFor();
          await expect.poll(() => pieces(page)).toEqual([1, 1]);
          expect(page.url()).toBe(address);
        },
        { viewport },
      );
    },
  );

  it("stays where one by another rule is begun", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      await beginNew(page, true);
      await click(page, "gomoku", [112]);
      const renju = page.url();
      await beginNew(page, false);
      await page.locator("#board .second").waitFor({ state: "detached" });
      await expect.poll(() => page.locator("#rule").isChecked()).toBe(false);
      await page.goBack();
      await page.locator("#board .second").waitFor();
      expect(page.url()).toBe(renju);
      await expect.poll(() => page.locator("#rule").isChecked()).toBe(true);
      // It is one of Renju after another game, too.
      await openBundle(page, "tictactoe", "policy");
      await page.reload();
      await page.click("#bundle-gomoku");
      await page.locator("#board .second").waitFor();
      await expect.poll(() => page.locator("#rule").isChecked()).toBe(true);
    });
  });

  it("that is over is not asked about", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await prescribe(page, [3, 4]);
      await click(page, "tictactoe", [0, 1, 2]);
      await expect.poll(() => statusOf(page)).toBe("You won!");
      await beginNew(page);
      await expect.poll(() => isAsked(page)).toBe(false);
      await expect.poll(() => pieces(page)).toEqual([0, 0]);
    });
  });

  it("that an earlier version has kept is not believed where the rules forbid it", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      const home = page.url().split("#")[0] ?? "";
      for (const bad of ["actions 3 3", "actions 99", "action"]) {
        await page.evaluate(
          (line) => localStorage.setItem("azx game connect4", `azx game 1\nhuman 0\nsettings\n${line}\nrates`),
          bad,
        );
        await page.goto(`${home}#connect4`);
        await page.reload();
        await page.locator("#board .column").first().waitFor();
        await expect.poll(() => page.locator("#board .first").count(), { message: bad }).toBe(0);
      }
      await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
    });
  });

  it("is played where the browser keeps nothing", async () => {
    await visit(async ({ page }) => {
      await page.addInitScript(() => {
        Object.defineProperty(globalThis, "localStorage", {
          get: () => {
            throw new DOMException("not here", "SecurityError");
          },
        });
      });
      await page.reload();
      await beginGame(page);
      await openBundle(page, "tictactoe", "policy");
      await page.click("#bundle-connect4");
      await page.locator("#board .column").first().waitFor();
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
    });
  });

  it("is not thought about while nobody watches, and anew when somebody does", async () => {
    await visit(async ({ page }) => {
      const questions = await noteQuestions(page);
      // Long enough that the page is hidden before the thought has ended by itself, on a busy machine too.
      await openBundle(page, "connect4", "seconds 10");
      await page.evaluate(() => {
        const global = globalThis as unknown as { hides: (isHidden: boolean) => void };
        global.hides = (isHidden) => {
          Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        };
      });
      const hide = (isHidden: boolean): Promise<void> =>
        page.evaluate((hidden) => (globalThis as unknown as { hides: (is: boolean) => void }).hides(hidden), isHidden);
      const thoughts = (kinds: readonly string[]): number => kinds.filter((kind) => kind === "think").length;
      // The game that the page begins with may be one in which the network begins, drawn by lot.
      const before = thoughts((await questions()).asked);
      await place(page, "connect4", 3).click();
      await hide(true);
      // The thought that was under way is stopped, and what it has found is not played.
      await expect.poll(async () => thoughts((await questions()).answered)).toBe(before + 1);
      expect(thoughts((await questions()).asked)).toBe(before + 1);
      expect(await pieces(page)).toEqual([1, 0]);
      await choose(page, "strength", "seconds 1");
      await hide(false);
      await page.locator("#board .second").waitFor();
      await expect.poll(() => pieces(page)).toEqual([1, 1]);
    });
  });
});
