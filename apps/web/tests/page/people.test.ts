/** Two people at one device: their clock, who has given up, what their record keeps, and the same two again. */

import { describe, expect, it } from "vitest";
import { begin } from "../../src/engine/Game";
import { GAMES } from "../../src/engine/known/Catalogue";
import { faceOf, leftAt, wind } from "../../src/page/game/Clock";
import { identityOf, newIdentity, readGameRecord, sessionOf } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { shelve } from "../../src/page/library/Shelving";
import { newRecord, rematch } from "../../src/page/people/People";
import { result, status, why } from "../../src/page/words/Outcome";

const NAMED = { prompt: "tap_cell", pieces: ["cross", "nought"] } as const;
const AGREED = { settings: {}, names: ["Ann", "Ben"], time: [60, 5], isUndoAsked: true } as const;

/** A game of two people, by its record, after these moves. */
function played(moves: readonly number[], agreed: Parameters<typeof newRecord>[1] = AGREED): sessions.Session {
  const session = sessionOf(newRecord("tictactoe", agreed));
  if (!session) throw new Error("no game");
  return moves.reduce(sessions.playMove, session);
}

describe("a clock", () => {
  it("runs for who is to move, and gives its increment with each move", () => {
    const first = sessions.passTime(played([4]), 2500);
    expect(leftAt(first.clock ?? wind(0, 0), 1)).toEqual([65_000, 57_500]);
    const second = sessions.playMove(first, 0);
    expect(leftAt(second.clock ?? wind(0, 0), 2)).toEqual([65_000, 62_500]);
    // Taken back, a move leaves what was there before it.
    expect(sessions.undoMoves(second).clock).toEqual(first.clock);
  });

  it("begins with the first move, and ends the game for who has no time left", () => {
    const start = played([]);
    expect(sessions.passTime(start, 99_000)).toBe(start);
    const late = sessions.passTime(played([4]), 60_000);
    expect(late.end).toEqual({ kind: "time", by: 1 });
    expect([sessions.phase(late), sessions.winner(late)]).toEqual(["over", 0]);
    expect([result(late, NAMED), why(late, NAMED)]).toEqual(["The winner is Ann", "The time of Ben is up."]);
    expect(sessions.undoMoves(late)).toBe(late);
    expect(sessions.passTime(late, 1)).toBe(late);
  });

  it("shows seconds that have begun", () => {
    expect([0, 1, 59_001, 60_000, 247_000, 3_725_000].map(faceOf)).toEqual([
      "0:00",
      "0:01",
      "1:00",
      "1:00",
      "4:07",
      "1:02:05",
    ]);
  });
});

describe("a game of two people", () => {
  it("is called by their names, or by their pieces", () => {
    expect(status(played([]), NAMED)).toBe("Ann to move");
    expect(status(played([4]), NAMED)).toBe("Ben to move");
    const unnamed = played([4], { ...AGREED, names: ["", ""], time: null, isUndoAsked: false });
    expect([unnamed.names, unnamed.clock, unnamed.isUndoAsked]).toEqual([undefined, undefined, undefined]);
    expect(status(unnamed, NAMED)).toBe("O to move");
  });

  it("is given up by the one who is to move", () => {
    const given = sessions.resign(played([4]));
    expect([given.end, sessions.winner(given)]).toEqual([{ kind: "resigned", by: 1 }, 0]);
    expect(why(given, NAMED)).toBe("Ben gave up.");
    expect(sessions.undoMoves(given).end).toBe(null);
    expect(sessions.winner(sessions.resign(played([4, 0])))).toBe(1);
  });

  it("is the same by its record: names, clock, agreement, and how it has ended", () => {
    for (const session of [
      played([4]),
      sessions.passTime(played([4, 0]), 1234),
      sessions.resign(played([4, 0, 8])),
      sessions.passTime(played([4]), 60_000),
    ]) {
      const shelved = shelve({ session, settings: {}, identity: newIdentity("played") }, "tictactoe", {}, null);
      const record = readGameRecord(JSON.parse(JSON.stringify(shelved)));
      if (!record) throw new Error("the record is refused");
      expect(record.players.map(({ kind, name }) => [kind, name])).toEqual([
        ["person", "Ann"],
        ["person", "Ben"],
      ]);
      const again = sessionOf(record);
      expect({ ...again, states: [] }).toEqual({ ...session, states: [] });
      expect(again && sessions.actions(again)).toEqual(sessions.actions(session));
      expect(identityOf(record).id).toBe(record.id);
    }
  });

  it("whose record says what cannot be is refused", () => {
    const record = JSON.parse(JSON.stringify(newRecord("tictactoe", AGREED)));
    for (const wrong of [
      { clock: { base: -1, increment: 0, left: [] } },
      { clock: { base: 60, increment: 0, left: [[0, 1]] } },
      { clock: 7 },
      { undo_asked: "yes" },
      { end: { kind: "time" } },
      { end: { kind: "resigned", by: 2 } },
    ])
      expect(readGameRecord({ ...record, ...wrong }), JSON.stringify(wrong)).toBe(null);
    // Who is not to move has neither given up nor run out of time.
    const ended = readGameRecord({ ...record, end: { kind: "time", by: 1 } });
    expect(ended && sessionOf(ended)).toBe(null);
  });

  it("begins again with the sides changed, and the clock wound up", () => {
    const again = rematch(sessions.resign(played([4, 0])));
    expect([again.names, again.states.length, again.end, again.isUndoAsked]).toEqual([["Ben", "Ann"], 1, null, true]);
    expect(again.clock).toEqual(wind(60, 5));
  });

  it("is played on every board that the rules allow", () => {
    for (const game of GAMES.values()) {
      const sizes = game.settings.filter(({ name }) => ["size", "rows", "columns"].includes(name));
      const boards = sizes.reduce<Record<string, string | number>[]>(
        (all, { name, choices }) => all.flatMap((each) => choices.map((choice) => ({ ...each, [name]: choice }))),
        [{}],
      );
      for (const settings of boards) {
        const record = newRecord(game.name, { ...AGREED, settings });
        const session = sessionOf(record);
        expect(session && sessions.isShared(session), game.name).toBe(true);
        expect(record.settings).toMatchObject(settings);
        expect(session?.states[0].board).toEqual(begin(game, settings).board);
      }
    }
  });
});
