/** The games of a series as the library has them: how far it has come, how they are listed, and what a record says of it. */

import { describe, expect, it } from "vitest";
import {
  type GameRecord,
  identityOf,
  newIdentity,
  readGameRecord,
  type SeriesPlace,
  type Sides,
} from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { groupBySeries } from "../../src/page/library/list/Groups";
import { aboutOf, tellSeries } from "../../src/page/library/list/Telling";
import { shelve } from "../../src/page/library/Shelving";
import { gamesOf } from "../../src/page/series/Games";
import { stateAfter } from "../engine/fixtures";
import { ENTRY } from "./tictactoe";

const SIDES: Sides = [
  { kind: "network", name: "Tic-tac-toe", level: "level 1", bundle: { name: "tictactoe", given: false } },
  { kind: "network", name: "Tic-tac-toe", level: "level 8", bundle: { name: "tictactoe", given: false } },
];
const SERIES = { id: "0000aaaa1111bbbb", count: 4, seed: 7 };
const FIRST_WINS = [0, 3, 1, 4, 2];
const SECOND_WINS = [0, 3, 1, 4, 8, 5];
const UNDER_WAY = [0, 3];

/** The game of a round, begun so many minutes after the first one. */
function game(round: number, moves: readonly number[], minute = round, more: Partial<SeriesPlace> = {}): GameRecord {
  const start = sessions.beginSession(stateAfter("tictactoe", {}, []), sessions.NOBODY);
  const sides: Sides = round % 2 === 0 ? SIDES : [SIDES[1], SIDES[0]];
  const series = { ...SERIES, round, openings: [UNDER_WAY], ...more };
  const identity = { ...newIdentity("watched"), sides, series };
  const kept = { session: moves.reduce(sessions.playMove, start), settings: {}, identity };
  const begun = `2026-11-20T10:${String(minute).padStart(2, "0")}:00.000Z`;
  return { ...shelve(kept, "tictactoe", {}, ENTRY), begun };
}

function alone(): GameRecord {
  const { series: _, ...record } = game(0, FIRST_WINS);
  return record;
}

const again = (data: unknown): GameRecord | null => readGameRecord(JSON.parse(JSON.stringify(data)));

describe("how far a series has come", () => {
  it("is what its games say, in whatever order they are found", () => {
    const records = [game(2, UNDER_WAY), game(1, FIRST_WINS), game(0, FIRST_WINS), alone()];
    const { games, tally, next } = gamesOf(records, SERIES);
    expect([...games.keys()].sort()).toEqual([0, 1, 2]);
    // In game 2 the sides are swapped: its first player is the other side.
    expect(tally).toEqual({ won: [1, 1], drawn: 0 });
    expect(next).toBe(2);
  });

  it("goes on with the first game that was not played to its end, and with none where all were", () => {
    const all = [0, 1, 2, 3].map((round) => game(round, SECOND_WINS));
    expect(gamesOf(all, SERIES).next).toBeNull();
    expect(gamesOf([], SERIES).next).toBe(0);
    const gap = all.filter(({ series }) => series?.round !== 1);
    expect([gamesOf(gap, SERIES).next, gamesOf(gap, SERIES).tally]).toEqual([1, { won: [1, 2], drawn: 0 }]);
  });

  it("counts one game a round: the first of two, and one that is over before one that is not", () => {
    const [early, late] = [game(0, FIRST_WINS, 1), game(0, SECOND_WINS, 2)];
    expect(gamesOf([late, early], SERIES).tally.won).toEqual([1, 0]);
    expect(gamesOf([game(0, UNDER_WAY, 0), late], SERIES).tally.won).toEqual([0, 1]);
  });

  it("does not see another series's games, and knows all openings that were drawn", () => {
    const other = game(0, FIRST_WINS, 0, { id: "9999zzzz9999zzzz" });
    expect(gamesOf([other], SERIES).games.size).toBe(0);
    const later = game(2, UNDER_WAY, 2, { openings: [UNDER_WAY, [4, 8]] });
    expect(gamesOf([game(0, FIRST_WINS), later, game(1, FIRST_WINS)], SERIES).openings).toEqual([UNDER_WAY, [4, 8]]);
  });
});

describe("the list of all games", () => {
  it("has a series as one entry, where the first of its games stands, and other games as they are", () => {
    const [one, two] = [game(0, FIRST_WINS), game(1, FIRST_WINS)];
    const lone = { ...alone(), id: "1111111111111111" };
    const all = [two, lone, one];
    const items = groupBySeries(all, all);
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({ series: two.series, found: [one, two], all: [one, two] });
    expect(items[1]).toBe(lone);
  });

  it("has of a series the games that a search finds, and knows of all", () => {
    const [one, two] = [game(0, FIRST_WINS), game(1, FIRST_WINS)];
    const [group] = groupBySeries([two], [two, one]);
    expect(group).toEqual({ series: two.series, found: [two], all: [one, two] });
  });

  it("says who plays, what each has won, and how many games were played", () => {
    const all = [game(1, FIRST_WINS), game(2, FIRST_WINS), game(3, UNDER_WAY)];
    const [group] = groupBySeries(all, all);
    if (!group || !("found" in group)) throw new Error("no series");
    // Its first game is gone: the sides are told by another one.
    const told = tellSeries(group);
    expect(told.players).toBe("Tic-tac-toe, Level 1: beginner – Tic-tac-toe, Level 8: full strength");
    expect(told.tally).toBe("1 : 1, draws: 0");
    expect(told.about).toBe("Tic-tac-toe · 2 of 4 games played");
    expect(aboutOf(all[1] as GameRecord)).toContain("Game 3 of 4");
  });
});

describe("a record of a series's game", () => {
  it("comes back as it was, and its next record has the same place", () => {
    const given = game(1, UNDER_WAY);
    const back = again(given);
    expect(back).toEqual(given);
    expect(back && identityOf(back).series).toEqual({ ...SERIES, round: 1, openings: [UNDER_WAY] });
    const plain = again(alone());
    expect(plain && "series" in identityOf(plain)).toBe(false);
  });

  it.each<readonly [string, unknown]>([
    ["nothing", null],
    ["a text", "a series"],
    ["an id of another kind", { id: "../../etc" }],
    ["no id", { id: undefined }],
    ["a round that there is not", { round: 4 }],
    ["a round below zero", { round: -1 }],
    ["no number of games", { count: "4" }],
    ["more games than memory has", { count: 1e9 }],
    ["a seed that is no count", { seed: 0.5 }],
    ["openings that are none", { openings: {} }],
    ["an opening that has no moves", { openings: [["x"]] }],
  ])("is none where its series is damaged: %s", (_, damage) => {
    const sound = game(1, UNDER_WAY);
    const isWhole = typeof damage !== "object" || damage === null;
    expect(again({ ...sound, series: isWhole ? damage : { ...sound.series, ...damage } })).toBeNull();
  });

  it("is none where a person plays in it, or a side has no network", () => {
    const sound = game(1, UNDER_WAY);
    expect(again({ ...sound, human: 0 })).toBeNull();
    const [{ bundle: _, ...bare }, other] = sound.players;
    expect(again({ ...sound, players: [bare, other] })).toBeNull();
  });
});
