import { beforeAll, describe, expect, it } from "vitest";

import type { Reason } from "../../src/engine/review/Known";
import type { Observation } from "../../src/engine/review/Verdicts";
import * as sessions from "../../src/page/game/Session";
import {
  addSeen,
  callJudge,
  doubtedOf,
  isAnalysed,
  movesOf,
  nextMistake,
  seenOf,
  shownMove,
} from "../../src/page/review/Judgement";
import { lengthOf, playOn, takeBack, tryMove } from "../../src/page/review/Line";
import { sentenceOf } from "../../src/page/review/Panel";
import { stateAfter } from "../engine/fixtures";

const game = (name: string, moves: readonly number[]): sessions.Session =>
  moves.reduce(sessions.playMove, sessions.beginSession(stateAfter(name, {}, []), 0));

const SEEN: readonly Observation[] = [
  { mover: 0, chance: 0.5, best: 4 },
  { mover: 1, chance: 0.9, best: 4 },
  { mover: 0, chance: 0.2, best: 8 },
];

const analyse = (session: sessions.Session, seen: readonly Observation[]): sessions.Session =>
  seen.reduce((before, each, moves) => addSeen(before, moves, each), session);

describe("a line", () => {
  const played = sessions.showMove(game("tictactoe", [0, 4, 8]), 1);

  it("branches off from what is shown, and leaves the game as it was", () => {
    const line = tryMove(played, tryMove(played, null, 2), 6);
    expect([line.from, lengthOf(line), sessions.actions(line.session)]).toEqual([1, 2, [0, 2, 6]]);
    expect(sessions.actions(played)).toEqual([0, 4, 8]);
    expect(sessions.ply(played)).toBe(1);
  });

  it("is taken back move by move, until nothing is left", () => {
    const line = takeBack(tryMove(played, tryMove(played, null, 2), 6));
    expect(line && sessions.actions(line.session)).toEqual([0, 2]);
    expect(line && takeBack(line)).toBe(null);
  });

  it("takes the passes that the rules force with their move", () => {
    const start = game("dots_and_boxes", [0, 3, 12]);
    const line = tryMove(start, null, 13);
    expect(lengthOf(line)).toBe(2);
    expect(takeBack(line)).toBe(null);
  });

  it("becomes the game, with what is known until there", () => {
    const shown = analyse(played, SEEN);
    const session = playOn(shown, tryMove(shown, null, 2));
    expect(sessions.actions(session)).toEqual([0, 2]);
    expect(seenOf(session)).toHaveLength(2);
    expect(sessions.actions(playOn(played, null))).toEqual([0]);
  });
});

describe("an analysis", () => {
  const session = analyse(game("tictactoe", [0, 8, 4]), SEEN);

  it("has no verdicts until what judges has come", () => {
    expect([seenOf(session).length, movesOf(session)]).toEqual([3, []]);
  });

  describe("with what judges", () => {
    beforeAll(callJudge);

    it("is kept with the session, and forgotten with moves that are taken back", () => {
      expect([isAnalysed(session), seenOf(session).length]).toEqual([false, 3]);
      expect(seenOf(sessions.undoMoves(session))).toHaveLength(3);
      expect(seenOf(sessions.undoMoves(sessions.undoMoves(session)))).toHaveLength(1);
      expect(seenOf(sessions.playMove(session, 2))).toHaveLength(3);
    });

    it("judges the moves as far as it has come, and tells of the one that is shown", () => {
      expect(movesOf(session).map(({ verdict }) => verdict)).toEqual(["blunder", "inaccuracy"]);
      expect(shownMove(sessions.showMove(session, 0))).toBe(null);
      const move = shownMove(sessions.showMove(session, 1));
      expect(move && sentenceOf(move, (action) => `cell ${action}`)).toBe(
        "Cell 0: blunder, 40\u00a0% lost. Better: cell 4.",
      );
    });

    it("says the reason in place of the loss, where it is proven", () => {
      const [move, cell] = [shownMove(sessions.showMove(session, 1)), (action: number) => `cell ${action}`];
      const why = (code: Reason["code"]): string | null =>
        move && sentenceOf({ ...move, reason: { code, action: 8 } }, cell);
      expect(why("missed_win")).toBe("Cell 0: blunder, misses a win in 1. Better: cell 4.");
      expect(why("not_blocked")).toBe("Cell 0: blunder, does not block cell 8. Better: cell 4.");
      const lost = (margin: number, unit: "boxes" | "discs" = "boxes"): string | null =>
        move && sentenceOf({ ...move, margin, unit }, cell);
      expect(lost(2)).toBe("Cell 0: blunder, loses 2 boxes of the margin. Better: cell 4.");
      expect(lost(6, "discs")).toBe("Cell 0: blunder, loses 6 discs of the margin. Better: cell 4.");
      expect(lost(0)).toBe("Cell 0: blunder, 40\u00a0% lost. Better: cell 4.");
      expect(why("allows_win")).toBe("Cell 0: blunder, lets the opponent win with cell 8. Better: cell 4.");
    });

    it("judges no move that places a stone before the first one", () => {
      const placed: sessions.Session = { ...session, seen: new Map(), setUp: 1 };
      expect(seenOf(placed)).toHaveLength(0);
      const known = [1, 2].reduce((before, at) => addSeen(before, at, SEEN[at] as Observation), placed);
      expect([seenOf(known).length, isAnalysed(known)]).toEqual([2, false]);
      expect(movesOf(known).map(({ action, verdict }) => [action, verdict])).toEqual([[8, "inaccuracy"]]);
      expect(shownMove(sessions.showMove(known, 0))).toBe(null);
      expect(shownMove(sessions.showMove(known, 2))).toMatchObject({ action: 8 });
      expect(isAnalysed(addSeen(known, 3, { mover: 1, chance: 0.5, best: 0 }))).toBe(true);
      // Where the first move is a mistake it is the next one, from wherever it is asked for.
      const blundered = addSeen(known, 2, { mover: 0, chance: 0.9, best: 2 });
      expect([0, 1, 2, 3].map((moves) => nextMistake(blundered, moves))).toEqual([2, 2, 2, 2]);
      expect(doubtedOf(blundered)).toEqual([1, 2]);
    });

    it("has a chance for every position in the curve, seen by the person", () => {
      const curve = sessions.curve(sessions.rateMove(session, 0.7));
      expect(curve.map(([moves]) => moves)).toEqual([0, 1, 2, 3]);
      for (const [at, chance] of [0.5, 0.1, 0.2, 0.3].entries()) expect(curve[at]?.[1]).toBeCloseTo(chance, 12);
    });
  });
});
