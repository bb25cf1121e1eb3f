import { describe, expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { bundlesOf } from "../../src/bundle/Index";
import { fileOf, manifestFrom, webArtifact } from "../../src/bundle/Manifest";
import { check, sha256 } from "../../src/bundle/Store";
import { compare } from "../../src/worker/SelfTest";

const bytes = new TextEncoder().encode("abc").buffer as ArrayBuffer;
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const GIVEN = {
  schema_version: 1,
  name: "one",
  game: "tictactoe",
  inputs: [{ name: "board", shape: [1] }],
  outputs: [{ name: "moves", role: "policy", activation: "linear", shape: [2] }],
  recommended: { web: "one_tfjs" },
  files: [
    { path: "one_tfjs/model.json", sha256: ABC, size: 3 },
    { path: "../secret", sha256: ABC, size: 3 },
  ],
};
const manifest = manifestFrom(GIVEN, "Bundle 'one'");

describe("a file of a bundle", () => {
  it("is taken where its size and its hash are the manifest's", async () => {
    expect(await sha256(bytes)).toBe(ABC);
    await expect(check(bytes, { path: "a", sha256: ABC, size: 3 }, "Bundle 'one'")).resolves.toBeUndefined();
  });

  it("is refused where they are not, with what to do", async () => {
    const other = { path: "a", sha256: ABC.replace("b", "c"), size: 3 };
    await expect(check(bytes, other, "Bundle 'one'")).rejects.toThrow(
      /^Bundle 'one': 'a' is not the file .* install the bundle again\.$/,
    );
    await expect(check(bytes, { ...other, size: 4 }, "Bundle 'one'")).rejects.toThrow(
      "has 3 bytes, its manifest says 4",
    );
  });

  it("has to be listed, and to lie inside", () => {
    expect(fileOf(manifest, "one_tfjs/model.json", "it").size).toBe(3);
    expect(() => fileOf(manifest, "golden.json", "it")).toThrow("does not list 'golden.json'");
    expect(() => fileOf(manifest, "../secret", "it")).toThrow("does not list '../secret'");
  });
});

describe("a manifest", () => {
  it("is refused where this app cannot read or play it", () => {
    expect(() => manifestFrom({ ...GIVEN, schema_version: 2 }, "it")).toThrow("has version 2, this app reads 1");
    expect(() => manifestFrom({ ...GIVEN, files: undefined }, "it")).toThrow("lacks inputs, outputs, files");
    expect(() => manifestFrom({ ...GIVEN, game: null }, "it")).toThrow("names no game");
    expect(() => manifestFrom({ ...GIVEN, inputs: [] }, "it")).toThrow("has 0 inputs");
    expect(() => webArtifact({ ...manifest, recommended: {} }, "it")).toThrow("has no TF.js artifact");
  });
});

describe("a bundle", () => {
  const value = { name: "value", role: "value", activation: "tanh", shape: [1] };
  const encoding = { layout: "flat", board: [3, 3], planes: ["signed"] };
  const open = (more: object): Promise<Bundle> => {
    const text = JSON.stringify({ ...GIVEN, outputs: [value], encoding, ...more });
    const read = async (): Promise<ArrayBuffer> => new TextEncoder().encode(text).buffer as ArrayBuffer;
    return Bundle.open("one", { path: "manifest.json", sha256: ABC, size: 3 }, read);
  };

  it("says how its value is read, and whose it is", async () => {
    expect((await open({})).valueHead?.range).toBe("signed");
    const outputs = [{ ...value, activation: "sigmoid" }];
    const { valueHead, reading } = await open({ outputs, encoding: { ...encoding, value: "player0" } });
    expect([valueHead?.range, reading.encoding.value]).toEqual(["unit", "player0"]);
  });

  it("is refused by its name where it asks for what this app does not know", async () => {
    const refused = /^Bundle 'one': .* is unknown, use one of .*\.$/;
    await expect(open({ encoding: { ...encoding, layout: "x" } })).rejects.toThrow(refused);
    await expect(open({ encoding: { ...encoding, history: "y" } })).rejects.toThrow(refused);
    await expect(open({ outputs: [{ ...value, value_range: "z" }] })).rejects.toThrow(refused);
  });
});

it("lists the bundles that a browser can play", () => {
  const entry = { name: "one", title: "One", game: "go", artifact: "one_tfjs", format: "tfjs", files: [] };
  expect(
    bundlesOf({ schema_version: 1, bundles: [entry, { ...entry, format: "tflite" }, { ...entry, game: null }] }),
  ).toEqual([entry]);
  expect(() => bundlesOf({ schema_version: 2, bundles: [] })).toThrow("not an index of version 1");
});

describe("the self-test", () => {
  const golden = [{ inputs: { board: [0] }, outputs: { moves: [1, 1.00005] }, legal: [0, 1], best: 1 }];
  const run = (...moves: number[]): ReturnType<typeof compare> =>
    compare(golden, manifest, async () => new Map([["moves", moves]]));

  it("passes outputs within the limit, and the other one of two equal moves", async () => {
    expect(await run(1.00004, 1.00003)).toMatchObject({ passed: true, sameBest: 1, withBest: 1 });
  });

  it("fails where a number is too far off, missing or none", async () => {
    expect(await run(1, 1.001)).toMatchObject({ passed: false });
    expect(await run(1)).toMatchObject({ passed: false, largestError: Infinity });
    expect(await run(Number.NaN, 1)).toMatchObject({ passed: false, largestError: Infinity });
  });
});

it("refuses an index that is damaged, in a sentence", () => {
  const entry = {
    name: "one",
    title: "One",
    game: "go",
    artifact: "one_tfjs",
    format: "tfjs",
    files: [{ path: "manifest.json" }],
  };
  expect(bundlesOf({ schema_version: 1, bundles: [entry] })).toHaveLength(1);
  const damaged = [
    null,
    1,
    [],
    {},
    { ...entry, name: 1 },
    { ...entry, game: undefined },
    { ...entry, files: undefined },
    { ...entry, files: [null] },
  ];
  for (const each of damaged) {
    expect(() => bundlesOf({ schema_version: 1, bundles: [entry, each] }), JSON.stringify(each)).toThrow(
      "index.json is damaged: install",
    );
  }
});
