/** A training run on the page: what it takes of the server's answer, and that its curve lies within its drawing. */

import { describe, expect, it } from "vitest";
import { curveOf, HEIGHT, WIDTH } from "../../src/page/run/Curve";
import { type Point, readRun } from "../../src/page/run/RunState";

const TOLD = {
  name: "first",
  command: "azx train runs/first",
  judge: "elo",
  generations: 2,
  now: { event: "playing", generation: 3, games: 20, of: 200 },
  curve: [
    { generation: 1, value: 0, low: null, high: null, best: true },
    { generation: 2, value: 70, low: -20, high: 150, best: false },
  ],
  games_a_second: 3.2,
  game: { record: "tictactoe: 4 0", plies: 2, result: 0 },
};

const point = (generation: number, value: number, half: number | null = null): Point => ({
  generation,
  value,
  low: half === null ? null : value - half,
  high: half === null ? null : value + half,
  best: false,
});

describe("what the server tells of a run", () => {
  it("is taken where it is whole", () => {
    const told = readRun(TOLD);
    expect(told?.now).toEqual({ event: "playing", generation: 3, games: 20, of: 200 });
    expect(told?.curve.map(({ best, low }) => [best, low])).toEqual([
      [true, null],
      [false, -20],
    ]);
    expect(told?.speed).toBe(3.2);
    expect(told?.game?.record).toBe("tictactoe: 4 0");
  });

  it("is nothing where it is none, and what is optional may be missing", () => {
    for (const data of [null, 7, [], "run", {}, { ...TOLD, generations: -1 }, { ...TOLD, judge: "taste" }])
      expect(readRun(data)).toBeNull();
    expect(readRun({ ...TOLD, curve: [{ generation: 1, value: "high" }] })).toBeNull();
    const bare = readRun({ ...TOLD, now: null, game: { record: 7 }, games_a_second: null });
    expect([bare?.now, bare?.game, bare?.speed]).toEqual([null, null, null]);
    expect(readRun({ ...TOLD, now: { event: "judging" } })?.now?.games).toBe(0);
  });
});

describe("the curve of a run", () => {
  it.each([
    [[point(1, 0)]],
    [[point(1, 5), point(2, 5)]],
    [[point(1, -1e9), point(2, 1e9, 1e8), point(900, 3, 2)]],
    [[point(4, 1e-9), point(5, 2e-9)]],
  ])("lies within its drawing", (points) => {
    for (const fromZero of [true, false]) {
      const { path, dots, levels, steps, band } = curveOf(points, fromZero);
      const numbers = `${path}${band}`.match(/-?[\d.]+/g)?.map(Number) ?? [];
      expect(numbers.every((each) => Number.isFinite(each) && each >= 0 && each <= WIDTH)).toBe(true);
      expect(dots).toHaveLength(points.length);
      expect(dots.every(({ y }) => y >= 9.9 && y <= HEIGHT)).toBe(true);
      expect(levels.length).toBeGreaterThanOrEqual(2);
      expect(levels.length).toBeLessThanOrEqual(7);
      expect(steps.map(({ generation }) => generation)).toContain(points[0]?.generation);
    }
  });

  it("has its 0 where it counts from there, and a band where there are intervals", () => {
    const points = [point(1, 500, 10), point(2, 400, 10), point(3, 450)];
    expect(curveOf(points, true).levels.map(({ value }) => value)).toContain(0);
    expect(curveOf(points, false).levels.map(({ value }) => value)).not.toContain(0);
    expect(curveOf(points, false).band).toMatch(/^M.*Z$/);
    expect(curveOf([point(1, 1, 1)], false).band).toBe("");
  });
});
