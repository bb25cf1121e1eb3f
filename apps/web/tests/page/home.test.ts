/** The pictures that stand for the games: each is of a game that goes on, played by the rules to its last move. */

import { expect, it } from "vitest";
import { begin } from "../../src/engine/Game";
import { GAMES } from "../../src/engine/known/Catalogue";
import { moversIn } from "../../src/page/game/Session";
import { MOVES, positionsFor } from "../../src/page/home/Positions";

it.each([...GAMES.keys()])("%s has a position of its own, in which nobody has won yet", (name) => {
  const game = GAMES.get(name);
  if (!game) throw new Error(name);
  const start = begin(game, game.settingsOf(game.encoding.board));
  const states = positionsFor(name, start);
  const state = states.at(-1) ?? start;
  const moves = MOVES[name]?.split(" ") ?? [];
  expect(moves.length).toBeGreaterThan(4);
  expect(state.isTerminal).toBe(false);
  // Each line has an owner, in whose colour it is drawn.
  const drawn = states.slice(1).map(({ lastAction }) => lastAction);
  expect([...moversIn(states).keys()]).toEqual([...new Set(drawn)]);
  expect(start.label(state.lastAction ?? -1)).toMatch(new RegExp(`^(${moves.at(-1)}|pass)$`));
});
