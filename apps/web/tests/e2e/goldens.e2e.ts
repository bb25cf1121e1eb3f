/** The page looks as its pictures in tests/goldens: boards, screens and colours, and what is between games. */

import { expect, it } from "vitest";

import type { Visit } from "./browser";
import { inBrowser } from "./person";
import { difference, hold, TOLERANCE } from "./pictures";
import { beginGame, GAMES, openHalfLoaded, openWithoutIndex, winGame } from "./states";

type Look = Pick<Visit, "viewport" | "colorScheme" | "forcedColors" | "deviceScaleFactor">;

const PHONE: Look = { viewport: { width: 390, height: 844 } };
// Large pictures are kept at half their size.
const DESKTOP: Look = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 };

const LOOKS: Readonly<Record<string, Look>> = {
  "phone-light": { ...PHONE, colorScheme: "light" },
  "phone-dark": { ...PHONE, colorScheme: "dark" },
  "desktop-light": { ...DESKTOP, colorScheme: "light" },
  "desktop-dark": { ...DESKTOP, colorScheme: "dark" },
  "landscape-light": { viewport: { width: 844, height: 390 }, colorScheme: "light" },
  "board-forced": { ...PHONE, forcedColors: "active" },
};

/** For each game the place of one more stone. */
const MOVED: Readonly<Record<string, number>> = { connect4: 0, tictactoe: 8, dots_and_boxes: 10, gomoku: 20, go: 10 };

inBrowser("a picture", ({ browser, visit }) => {
  it.each(Object.entries(LOOKS))("of each board is as it was, on a %s", async (look, how) => {
    await visit(async ({ page }) => {
      for (const game of Object.keys(GAMES)) {
        await beginGame(page, game);
        await hold(page, `${game}-${look}`);
      }
    }, how);
  });

  it.each(["phone-light", "desktop-dark"])("of a result is as it was, on a %s", async (look) => {
    await visit(async ({ page }) => {
      await winGame(page);
      await hold(page, `result-${look}`);
    }, LOOKS[look]);
  });

  it.each(["phone-light", "phone-dark"])("of a network on its way, or none, is as it was, on a %s", async (look) => {
    for (const [name, state] of Object.entries({ loading: openHalfLoaded, failed: openWithoutIndex })) {
      const page = await state(browser(), LOOKS[look]);
      await hold(page, `${name}-${look}`);
      await page.context().close();
    }
  });

  it.each(["phone-light", "desktop-dark"])("is another one where a stone is moved, on a %s", async (look) => {
    await visit(async ({ page }) => {
      for (const [game, [own, theirs]] of Object.entries(GAMES)) {
        await beginGame(page, game, [[...own.slice(0, -1), MOVED[game] ?? 0], theirs]);
        const { board } = await difference(page, `${game}-${look}`);
        expect(board, game).toBeGreaterThan(3 * TOLERANCE.board);
      }
    }, LOOKS[look]);
  });
});
