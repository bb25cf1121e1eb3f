/** A tiny game, added by the engine's part of docs/adding-a-game.md and nothing else; Python's tests add the same one. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { GAMES } from "../../src/engine/Catalogue";
import type { Encoding } from "../../src/engine/Encoding";
import { Uniform } from "../../src/engine/Evaluator";
import { begin, type Game } from "../../src/engine/Game";
import { byName, fromManifest } from "../../src/engine/Recognition";
import { lineOf } from "../../src/engine/records/Writing";
import { Search } from "../../src/engine/Search";
import {
  illegal,
  ownerOf,
  type Player,
  type Refusal,
  refusal,
  refuseOutside,
  type State,
  unknownPlane,
} from "../../src/engine/State";
import { newIdentity, readGameRecord, recordOf, type Side, sessionOf } from "../../src/page/library/GameRecord";
import { readGame } from "../../src/page/records/Found";
import * as sessions from "../../src/page/Session";

const SIZES = [6, 8];

const encodingOf = (size: number): Encoding => ({
  layout: "channels_first",
  board: [1, size],
  planes: ["mover", "opponent"],
});

/** Three in a row on one row of cells. */
class Row implements State {
  constructor(
    private readonly cells: readonly (Player | null)[],
    readonly lastAction: number | null = null,
    private readonly winner: Player | null = null,
  ) {}

  get actions(): number {
    return this.cells.length;
  }

  get board(): readonly [number, number] {
    return [1, this.cells.length];
  }

  get encoding(): Encoding {
    return encodingOf(this.cells.length);
  }

  get toMove(): Player {
    return this.cells.filter((owner) => owner !== null).length % 2 === 0 ? 0 : 1;
  }

  get isTerminal(): boolean {
    return this.winner !== null || !this.cells.includes(null);
  }

  legalActions(): readonly number[] {
    return this.isTerminal ? [] : [...this.cells.keys()].filter((at) => this.cells[at] === null);
  }

  whyIllegal(action: number): Refusal | null {
    return refuseOutside(this, action) ?? (this.cells[action] === null ? null : refusal("occupied"));
  }

  apply(action: number): Row {
    if (this.whyIllegal(action)) throw illegal("row", action, this.legalActions());
    const { toMove } = this;
    const cells = this.cells.map((owner, at) => (at === action ? toMove : owner));
    const isRow = (first: number): boolean => [0, 1, 2].every((more) => cells[first + more] === toMove);
    return new Row(cells, action, [...cells.keys()].some(isRow) ? toMove : null);
  }

  returns(): number {
    return this.winner === null ? 0 : 1 - 2 * this.winner;
  }

  plane(name: string): Float32Array {
    if (name !== "mover" && name !== "opponent") throw unknownPlane("row", name, ["mover", "opponent"]);
    const owner = name === "mover" ? this.toMove : ownerOf("opponent", this.toMove);
    return Float32Array.from(this.cells, (each) => (each === owner ? 1 : 0));
  }

  encode(): Float32Array {
    return Float32Array.from([...this.plane("mover"), ...this.plane("opponent")]);
  }

  label(action: number): string {
    return String(action);
  }
}

const ROW: Game = {
  name: "row",
  title: "Three in a row",
  settings: [{ name: "size", default: 6, choices: SIZES, about: "cells" }],
  encoding: encodingOf(6),
  settingsOf: ([rows, size = 0]) => (rows === 1 && SIZES.includes(size) ? { size } : {}),
  numberings: ({ actions }) => [{ name: "cell", width: actions, index: (action) => action }],
  start: ({ size }) => new Row(Array.from({ length: Number(size) }, () => null)),
};

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
