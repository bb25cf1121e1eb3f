/** What a hint says in points: exact where an end is solved, of Go what playouts tell apart, and nothing where little is known. */

import { describe, expect, it } from "vitest";
import { knownOf } from "../../src/engine/review/Known";
import { panelOf } from "../../src/engine/review/Panel";
import { worthsOf } from "../../src/page/review/CandidateList";
import { marginsIn, pointsOf } from "../../src/page/review/Points";
import type { Analysis } from "../../src/worker/Messages";
import { stateAfter } from "../engine/fixtures";

describe("a hint in points", () => {
  it("says of a solved end of Dots and Boxes what each move loses", () => {
    // Half of the edges are drawn; all but the best moves give boxes away.
    const state = stateAfter("dots_and_boxes", { size: 3 }, [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]);
    const { legal, left, margin } = knownOf(state);
    expect(margin).not.toBeNull();
    const [best = 0] = left;
    const points = pointsOf(state, [best, ...legal.filter((each) => each !== best)]);
    for (const action of legal) {
      expect(points?.get(action), String(action)).toBeLessThanOrEqual(0);
      expect(points?.get(action) === 0, String(action)).toBe(left.includes(action));
    }
    expect([...(points?.values() ?? [])].some((each) => each < 0)).toBe(true);
  });

  it("says the same of moves that are asked for later, of a position that is looked at for long", () => {
    const state = stateAfter("dots_and_boxes", { size: 3 }, [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]);
    const { legal } = knownOf(state);
    const margins = marginsIn(state);
    expect([...(margins(legal.slice(0, 2))?.keys() ?? [])]).toEqual(legal.slice(0, 2));
    expect(margins(legal)).toEqual(pointsOf(state, legal));
    expect(marginsIn(stateAfter("dots_and_boxes", { size: 3 }, [0]))([1, 2])).toBeNull();
    expect(marginsIn(stateAfter("go", { size: 9 }, [40, 30]))([41])).toBeNull();
  });

  it("says nothing in points while an end is not solved, nor in the opening of Go", () => {
    expect(pointsOf(stateAfter("dots_and_boxes", { size: 3 }, [0]), [1, 2])).toBeNull();
    expect(pointsOf(stateAfter("go", { size: 9 }, [40, 30]), [41, 31])).toBeNull();
    expect(pointsOf(stateAfter("connect4", {}, []), [35, 36])).toBeNull();
  });

  it("says of Go what playouts tell apart: a point between two walls is worth more than one at home", () => {
    // Black has the fourth column and white the sixth, each with stones behind it; between them nobody has been.
    const wall = (column: number): number[] => Array.from({ length: 9 }, (_, row) => row * 9 + column);
    const [black, white] = [wall(3), wall(5)];
    const behind = [1, 10, 19, 28, 37, 46, 55, 64, 73, 2, 11].map((at) => [at, at + 6]);
    const moves = [...black.map((at, row) => [at, white[row] ?? 0]), ...behind].flat();
    const state = stateAfter("go", { size: 9 }, moves);
    const [between, home] = [40, 36];
    const points = pointsOf(state, [between, home]);
    expect(points?.get(between)).toBe(0);
    expect(points?.get(home)).toBeLessThan(0);
    // The other way round it is what is gained.
    expect(pointsOf(state, [home, between])?.get(between)).toBeGreaterThan(0);
    expect(pointsOf(state, [between, between])?.get(between)).toBe(0);
  });
});

/** The panel of a hint's findings for player 0, who is to move. */
function panelFor(
  { seen, candidates, proven }: Analysis,
  points: ReadonlyMap<number, number> | null,
  margin: number | null = null,
) {
  const rows = candidates.map(({ action, visits, winRate }) => {
    const gained = points?.get(action);
    return { action, visits, winRate, loss: gained === undefined ? null : Math.max(0, -gained) };
  });
  const outcome = margin === null && proven ? 1 : null;
  const known = proven && { legal: [], left: proven, result: null, margin, unit: "boxes" as const, outcome };
  const search = { chance: seen?.chance ?? null, proven: null, candidates: rows };
  return panelOf({ side: 0, mover: 0, unit: "boxes", scale: 9, known, search, moment: { phase: "yours" } });
}
const bestOf = (found: Analysis, points: ReadonlyMap<number, number> | null, margin: number | null = null) =>
  panelFor(found, points, margin).equal;

describe("what a hint is for", () => {
  const candidate = (action: number, visits: number, winRate = 0) => ({ action, visits, winRate, prior: 0 });
  const seen = { moves: 0, mover: 0, chance: 0, best: 5, isSure: false };
  const found = {
    seen,
    proven: null,
    candidates: [candidate(5, 22), candidate(7, 21), candidate(3, 16), candidate(9, 16)],
    lines: [[1], [2], [3], [4]],
    visits: 75,
  } as unknown as Analysis;

  it("is what a solved end is best at, however often a search has looked at another move", () => {
    const points = new Map([
      [5, -2],
      [7, 0],
      [3, -1],
      [9, 0],
    ]);
    const proven = [candidate(7, 21), candidate(9, 16), candidate(5, 22), candidate(3, 16)];
    // All of them lose the game; those that lose no boxes either are said to be equal, and no others.
    expect(bestOf({ ...found, candidates: proven, proven: [7, 9] }, points, -3)).toEqual([7, 9]);
    expect(bestOf(found, null)).toEqual([5, 7, 3, 9]);
  });

  it("is none that gives an opening of Connect4 away, however good its chances look", () => {
    const kept = [candidate(3, 16), candidate(5, 22), candidate(7, 21), candidate(9, 16)];
    expect(bestOf({ ...found, candidates: kept, proven: [3] }, null)).toEqual([3]);
    expect(bestOf({ ...found, candidates: kept, proven: [3, 9] }, null)).toEqual([3, 9]);
  });

  it("is what a search of Go thinks best, whatever playouts say of another", () => {
    const points = new Map([
      [5, 0],
      [7, 3],
      [3, -1],
      [9, 0],
    ]);
    expect(bestOf(found, points)).toEqual([5, 7, 9]);
  });
});

describe("the last column of the candidates", () => {
  const candidate = (action: number, winRate: number) => ({ action, visits: 10, winRate });
  const seen = { moves: 0, mover: 0, chance: 0.6, best: 1, isSure: false };
  const found = {
    seen,
    candidates: [candidate(1, 0.6), candidate(2, 0.25)],
    lines: [],
    visits: 20,
  } as unknown as Analysis;
  const column = (points: ReadonlyMap<number, number> | null, game: string, of = found): readonly string[] | null => {
    const worths = worthsOf(panelFor(of, points), game);
    return worths && [worths.heading, worths.of(1), worths.of(2)];
  };
  const POINTS = new Map([
    [1, 0],
    [2, -3],
  ]);

  it.each([
    ["go", "Points against the best"],
    ["dots_and_boxes", "Boxes against the best"],
    ["reversi", "Discs against the best"],
  ])("speaks the currency of %s where it is known, else of chances", (game, heading) => {
    expect(column(POINTS, game)).toEqual([heading, "0", "−3"]);
    expect(column(null, game)).toEqual(["Chances", "60\u{a0}%", "25\u{a0}%"]);
  });

  it("is not there where the network has no value to tell chances by, but is in an end that is solved", () => {
    const blind = { ...found, seen: null };
    expect(column(null, "go", blind)).toBeNull();
    expect(column(POINTS, "dots_and_boxes", blind)).toEqual(["Boxes against the best", "0", "−3"]);
  });
});
