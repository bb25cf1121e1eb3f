import { describe, expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { bundlesOf, type Entry } from "../../src/bundle/Index";
import { fileOf, manifestFrom, webArtifact } from "../../src/bundle/Manifest";
import { whyNot } from "../../src/bundle/Playable";
import type { Problem } from "../../src/bundle/Problem";
import { check, sha256 } from "../../src/bundle/Store";
import { compare } from "../../src/worker/SelfTest";
import { playable } from "../engine/fixtures";
import { inWords } from "../texts/words";

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
const NO_GAME = { code: "no_game", places: [] };

describe("a file of a bundle", () => {
  it("is taken where its size and its hash are the manifest's", async () => {
    expect(await sha256(bytes)).toBe(ABC);
    await expect(check(bytes, { path: "a", sha256: ABC, size: 3 }, "one")).resolves.toBeUndefined();
  });

  it("is refused where they are not, with what to do", async () => {
    const other = { path: "a", sha256: ABC.replace("b", "c"), size: 3 };
    await expect(inWords(check(bytes, other, "one"))).rejects.toThrow(
      /^Bundle 'one': 'a' is not the file .* install the bundle again\.$/,
    );
    await expect(inWords(check(bytes, { ...other, size: 4 }, "one"))).rejects.toThrow(
      "has 3 bytes, its manifest says 4",
    );
  });

  it("has to be listed, and to lie inside", async () => {
    expect(fileOf(manifest, "one_tfjs/model.json", "it").size).toBe(3);
    await expect(inWords(inWords(() => fileOf(manifest, "golden.json", "it")))).rejects.toThrow(
      "does not list 'golden.json'",
    );
    await expect(inWords(inWords(() => fileOf(manifest, "../secret", "it")))).rejects.toThrow(
      "does not list '../secret'",
    );
  });
});

describe("a manifest", () => {
  it("is refused where it has no artifact for a browser", async () => {
    await expect(inWords(inWords(() => webArtifact({ ...manifest, recommended: {} }, "it")))).rejects.toThrow(
      "has no TF.js artifact",
    );
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
    await expect(inWords(open({ outputs: [{ ...value, value_range: "z" }] }))).rejects.toThrow(refused);
  });

  it("is not played where its board cannot be drawn, and says why", async () => {
    for (const more of [{ layout: "x" }, { history: "y" }]) {
      const { playing, problems } = await open({ encoding: { ...encoding, ...more } });
      expect(playing).toBeNull();
      expect(problems).toEqual([{ code: "unreadable", places: [expect.stringMatching(/ is unknown, use/)] }]);
    }
  });

  it("is not played either where its exporter knew why, in codes that this app may not know", async () => {
    const blue = { code: "blue", places: ["sky"] };
    const { problems } = await open({ game: "chess", problems: [blue, { code: "unknown_game", places: ["Chess"] }] });
    expect(problems).toEqual([{ code: "unknown_game", places: ["chess"] }, blue]);
    await expect(inWords(open({ problems: ["it is blue"] }))).rejects.toThrow("'problems' of its manifest");
  });

  it.each(JUDGED)("with $about is judged as Python judges it", ({ manifest, problems }) => {
    // What makes it unreadable is an engine's own sentence.
    const bare = ({ code, places }: Problem): Problem => ({ code, places: code === "unreadable" ? [] : places });
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
  const listBundles = (...bundles: object[]): readonly Entry[] => bundlesOf({ schema_version: 2, bundles });

  it("lists every bundle, with what is in the way of playing it", () => {
    const two = { ...entry, game: null, problems: [NO_GAME, { code: "inputs", places: ["2"] }] };
    const found = listBundles(entry, { ...entry, format: null }, two, { ...entry, format: "tflite" });
    expect(found.map(({ problems }) => problems)).toEqual([
      [],
      [],
      two.problems,
      [{ code: "no_artifact", places: [] }],
    ]);
    expect(found[0]).toEqual({ ...entry, settings: null, isGiven: false, isKept: true });
  });

  it("is judged by the game as well", () => {
    const found = listBundles(entry, { ...entry, game: null }, { ...entry, game: "chess" });
    const chess = { code: "unknown_game", places: ["chess"] };
    expect(found.map(({ problems }) => problems)).toEqual([[], [NO_GAME], [chess]]);
  });

  it("is none that this app reads where an older azx wrote it, whose problems were sentences", async () => {
    const refused = /^azx\/index\.json is not an index of version 2: /;
    await expect(inWords(() => bundlesOf({ schema_version: 1, bundles: [] }))).rejects.toThrow(refused);
    await expect(inWords(() => listBundles({ ...entry, problems: ["it is blue"] }))).rejects.toThrow(refused);
  });

  it("does not say that a person has opened a bundle", () => {
    expect(listBundles({ ...entry, isGiven: true })[0]?.isGiven).toBe(false);
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
