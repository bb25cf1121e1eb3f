/** What the page says of an artifact's bytes: in Python's words, for each of calculations.json's cases. */

import { describe, expect, it } from "vitest";
import { calculationOf } from "../../src/bundle/Calculation";
import { sayThis } from "../../src/texts/Speech";
import { calculations } from "../engine/fixtures";

const PATH = "net_tfjs";
const artifacts = (calculation: unknown): unknown => [{ path: "net.onnx" }, null, { path: PATH, calculation }];

describe("what a manifest says of an artifact's bytes", () => {
  it.each(calculations().map((each) => [each.about, each] as const))("%s", (_, { calculation, sentence }) => {
    const told = calculationOf({ artifacts: artifacts(calculation) }, PATH);
    expect(told && sayThis(told)).toBe(sentence);
    expect(calculationOf({ artifacts: artifacts(calculation) }, "net.onnx")).toBeNull();
  });

  it("is nothing of an older bundle", () => {
    for (const none of [undefined, {}, [null], artifacts(undefined)]) {
      expect(calculationOf({ artifacts: none }, PATH)).toBeNull();
    }
    expect(calculationOf({ artifacts: [{}] }, undefined)).toBeNull();
  });
});
