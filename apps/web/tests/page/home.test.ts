/** The pictures that stand for the games: each is of a game that goes on, played by the rules to its last move. */

import { expect, it } from "vitest";
import { begin } from "../../src/engine/Game";
import { GAMES } from "../../src/engine/known/Catalogue";
import { MOVES, positionFor } from "../../src/page/home/Positions";

it.each([...GAMES.keys()])("%s has a position of its own, in which nobody has won yet", (name) => {
  const game = GAMES.get(name);
  if (!game) throw new Error(name);
  const start = begin(game, game.settingsOf(game.encoding.board));
  const state = positionFor(name, start);
  const moves = MOVES[name]?.split(" ") ?? [];
  expect(moves.length).toBeGreaterThan(4);
  expect(state.isTerminal).toBe(false);
  expect(start.label(state.lastAction ?? -1)).toMatch(new RegExp(`^(${moves.at(-1)}|pass)$`));
});
