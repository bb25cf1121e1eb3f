/** The self-test of a network in 8 bits: what may differ, and what may not. */

import { describe, expect, it } from "vitest";

import type { Golden, Manifest } from "../../src/bundle/Manifest";
import { judge } from "../../src/worker/Gate";
import type { Outputs } from "../../src/worker/Model";

const LIMITS = { value_max: 0.05, best_move: 0.98, margin: 0.01 };
const MANIFEST = {
  outputs: [
    { name: "v", shape: [1], role: "value", activation: "tanh" },
    { name: "p", shape: [3], role: "policy", activation: "softmax" },
  ],
} as unknown as Manifest;

const golden = (value: number, policy: readonly number[], legal: readonly number[] | null = null): Golden => ({
  inputs: {},
  outputs: { v: [value], p: policy },
  legal,
});
const answer = (value: number, policy: readonly number[]): Outputs =>
  new Map([
    ["v", [value]],
    ["p", policy],
  ]);

describe("an approximation's self-test", () => {
  it("passes within the limits, and says how far off it was", () => {
    const found = judge([golden(0.5, [0.7, 0.2, 0.1])], MANIFEST, [answer(0.42, [0.6, 0.3, 0.1])], LIMITS);
    expect(found).toMatchObject({ passed: true, positions: 1, sameBest: 1, withBest: 1 });
    expect(found.largestError).toBeCloseTo(0.1, 9);
  });

  it.each([
    ["a win rate is too far off", answer(0.39, [0.7, 0.2, 0.1])],
    ["a value is no number", answer(NaN, [0.7, 0.2, 0.1])],
    ["an output is missing", new Map([["p", [0.7, 0.2, 0.1]]])],
  ])("fails where %s", (_, answered) => {
    expect(judge([golden(0.5, [0.7, 0.2, 0.1])], MANIFEST, [answered], LIMITS).passed).toBe(false);
  });

  it("lets one best move of few change, and no second one", () => {
    const positions = Array.from({ length: 20 }, () => golden(0, [0.7, 0.2, 0.1]));
    const changeAnswers = (count: number): readonly Outputs[] =>
      positions.map((_, at) => answer(0, at < count ? [0.3, 0.6, 0.1] : [0.7, 0.2, 0.1]));
    expect(judge(positions, MANIFEST, changeAnswers(1), LIMITS)).toMatchObject({
      passed: true,
      sameBest: 19,
      withBest: 20,
    });
    expect(judge(positions, MANIFEST, changeAnswers(2), LIMITS)).toMatchObject({ passed: false, sameBest: 18 });
  });

  it("compares sigmoids of single moves as they are, and not as shares of their sum", () => {
    // A hundredth apart is as good, though one is twice the other; and the largest legal one is the best.
    const positions = [golden(0, [0.005, 0.012, 0.9], [0, 1]), golden(0, [0.9, 0.6, 0.8])];
    const answers = [answer(0, [0.012, 0.005, 0.9]), answer(0, [0.88, 0.6, 0.81])];
    expect(judge(positions, MANIFEST, answers, LIMITS)).toMatchObject({ withBest: 1, sameBest: 1, passed: true });
  });

  it("counts no position in which the best two moves are as good, and no move that is not legal", () => {
    const positions = [golden(0, [0.335, 0.33, 0.335]), golden(0, [0.9, 0.06, 0.04], [1, 2])];
    const answers = [answer(0, [0, 1, 0]), answer(0, [0.9, 0.04, 0.06])];
    expect(judge(positions, MANIFEST, answers, LIMITS)).toMatchObject({ withBest: 1, sameBest: 0, passed: true });
  });
});
