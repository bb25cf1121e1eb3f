import { describe, expect, it } from "vitest";

import type { Go } from "../../src/engine/games/Go";
import { chainOf } from "../../src/engine/games/GoBoard";
import { ownership } from "../../src/engine/games/GoPlayouts";
import { deadStones, estimate, isSettled, mayPass } from "../../src/engine/games/GoScoring";
import { stateAfter } from "./fixtures";
import { scoredPositions } from "./scored";

describe("the end of a game of Go", () => {
  const cases = scoredPositions();

  it("has boards to count", () => expect(cases.length).toBeGreaterThan(8));

  it.each(cases)(
    "is counted alike in every language: $about",
    (given) => {
      const state = stateAfter("go", given.settings, given.actions) as Go;
      const found = ownership(state.size, state.cells, state.toMove, given.playouts, given.seed);
      expect([...found.black]).toEqual(given.black);
      expect([...found.white]).toEqual(given.white);
      expect([...found.leads].sort(([a], [b]) => a - b)).toEqual(given.leads);
      const dead = deadStones(state, found);
      expect(dead).toEqual(given.dead);
      expect(state.score()).toBe(given.score);
      expect(state.score(dead)).toBe(given.score_without);
      const { points, pointsOfSpread, ...figures } = estimate(state, found);
      expect({ ...figures, points: [points, pointsOfSpread] }).toEqual(given.estimate);
      expect(isSettled(found)).toBe(given.settled);
      expect(mayPass(state)).toBe(given.may_pass);
    },
    60_000,
  );

  it("takes less than two seconds on 19 x 19", () => {
    const state = stateAfter("go", { size: 19 }, [60, 300]) as Go;
    // Of the processor's time: other programs may be busy just now.
    const before = process.cpuUsage();
    ownership(state.size, state.cells, state.toMove);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  }, 60_000);

  it("knows the chain of a stone", () => {
    const state = stateAfter("go", {}, [40, 0, 41, 1, 50, 80]) as Go;
    expect(chainOf(9, state.cells, 41)).toEqual([40, 41, 50]);
    expect(chainOf(9, state.cells, 2)).toEqual([]);
  });
});
