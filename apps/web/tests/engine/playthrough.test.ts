import { describe, expect, it } from "vitest";
import { begin } from "../../src/engine/Game";
import { GAMES } from "../../src/engine/known/Catalogue";
import { byName } from "../../src/engine/known/Recognition";
import { board, fixture, legal, NAMES, withoutReason } from "./fixtures";

it("plays every game that has fixtures, and has fixtures for every game that it plays", () => {
  expect([...GAMES.keys()].sort()).toEqual(NAMES);
  expect(NAMES.length).toBeGreaterThan(0);
});

describe.each(NAMES)("%s", (name) => {
  const { games } = fixture(name, "playthrough");

  it.each(games.map((played, at) => ({ ...played, at })))("plays game $at, $about, as it was written", (played) => {
    let state = begin(byName(name), played.settings);
    for (const [ply, { action, legal: expected, board: drawn }] of played.plies.entries()) {
      const seen = [ply, legal(state), withoutReason(state), board(state), state.isTerminal];
      expect(seen).toEqual([ply, expected, expected, drawn, false]);
      state = state.apply(action);
      expect(state.lastAction).toBe(action);
    }
    expect([board(state), state.isTerminal, state.returns() + 0]).toEqual([
      played.end.board,
      played.end.is_terminal,
      played.end.returns,
    ]);
  });

  it("has games to be played through", () => {
    expect(games.length).toBeGreaterThan(0);
  });
});
