import { describe, expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { bundlesOf, type Entry, NO_ARTIFACT } from "../../src/bundle/Index";
import { fileOf, manifestFrom, webArtifact } from "../../src/bundle/Manifest";
import { whyNot } from "../../src/bundle/Playable";
import { check, sha256 } from "../../src/bundle/Store";
import { compare } from "../../src/worker/SelfTest";
import { playable } from "../engine/fixtures";

const bytes = new TextEncoder().encode("abc").buffer as ArrayBuffer;
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const GIVEN = {
  schema_version: 1,
  name: "one",
  game: "tictactoe",
  inputs: [{ name: "board", shape: [9] }],
  outputs: [{ name: "moves", role: "policy", activation: "linear", shape: [2] }],
  checkpoint: { parameters: 2 },
  recommended: { web: "one_tfjs" },
  files: [
    { path: "one_tfjs/model.json", sha256: ABC, size: 3 },
    { path: "../secret", sha256: ABC, size: 3 },
  ],
};
const JUDGED = playable();
const manifest = manifestFrom(GIVEN, "one");

describe("a file of a bundle", () => {
  it("is taken where its size and its hash are the manifest's", async () => {
    expect(await sha256(bytes)).toBe(ABC);
    await expect(check(bytes, { path: "a", sha256: ABC, size: 3 }, "one")).resolves.toBeUndefined();
  });

  it("is refused where they are not, with what to do", async () => {
    const other = { path: "a", sha256: ABC.replace("b", "c"), size: 3 };
    await expect(check(bytes, other, "one")).rejects.toThrow(
      /^Bundle 'one': 'a' is not the file .* install the bundle again\.$/,
    );
    await expect(check(bytes, { ...other, size: 4 }, "one")).rejects.toThrow("has 3 bytes, its manifest says 4");
  });

  it("has to be listed, and to lie inside", () => {
    expect(fileOf(manifest, "one_tfjs/model.json", "it").size).toBe(3);
    expect(() => fileOf(manifest, "golden.json", "it")).toThrow("does not list 'golden.json'");
    expect(() => fileOf(manifest, "../secret", "it")).toThrow("does not list '../secret'");
  });
});

describe("a manifest", () => {
  it("is refused where it has no artifact for a browser", () => {
    expect(() => webArtifact({ ...manifest, recommended: {} }, "it")).toThrow("has no TF.js artifact");
  });

  it("may name no game, and have more than one input", () => {
    expect(manifestFrom({ ...GIVEN, game: undefined, inputs: [...GIVEN.inputs, ...GIVEN.inputs] }, "it")).toMatchObject(
      {
        game: null,
        batch: null,
      },
    );
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
    expect((await open({})).playing?.valueHead?.range).toBe("signed");
    const outputs = [{ ...value, activation: "sigmoid" }];
    const { playing } = await open({ outputs, encoding: { ...encoding, value: "player0" } });
    expect([playing?.valueHead?.range, playing?.reading.encoding.value]).toEqual(["unit", "player0"]);
  });

  it("is refused by its name where its value is what this app does not know", async () => {
    const refused = /^Bundle 'one': .* is unknown, use one of .*\.$/;
    await expect(open({ outputs: [{ ...value, value_range: "z" }] })).rejects.toThrow(refused);
  });

  it("is not played where its board cannot be drawn, and says why", async () => {
    for (const more of [{ layout: "x" }, { history: "y" }]) {
      const { playing, problems } = await open({ encoding: { ...encoding, ...more } });
      expect(playing).toBeNull();
      expect(problems).toEqual([
        expect.stringMatching(/^what its network reads is not described so .* is unknown, use/),
      ]);
    }
  });

  it.each(JUDGED)("with $about is judged as Python judges it", ({ manifest, problems }) => {
    // What stands in brackets is an engine's own sentence.
    const bare = (clause: string): string => clause.replace(/^(what .* be drawn) \(.+\)$/, "$1");
    expect(whyNot(manifest).map(bare)).toEqual(problems.map(bare));
  });
});

describe("the index", () => {
  const entry = {
    name: "one",
    title: "One",
    game: "go",
    artifact: "one_tfjs",
    format: "tfjs",
    files: [],
    problems: [],
  };
  const listed = (...bundles: object[]): readonly Entry[] => bundlesOf({ schema_version: 1, bundles });

  it("lists every bundle, with what is in the way of playing it", () => {
    const two = { ...entry, game: null, problems: ["it has no known game", "its network has 2 inputs"] };
    const found = listed(entry, { ...entry, format: null }, two, { ...entry, format: "tflite" });
    expect(found.map(({ problems }) => problems)).toEqual([[], [], two.problems, [NO_ARTIFACT]]);
    expect(found[0]).toEqual({ ...entry, settings: null, isGiven: false, isKept: true });
  });

  it("is read where an older azx wrote it, and then judged by the game", () => {
    const { problems: _, ...old } = entry;
    const found = listed(old, { ...old, game: null }, { ...old, game: "chess" });
    const clauses = [[], ["it has no known game"], ["its game, 'chess', is none that the apps know"]];
    expect(found.map(({ problems }) => problems)).toEqual(clauses);
  });

  it("may be of a later azx, whose games this app does not know", () => {
    expect(listed({ ...entry, game: "chess" })[0]?.problems).toEqual(["its game, 'chess', is none that the apps know"]);
  });

  it("does not say that a person has opened a bundle", () => {
    expect(listed({ ...entry, isGiven: true })[0]?.isGiven).toBe(false);
  });
});

describe("the self-test", () => {
  const golden = [{ inputs: { board: [0] }, outputs: { moves: [1, 1.00005] }, legal: [0, 1], best: 1 }];
  const run = (...moves: number[]): ReturnType<typeof compare> =>
    compare(golden, manifest, [new Map([["moves", moves]])]);

  it("passes outputs within the limit, and the other one of two equal moves", () => {
    expect(run(1.00004, 1.00003)).toMatchObject({ passed: true, sameBest: 1, withBest: 1 });
  });

  it("fails where a number is too far off, missing or none", () => {
    expect(run(1, 1.001)).toMatchObject({ passed: false });
    expect(run(1)).toMatchObject({ passed: false, largestError: Infinity });
    expect(run(Number.NaN, 1)).toMatchObject({ passed: false, largestError: Infinity });
  });
});
