/** Which figure is told of a position: a result before a hint's, that before a thought's, that before older ones. */

import { describe, expect, it } from "vitest";

import { panelOf } from "../../src/engine/review/Panel";
import type { Observation } from "../../src/engine/review/Verdicts";
import * as sessions from "../../src/page/game/Session";
import { factsAs, factsOf, graphOfGame } from "../../src/page/review/Facts";
import { measureLeads } from "../../src/page/review/Leads";
import type { Progress } from "../../src/worker/Messages";
import { stateAfter } from "../engine/fixtures";

const game = (human: sessions.Human, moves: readonly number[]): sessions.Session =>
  moves.reduce(sessions.playMove, sessions.beginSession(stateAfter("tictactoe", {}, []), human));
const thought = (winRate: number | null): Progress => ({
  simulations: 9,
  depth: 2,
  winRate,
  proven: false,
  seconds: 1,
  shares: [],
});

const MOMENT = { phase: "yours" } as const;
const factsWith = (session: sessions.Session, seen: Observation | null, thinking: Progress | null) => {
  const found = seen && { seen, candidates: [], proven: null, lines: [], visits: 0, isWhole: true };
  return factsAs(session, { ...factsOf(session, { found, points: null, thinking }), moment: MOMENT });
};
const panel = (...given: Parameters<typeof factsWith>) => panelOf(factsWith(...given));
const chanceOf = (session: sessions.Session, seen: Observation | null, thinking: Progress | null): number | null =>
  panel(session, seen, thinking).share;
const curveWith = (session: sessions.Session, seen: Observation | null) =>
  graphOfGame(session, factsWith(session, seen, null)).shares.flatMap((share, moves) =>
    share === null ? [] : [[moves, share]],
  );

describe("the chance that is told", () => {
  it("is the result at the end, whatever was thought before", () => {
    // The network was at 10 % a move before it won.
    const lost = sessions.playMove(sessions.rateMove(game(1, [0, 3, 1, 4]), 0.1), 2);
    for (const found of [null, { mover: 1, chance: 0.48, best: null }] as const) {
      expect(chanceOf(lost, found, thought(0.1))).toBe(0);
      expect(sessions.rateOf(lost, 0, thought(0.1))).toBe(1);
    }
    const given = sessions.resign(sessions.rateMove(game(0, [4, 0]), 0.9));
    expect(chanceOf(given, null, thought(0.02))).toBe(0);
    expect(sessions.rateOf(given, chanceOf(given, null, thought(0.02)), thought(0.02))).toBe(1);
  });

  it("is that of a line where a line is shown, with the result that the line comes to", () => {
    const before = sessions.rateMove(game(sessions.READER, [0, 3, 1, 4]), 0.3);
    expect(chanceOf(before, null, null)).toBe(0.3);
    expect(chanceOf(sessions.playMove(before, 2), null, null)).toBe(1);
  });

  it("is a hint's before what is known of earlier positions, from the side of who looks", () => {
    const session = sessions.rateMove(game(1, []), 0.25);
    const asked = sessions.playMove(session, 4);
    expect(chanceOf(asked, null, null)).toBe(0.75);
    expect(chanceOf(asked, { mover: 1, chance: 0.5, best: 0 }, null)).toBe(0.5);
  });

  it("is the graph's as well: what a hint has found of the position that is shown is a point of it", () => {
    const session = sessions.playMove(sessions.rateMove(game(1, []), 0.25), 4);
    expect(curveWith(session, null)).toEqual([[0, 0.75]]);
    expect(curveWith(session, { mover: 1, chance: 0.5, best: 0 })).toEqual([
      [0, 0.75],
      [1, 0.5],
    ]);
    const earlier = sessions.showMove(session, 0);
    expect(curveWith(earlier, { mover: 0, chance: 1, best: 0 })).toEqual([[0, 0]]);
  });

  it("is the graph's, or a lead in points is: one unit for figure and axis at every position", async () => {
    let session = sessions.beginSession(stateAfter("go", { size: 5 }, []), 0);
    // From the twelfth move on both sides have stones enough.
    const [black, white] = [
      [10, 11, 12, 13, 14, 5, 6, 7, 8, 25],
      [15, 16, 17, 18, 19, 20, 21, 22, 23, 25],
    ];
    for (const action of black.flatMap((at, move) => [at, white[move] ?? 25])) {
      session = sessions.playMove(sessions.rateMove(session, 0.4), action);
    }
    const over = sessions.agreeOn(session, []);
    expect(sessions.phase(over)).toBe("over");
    const told = (move: number) => {
      const shown = sessions.showMove(over, move);
      const facts = factsWith(shown, null, null);
      const { unit, shares } = graphOfGame(shown, facts);
      expect(panelOf(facts).figure?.unit ?? "chance").toBe(unit);
      return [unit, shares.filter((share) => share !== null).length] as const;
    };
    // The count at the end alone would be a graph of one point.
    for (const move of over.states.keys()) expect(told(move)).toEqual(["chance", 21]);
    await new Promise<void>((resolve) => measureLeads({ session: over, shown: over, isReplay: false }, resolve));
    for (const move of over.states.keys()) expect(told(move)).toEqual(move < 12 ? ["chance", 21] : ["points", 9]);
  });

  it("is a thought's while it is under way, and no more once it is the person's turn or an earlier position is shown", () => {
    const theirs = sessions.playMove(sessions.rateMove(game(1, [4, 0]), 0.6), 1);
    const asked = sessions.playMove(theirs, 8);
    expect(sessions.phase(theirs)).toBe("yours");
    expect(chanceOf(theirs, null, thought(0.9))).toBe(0.4);
    expect(sessions.phase(asked)).toBe("theirs");
    expect(chanceOf(asked, null, thought(0.9))).toBeCloseTo(0.1);
    expect(chanceOf(asked, null, thought(null))).toBe(0.4);
    expect(chanceOf(sessions.showMove(asked, 3), null, thought(0.9))).toBe(0.4);
  });

  it("leaves the network what makes a hundred with it, and nothing where it is not known", () => {
    expect(sessions.rateOf(game(0, []), 0.505, null)).toBeCloseTo(0.49);
    expect(sessions.rateOf(game(0, []), null, thought(0.5))).toBeNull();
  });

  it("is of no side that is not named where a network plays itself, and gone at the end", () => {
    const watched = game(sessions.NOBODY, [0, 3, 1, 4]);
    expect(sessions.rateOf(watched, 0.3, thought(0.7))).toBe(0.7);
    expect(chanceOf(watched, null, thought(0.7))).toBeNull();
    const over = sessions.playMove(watched, 2);
    expect(sessions.rateOf(over, chanceOf(over, null, thought(0.7)), thought(0.7))).toBeNull();
  });
});
