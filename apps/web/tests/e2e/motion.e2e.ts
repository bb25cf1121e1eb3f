/** Pieces that come into sight: a disc falls, any other grows in its place, and nothing moves for who wants no motion. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, type Visit } from "./browser";
import { BOARDS, click, inBrowser, openBundle, waitForTurn } from "./person";

/** A move of the person and the network's answer, by place and by action; and what moves once for each. */
const GAMES: Readonly<Record<string, readonly [number, number, readonly string[]]>> = {
  connect4: [3, 37, ["drop::before", "land::after"]],
  tictactoe: [4, 0, ["grow"]],
  dots_and_boxes: [0, 23, ["grow::before"]],
  gomoku: [112, 96, ["grow", "land::after"]],
  go: [40, 30, ["grow", "land::after"]],
  hex: [24, 16, ["grow", "land::after"]],
};
const SECONDS: Readonly<Record<string, string>> = { drop: "0.45s", grow: "0.2s" };

/** Runs in the page, before its scripts: notes what begins to move on the board, with how long it takes. */
function noteMotions(): void {
  const motions: string[] = [];
  Object.assign(globalThis, { motions });
  document.addEventListener("animationstart", ({ target, animationName, pseudoElement }) => {
    const moved = target as Element;
    const { animationDuration } = getComputedStyle(moved, pseudoElement || null);
    if (moved.closest("#board")) motions.push(`${animationName}${pseudoElement} ${animationDuration}`);
  });
}

const motionsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { motions: string[] }).motions);

const forgetMotions = (page: Page): Promise<unknown> =>
  page.evaluate(() => (globalThis as unknown as { motions: string[] }).motions.splice(0));

/** How often each has begun, by its name; each takes as long as it should. */
async function begun(page: Page): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [name = "", seconds = ""] of (await motionsOf(page)).map((each) => each.split(" "))) {
    expect(seconds, name).toBe(SECONDS[name.split("::")[0] ?? ""] ?? seconds);
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

async function watchMoves(page: Page, game: string): Promise<void> {
  const [own, theirs] = GAMES[game] ?? [0, 0];
  await page.addInitScript(noteMotions);
  await page.reload();
  await openBundle(page, game, "policy");
  await forgetMotions(page);
  await prescribe(page, [theirs]);
  await click(page, game, [own]);
  await page.waitForTimeout(600);
}

inBrowser("a piece", ({ visit }) => {
  const STILL: Visit = { reducedMotion: "reduce" };

  it.each(Object.keys(GAMES))("of %s is seen to come, and a game that is there again stands still", async (game) => {
    await visit(async ({ page }) => {
      await watchMoves(page, game);
      const [, , motions = []] = GAMES[game] ?? [];
      const { "land::after": marks = 0, ...pieces } = await begun(page);
      expect(pieces).toEqual(
        Object.fromEntries(motions.filter((each) => each !== "land::after").map((each) => [each, 2])),
      );
      // A stone that is not the last one any more has no mark.
      expect(marks > 0).toBe(motions.includes("land::after"));
      await forgetMotions(page);
      await page.click("#undo");
      await waitForTurn(page);
      await page.waitForTimeout(100);
      expect(await motionsOf(page)).toEqual([]);
      await prescribe(page, [GAMES[game]?.[1] ?? 0]);
      await click(page, game, [GAMES[game]?.[0] ?? 0]);
      await page.reload();
      await page.locator(`#board ${BOARDS[game]}`).first().waitFor();
      await page.waitForTimeout(100);
      expect(await motionsOf(page)).toEqual([]);
    });
  });

  it("is there at once where the system is asked for less motion", async () => {
    for (const game of ["connect4", "tictactoe", "dots_and_boxes", "go", "hex"]) {
      await visit(async ({ page }) => {
        await watchMoves(page, game);
        expect(await motionsOf(page), game).toEqual([]);
      }, STILL);
    }
  });
});
