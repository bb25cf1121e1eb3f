/**
 * Which of a bundle's `.tflite` files a browser runs in LiteRT.js: those that are proved equal, or inside their gate. And
 * which TF.js network plays, what comes with it, and what waits.
 */

import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/bundle/Index";
import { liteIn, smallAt } from "../../src/bundle/Lite";
import { bytesOf, inFull } from "../../src/bundle/Needed";

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
});

describe("the small TF.js network", () => {
  const PASSED = { passed: true, limits: LIMITS, positions: [] };
  const small = { format: "tfjs", path: "net.int8-weights_tfjs", precision: "int8-weights", gate: PASSED };

  it("is the one that the index names, inside its gate", () => {
    const limits = { value_max: 0.05, best_move: 0.98, margin: 0.01 };
    expect(smallAt({ artifacts: [null, FP32, small] }, small.path)).toEqual({
      path: small.path,
      precision: "int8-weights",
      limits,
    });
    const half = { ...small, precision: "fp16" };
    expect(smallAt({ artifacts: [half] }, small.path)?.precision).toBe("fp16");
  });

  it.each([
    ["outside its gate", { ...small, gate: { ...PASSED, passed: false } }],
    ["without a gate", { ...small, gate: undefined }],
    ["in full precision", { ...small, precision: "fp32" }],
    ["in a precision that TF.js has not", { ...small, precision: "int4" }],
    ["of another format", { ...small, format: "tflite" }],
    ["at another path", { ...small, path: "net.fp16_tfjs" }],
  ])("is none %s", (_, artifact) => {
    expect(smallAt({ artifacts: [artifact] }, small.path)).toBeNull();
  });

  it("is none where the index names none, nor in an older manifest", () => {
    expect(smallAt({ artifacts: [small] }, null)).toBeNull();
    expect(smallAt({}, small.path)).toBeNull();
  });
});

describe("what a network needs", () => {
  const file = (path: string, size: number): Entry["files"][number] => ({ path, size, sha256: "" });
  const files = [
    file("manifest.json", 3),
    file("net.int8-weights_tfjs/model.json", 5),
    file("net.int8-weights_tfjs/group1-shard1of1.bin", 20),
    file("net_tfjs/model.json", 7),
    file("net_tfjs/group1-shard1of1.bin", 80),
    file("net.tflite", 70),
    file("golden.json", 900),
  ];

  it("is the manifest and the network that the index names, and nothing of another one, nor of the self-test", () => {
    expect(bytesOf({ artifact: "net.int8-weights_tfjs", files })).toBe(28);
    expect(bytesOf({ artifact: "net_tfjs", files })).toBe(90);
  });

  it("is all but what LiteRT.js and the self-test read, where the index names none", () => {
    expect(bytesOf({ artifact: null, files })).toBe(115);
  });

  it("is the other network in full precision, where there is one", () => {
    const entry = { artifact: "net.int8-weights_tfjs", files } as unknown as Entry;
    expect(inFull(entry).artifact).toBe("net_tfjs");
    const alone = {
      artifact: "net_tfjs",
      files: files.filter(({ path }) => !path.includes("int8")),
    } as unknown as Entry;
    expect(inFull(alone)).toBe(alone);
  });
});
