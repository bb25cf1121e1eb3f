/** Which of a bundle's `.tflite` files a browser runs in LiteRT.js: those that are proved equal, or inside their gate. */

import { describe, expect, it } from "vitest";
import { liteIn } from "../../src/bundle/Lite";
import { bytesOf } from "../../src/bundle/Needed";

const LIMITS = { value_max: 0.05, value_p99: 0.02, kl_p99: 0.02, best_move: 0.98, margin: 0.01 };
const int8 = (gate: unknown): object => ({
  format: "tflite",
  path: "net.int8-dynamic.tflite",
  precision: "int8-dynamic",
  gate,
});
const FP32 = { format: "tflite", path: "net.tflite", precision: "fp32" };

describe("what LiteRT.js runs", () => {
  it("is float32, and 8 bits inside their gate", () => {
    const artifacts = [
      int8({ passed: true, limits: LIMITS, positions: [] }),
      FP32,
      { format: "tfjs", path: "net_tfjs" },
    ];
    expect(liteIn({ artifacts, batch: 1 })).toEqual([
      {
        path: "net.int8-dynamic.tflite",
        precision: "int8-dynamic",
        limits: { value_max: 0.05, best_move: 0.98, margin: 0.01 },
      },
      { path: "net.tflite", precision: "fp32", limits: null },
    ]);
  });

  it.each([
    ["outside its gate", int8({ passed: false, limits: LIMITS })],
    ["without a gate", int8(undefined)],
    ["with limits that are no shares", int8({ passed: true, limits: { ...LIMITS, margin: "1" } })],
    ["without limits", int8({ passed: true })],
    ["in a precision that no app knows", { ...FP32, precision: "int4" }],
    ["in half precision, which gains nothing here", { ...FP32, path: "net.fp16.tflite", precision: "fp16" }],
    ["that leads out of the bundle", { ...FP32, path: "../net.tflite" }],
    ["of another name", { ...FP32, path: "net.bin" }],
    ["that is none", null],
  ])("is nothing %s", (_, artifact) => {
    expect(liteIn({ artifacts: [artifact], batch: 1 })).toEqual([]);
  });

  it("is nothing of an older manifest, and nothing of a free batch", () => {
    expect(liteIn({ batch: 1 })).toEqual([]);
    expect(liteIn({ artifacts: [FP32], batch: null })).toEqual([]);
  });

  it("is not waited for when a network is opened", () => {
    const file = (path: string, size: number): { path: string; size: number; sha256: string } => ({
      path,
      size,
      sha256: "",
    });
    expect(
      bytesOf({
        artifact: null,
        files: [file("net_tfjs/model.json", 5), file("net.tflite", 70), file("golden.json", 900)],
      }),
    ).toBe(5);
  });
});
