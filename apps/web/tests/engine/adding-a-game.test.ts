/** A tiny game that is added to the engine alone; tests/e2e/adding-a-game.e2e.ts draws it. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Uniform } from "../../src/engine/Evaluator";
import { begin, type Game } from "../../src/engine/Game";
import { GAMES } from "../../src/engine/known/Catalogue";
import { byName, fromManifest } from "../../src/engine/known/Recognition";
import { lineOf } from "../../src/engine/records/Writing";
import { Search } from "../../src/engine/Search";
import type { State } from "../../src/engine/State";
import { newIdentity, readGameRecord, recordOf, type Side, sessionOf } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { readGame } from "../../src/page/records/RecordGame";
import { ROW } from "./Row";

const stateAfter = (...moves: readonly number[]): State =>
  moves.reduce((state: State, move) => state.apply(move), begin(ROW));

async function best(state: State): Promise<number> {
  const search = new Search(state, new Uniform());
  await search.run(100);
  return search.bestAction();
}

/** A game in which the search moves for both sides. */
async function played(): Promise<sessions.Session> {
  let session = sessions.beginSession(begin(ROW), sessions.NOBODY);
  while (sessions.phase(session) !== "over") session = sessions.playMove(session, await best(sessions.latest(session)));
  return session;
}

describe("a tiny game that is added", () => {
  // The catalogue is for reading alone: nothing adds a game to it while the page runs.
  const games = GAMES as Map<string, Game>;
  beforeAll(() => {
    games.set("row", ROW);
  });
  afterAll(() => {
    games.delete("row");
  });

  it("is found by its name, and by a manifest whose network reads it", () => {
    expect(byName("row")).toBe(ROW);
    expect(() => byName("rows")).toThrow(/game 'rows' is unknown: .*, row\.$/);
    const encoding = { layout: "channels_first", board: [1, 8], planes: ["mover", "opponent"] };
    const reading = fromManifest({ game: "row", encoding, actions: "cell" }, 8);
    expect([reading.settings, reading.numbering?.name]).toEqual([{ size: 8 }, "cell"]);
    const state = reading.start().apply(2);
    expect([...reading.tensor(state)]).toEqual([...new Array<number>(10).fill(0), 1, 0, 0, 0, 0, 0]);
  });

  it("is searched: a win in one is found, and the other side's is stopped", async () => {
    expect([1, 4]).toContain(await best(stateAfter(2, 0, 3, 5)));
    expect(await best(stateAfter(0, 5, 1))).toBe(2);
  });

  it("is played to its end, and is the same game from its line of moves and from its record", async () => {
    const session = await played();
    const moves = sessions.actions(session);
    expect(sessions.latest(session).isTerminal).toBe(true);
    expect(() => sessions.latest(session).apply(0)).toThrow("row: action 0 is illegal here, the game is over.");

    const [first, ...others] = session.states;
    if (!first) throw new Error("no first position");
    const line = lineOf({ game: ROW, settings: {}, states: [first, ...others] });
    expect(line).toBe(`row size=6: ${moves.join(" ")}\n`);
    expect(sessions.actions(readGame(line, null, "opened").session)).toEqual(moves);

    const side: Side = { kind: "network", name: "Row", level: "level 8" };
    const around = { game: "row", settings: {}, bundle: null, players: [side, side] as const };
    const record = recordOf(session, newIdentity("watched"), around);
    const back = readGameRecord(JSON.parse(JSON.stringify(record)));
    expect(back).toEqual(record);
    const again = back && sessionOf(back);
    expect(again && sessions.actions(again)).toEqual(moves);
    expect(record.over).toBe(true);
  });
});
