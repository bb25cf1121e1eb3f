/** A series between two sides: its plan, its tally, its openings, and what its records say of who has played. */

import { describe, expect, it } from "vitest";
import type { State } from "../../src/engine/State";
import { identityOf, newIdentity, readGameRecord, type Sides } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { aboutOf, playersOf, resultOf } from "../../src/page/library/list/Telling";
import { shelve } from "../../src/page/library/Shelving";
import { plays } from "../../src/page/room/Seats";
import { type Ask, drawOpening } from "../../src/page/series/Opening";
import { byPlayer, countIn, NOTHING_PLAYED, playedIn, pliesOf, roundsOf, sideAt } from "../../src/page/series/Plan";
import { stateAfter } from "../engine/fixtures";
import { ENTRY } from "./tictactoe";

const SIDES: Sides = [
  { kind: "network", name: "Tic-tac-toe", level: "level 3", bundle: { name: "tictactoe", given: false } },
  { kind: "network", name: "Tic-tac-toe (tiny)", level: "level 8", bundle: { name: "tiny", given: true } },
];

describe("the plan of a series", () => {
  it("swaps the sides after every game, and plays each opening with both", () => {
    expect(roundsOf(4)).toEqual([
      { first: 0, opening: 0 },
      { first: 1, opening: 0 },
      { first: 0, opening: 1 },
      { first: 1, opening: 1 },
    ]);
    for (const count of [2, 10, 20]) {
      expect(roundsOf(count)).toHaveLength(count);
      expect(roundsOf(count).filter(({ first }) => first === 0)).toHaveLength(count / 2);
    }
  });

  it("has no opening for a game alone", () => {
    expect(roundsOf(1)).toEqual([{ first: 0, opening: null }]);
  });
});

describe("the tally", () => {
  it("counts for the side that has won, on whichever side of the board it sat", () => {
    const winners = [0, 0, null, 1] as const;
    const tally = roundsOf(4).reduce((sum, round, at) => countIn(sum, round, winners[at] ?? null), NOTHING_PLAYED);
    // The first player of game 2 is the other side; so is the second one of game 4 the first side.
    expect(tally).toEqual({ won: [2, 1], drawn: 1 });
    expect(playedIn(tally)).toBe(4);
  });

  it("is told by player, as the board has them", () => {
    const tally = { won: [3, 1], drawn: 0 } as const;
    expect(byPlayer(tally, { first: 0, opening: 0 })).toEqual([3, 1]);
    expect(byPlayer(tally, { first: 1, opening: 0 })).toEqual([1, 3]);
    expect([sideAt(0, 0), sideAt(0, 1), sideAt(1, 0), sideAt(1, 1)]).toEqual([0, 1, 1, 0]);
  });
});

/** A network that likes all moves as well, of which one that it likes alone may be named. */
const liking =
  (best: ((state: State) => number) | null = null): Ask =>
  async (session) => {
    const state = sessions.latest(session);
    return state.legalActions().map((action) => [action, best && best(state) !== action ? 0 : 1] as const);
  };

describe("an opening", () => {
  it("is another one each time, while there are others", async () => {
    const known = new Set<string>();
    const seeds = Array.from({ length: 200 }, (_, at) => (0.013 * at) % 1);
    const random = (): number => seeds.pop() ?? 0;
    for (let time = 0; time < 10; time++) {
      const drawn = await drawOpening(stateAfter("tictactoe", {}, []), pliesOf("tictactoe"), liking(), known, random);
      expect(drawn.states).toHaveLength(3);
      expect(sessions.phase(drawn)).toBe("theirs");
    }
    expect(known.size).toBe(10);
  });

  it("is what the network would play, and there all the same where it would always play that", async () => {
    const known = new Set<string>();
    const only = liking((state) => state.legalActions()[0] ?? 0);
    const start = stateAfter("connect4", {}, []);
    const [one, two] = [await drawOpening(start, 4, only, known), await drawOpening(start, 4, only, known)];
    expect([sessions.actions(one), sessions.actions(two), known.size]).toEqual([[35, 28, 21, 14], [35, 28, 21, 14], 1]);
  });

  it("never passes in Go, nor plays a game to its end", async () => {
    const passing = liking((state) => state.legalActions().at(-1) ?? 0);
    const go = await drawOpening(stateAfter("go", { size: 5 }, []), 4, passing, new Set());
    expect(go.states.slice(1).map((state) => state.lastAction)).not.toContain(25);
    const late = stateAfter("tictactoe", {}, [0, 3, 1, 4]);
    const drawn = await drawOpening(
      late,
      5,
      liking(() => 2),
      new Set(),
    );
    expect(sessions.phase(drawn)).toBe("theirs");
  });
});

describe("a record of a game between two networks", () => {
  const game = [0, 3, 1, 4, 2].reduce(
    sessions.playMove,
    sessions.beginSession(stateAfter("tictactoe", {}, []), sessions.NOBODY),
  );
  const kept = { session: game, settings: {}, identity: { ...newIdentity("watched"), sides: SIDES } };

  it("has both names and levels, and who has won by them", () => {
    const record = shelve(kept, "tictactoe", {}, ENTRY);
    expect(record.players).toEqual(SIDES);
    expect(playersOf(record)).toBe("Tic-tac-toe, Level 3: casual – Tic-tac-toe (tiny), Level 8: full strength");
    expect(resultOf(record)).toContain("Tic-tac-toe, Level 3: casual");
    expect(aboutOf(record)).not.toContain("Level");
    const back = readGameRecord(JSON.parse(JSON.stringify(record)));
    expect(back && identityOf(back).sides).toEqual(SIDES);
  });

  it("is opened with one of the two, whatever was open beside them", () => {
    expect(shelve(kept, "tictactoe", {}, { ...ENTRY, name: "tiny" }).bundle?.name).toBe("tiny");
    expect(shelve(kept, "tictactoe", {}, { ...ENTRY, name: "another" }).bundle).toEqual(SIDES[0].bundle);
  });

  it("is none where a file lies about its bundle", () => {
    const record = shelve(kept, "tictactoe", {}, ENTRY);
    const players = [{ ...SIDES[0], bundle: { name: 3, given: false } }, SIDES[1]];
    expect(readGameRecord({ ...record, players })).toBeNull();
  });
});

it("lets those play each other that stand for one board", () => {
  expect(plays({ game: "go", settings: { size: 9 } }, "go", { size: 9, komi: 7.5 })).toBe(true);
  // A network's own komi is no part of what it reads.
  expect(plays({ game: "go", settings: { size: 9, komi: 6 } }, "go", { size: 9, komi: 7.5 })).toBe(true);
  expect(plays({ game: "go", settings: { size: 13, komi: 6 } }, "go", { size: 9, komi: 6 })).toBe(false);
  expect(plays({ game: "go", settings: { size: 13 } }, "go", { size: 9 })).toBe(false);
  expect(plays({ game: "go", settings: null }, "go", { size: 9 })).toBe(false);
  expect(plays({ game: "hex", settings: { size: 9 } }, "go", { size: 9 })).toBe(false);
});
