import { describe, expect, it } from "vitest";

import { fromManifest } from "../../src/engine/known/Recognition";
import { type ManifestValue, valueHeadFrom } from "../../src/engine/ValueHead";

import { stateAfter, values } from "./fixtures";

const WRITTEN = values();

// They come with the Python engine's own files.
describe("the golden values", () => {
  it.skipIf(!WRITTEN)(WRITTEN ? "are read" : "(values.json is not there)", () => {
    for (const written of WRITTEN?.cases ?? []) {
      const head = valueHeadFrom({ ...written, shape: [written.outputs.length] });
      const encoding = { layout: "flat", board: [3, 3], planes: ["signed"], value: written.whose };
      const state = stateAfter("tictactoe", {}, written.to_move ? [4] : []);
      const value = fromManifest({ game: "tictactoe", encoding }, null).value(head.read(written.outputs), state);
      expect(Math.abs(value - written.value), JSON.stringify(written)).toBeLessThanOrEqual(WRITTEN?.tolerance ?? 0);
    }
    expect(WRITTEN?.cases.length).toBeGreaterThan(0);
  });
});

const TANH: ManifestValue = { shape: [1], activation: "tanh" };
const CHANCES = { shape: [3], activation: "softmax", value_range: "wdl", order: ["loss", "draw", "win"] };

describe("a value head", () => {
  it("runs from -1 to 1 where nothing else is said", () => {
    expect(valueHeadFrom(TANH).read([-0.5])).toBe(-0.5);
    expect(valueHeadFrom({ ...TANH, activation: "sigmoid", value_range: "signed" }).read([0.25])).toBe(0.25);
  });

  it("may run from 0 to 1, as what ends with a sigmoid does", () => {
    expect(valueHeadFrom({ ...TANH, value_range: "unit" }).read([0.25])).toBe(-0.5);
    for (const activation of ["sigmoid", "hard_sigmoid"]) {
      expect(valueHeadFrom({ ...TANH, activation, value_range: null }).read([0.75])).toBe(0.5);
    }
  });

  it("may tell the chances to win, draw and lose, in any order", () => {
    expect(valueHeadFrom(CHANCES).read([0.125, 0.25, 0.625])).toBe(0.5);
    expect(valueHeadFrom({ ...CHANCES, value_range: undefined, order: undefined }).read([0.125, 0.25, 0.625])).toBe(
      -0.5,
    );
    expect(valueHeadFrom({ ...CHANCES, order: ["draw", "win", "loss"] }).read([0.125, 0.25, 0.625])).toBe(-0.375);
  });

  it("takes the softmax of chances that are logits, however large", () => {
    const logits = valueHeadFrom({ ...CHANCES, activation: "linear" });
    expect(logits.read([Math.log(1), Math.log(2), Math.log(5)])).toBeCloseTo(0.5, 12);
    expect(logits.read([-5000, 0, 5000])).toBe(1);
    const unknown = valueHeadFrom({ ...CHANCES, activation: "unknown" });
    expect(unknown.read([0.125, 0.25, 0.625])).toBe(0.5);
    expect(unknown.read([Math.log(1), Math.log(2), Math.log(5)])).toBeCloseTo(0.5, 12);
  });

  it("is refused where it says what there is not", () => {
    expect(() => valueHeadFrom({ ...TANH, value_range: "z" })).toThrow(
      "value_range 'z' is unknown, use one of signed, unit, wdl.",
    );
    expect(() => valueHeadFrom({ ...CHANCES, shape: [1] })).toThrow("takes three outputs, the value has 1.");
    expect(() => valueHeadFrom({ ...TANH, shape: [2] })).toThrow("'signed' takes one output, the value has 2.");
    expect(() => valueHeadFrom({ ...TANH, value_range: "unit", order: CHANCES.order })).toThrow("'unit' has no order");
    for (const order of ["win", ["win", "draw"], ["win", "win", "loss"]]) {
      expect(() => valueHeadFrom({ ...CHANCES, order })).toThrow("is not win, draw and loss, each once.");
    }
  });
});
