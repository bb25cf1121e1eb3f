/** The self-test's side of a network: several inputs, a fixed batch, no policy, no game. On the cpu backend. */

import { describe, expect, it, vi } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { priors, Uniform } from "../../src/engine/Evaluator";
import { sayThis } from "../../src/texts/Speech";
import { use } from "../../src/worker/Backends";
import { Engine } from "../../src/worker/Engine";
import { answers } from "../../src/worker/Model";
import { Network } from "../../src/worker/Network";
import { compare, evaluations } from "../../src/worker/SelfTest";
import { Shelf } from "../../src/worker/Shelf";
import { TfModel } from "../../src/worker/TfModel";
import { Thinker } from "../../src/worker/Thinker";
import { changeFile, type Files, seal, type Tiny, tiny, withManifest } from "../bundle/tiny";
import { stateAfter } from "../engine/fixtures";
import { inWords } from "../texts/words";

async function openBundle(files: Files): Promise<Bundle> {
  const entry = { path: "manifest.json", sha256: "", size: 0 };
  return Bundle.open("tiny", entry, async (path) => Uint8Array.from(files.get(path) ?? []).buffer);
}

async function model(bundle: Bundle): Promise<TfModel> {
  await use("cpu");
  return TfModel.load(bundle.manifest, await bundle.graph());
}

describe("the self-test of a network", () => {
  const kinds: readonly (readonly [string, Tiny])[] = [
    ["of a known game", {}],
    ["without a known game", { game: null }],
    ["with two inputs", { game: null, inputs: 2 }],
    ["without a policy", { hasPolicy: false }],
    ["that takes two positions at a time, of three", { batch: 2 }],
    ["that takes eight", { batch: 8, inputs: 3 }],
  ];

  it.each(kinds)("%s compares its answers with the recorded ones", async (_, how) => {
    const bundle = await openBundle(tiny(how));
    const network = await model(bundle);
    const golden = await bundle.golden();
    const found = compare(
      golden,
      bundle.manifest,
      await answers(
        network,
        bundle.manifest,
        golden.map(({ inputs }) => inputs),
      ),
    );
    const withBest = how.hasPolicy === false ? 0 : 3;
    expect(found).toMatchObject({ passed: true, positions: 3, withBest, sameBest: withBest });
    expect(found.largestError).toBeLessThan(1e-5);
  });

  it("fails where another network answers", async () => {
    const weights = "tiny_tfjs/group1-shard1of1.bin";
    const other = changeFile(tiny({ batch: 2 }), weights, (bytes) =>
      Buffer.concat([Buffer.alloc(4), bytes.subarray(4)]),
    );
    const bundle = await openBundle(other);
    const golden = await bundle.golden();
    const network = await model(bundle);
    const found = compare(
      golden,
      bundle.manifest,
      await answers(
        network,
        bundle.manifest,
        golden.map(({ inputs }) => inputs),
      ),
    );
    expect(found.passed).toBe(false);
    expect(found.largestError).toBeCloseTo(0.25, 6);
  });

  it("says which input a position lacks", async () => {
    const bundle = await openBundle(tiny({ inputs: 2, game: null }));
    const row = { board: Array(9).fill(0), input_2: [1] };
    await expect(answers(await model(bundle), bundle.manifest, [row])).rejects.toThrow(
      "A position has 1 numbers for 'input_2', the network reads 9.",
    );
  });
});

describe("an engine", () => {
  const giveFiles = (files: Files): { path: string; blob: Blob }[] =>
    [...files].map(([path, bytes]) => ({ path: `tiny/${path}`, blob: new Blob([Uint8Array.from(bytes)]) }));

  it("tests a bundle that it cannot play, and plays none of it", async () => {
    const [engine, shelf] = [new Engine(), new Shelf()];
    const { entry } = await shelf.take({ given: giveFiles(tiny({ game: null, inputs: 2 })), names: [] });
    const opened = await engine.open(await shelf.fetch(entry, ""), "cpu");
    expect(opened).toMatchObject({ playing: null, untestable: null, problems: entry.problems });
    expect(await engine.test({ backend: "cpu", seconds: 0.01 })).toMatchObject({
      passed: true,
      playoutsPerSecond: null,
    });
    const advice = inWords(() => engine.advise({ position: { settings: {}, actions: [] } }));
    await expect(advice).rejects.toThrow("No bundle is open");
  });

  it("believes the index where it says that a bundle cannot be played", async () => {
    const [engine, shelf] = [new Engine(), new Shelf()];
    const taken = await shelf.take({ given: giveFiles(tiny()), names: [] });
    const entry = { ...taken.entry, problems: [{ code: "other_kind", places: [] }] };
    const opened = await engine.open(await shelf.fetch(entry, ""), "cpu");
    expect([opened.playing, opened.problems]).toEqual([null, entry.problems]);
  });

  it("has a bundle that no browser keeps as long as it is there, and says so", async () => {
    const shelf = new Shelf();
    const { entry, unkept } = await shelf.take({ given: giveFiles(tiny()), names: [] });
    expect(entry).toMatchObject({ name: "tiny", isGiven: true, isKept: false });
    expect(unkept && sayThis(unkept)).toMatch(
      /^Bundle 'tiny' cannot be kept in this browser \(.*\): it is here until the page is closed\.$/,
    );
    expect(await shelf.recall({ names: [] })).toEqual([]);
    expect((await shelf.fetch(entry, "")).playable).not.toBeNull();
  });

  it("says why the self-test of a bundle cannot run", async () => {
    const [engine, shelf] = [new Engine(), new Shelf()];
    const files = changeFile(tiny({ game: null }), "golden.json", () => Buffer.from('{"positions": []}'));
    const { entry: bad } = await shelf.take({ given: giveFiles(seal(files)), names: [] });
    const opened = await engine.open(await shelf.fetch(bad, ""), "cpu");
    expect(opened.untestable).toEqual({ key: "error_no_positions", places: ["tiny"] });
  });
});

describe("a network without a policy", () => {
  it("is played: every legal move is as likely before the search, and the value decides", async () => {
    const { manifest, playing, ...bundle } = await openBundle(tiny({ hasPolicy: false }));
    expect(bundle.problems).toEqual([]);
    if (!playing) throw new Error("it is not played");
    const network = new Network(await model(await openBundle(tiny({ hasPolicy: false }))), manifest, playing);
    expect([network.hasPolicy, network.hasValue]).toEqual([false, true]);
    const state = playing.reading.start().apply(4);
    const [answer = new Uniform().evaluate([state])[0]] = await network.evaluate([state]);
    if (!answer) throw new Error("it gave no answer");
    expect([...priors(answer, state.legalActions())]).toEqual(Array(8).fill(1 / 8));
    expect(answer.value).toBeCloseTo(-1 / 9 + 0.25, 5);
    const thinker = new Thinker(playing.reading, network);
    const thought = await thinker.think(
      { settings: {}, actions: [4] },
      { kind: "simulations", count: 50 },
      () => false,
      () => undefined,
    );
    expect(thought.simulations).toBe(50);
    expect(state.legalActions()).toContain(thought.action);
    expect(thought.winRate).not.toBeNull();
  });
});

describe("a network that reads in a second input who moves", () => {
  it("is played: each input is given its part of the position", async () => {
    const files = tiny({ inputs: 2 });
    const { encoding } = JSON.parse(String(files.get("manifest.json"))) as { encoding: object };
    const told = withManifest(files, { encoding: { ...encoding, beside: { planes: ["turn_player0"], cells: 9 } } });
    const bundle = await openBundle(seal(told));
    expect(bundle.problems).toEqual([]);
    const { playing, manifest } = bundle;
    if (!playing) throw new Error("it is not played");
    const network = new Network(await model(bundle), manifest, playing);
    const state = playing.reading.start().apply(4);
    const [answer] = await network.evaluate([state]);
    // The sum of what both inputs read: the opponent's piece in the middle, and -1 everywhere as the second player moves.
    expect([...(answer?.policy ?? [])]).toEqual(Array.from({ length: 9 }, (_, cell) => 0.25 - 1 - Number(cell === 4)));
    expect(answer?.value).toBeCloseTo(0.25 - 1 - 1 / 9, 5);
    const limit = { kind: "simulations", count: 50 } as const;
    const asked = { settings: {}, actions: [4] };
    const thought = await new Thinker(playing.reading, network).think(
      asked,
      limit,
      () => false,
      () => undefined,
    );
    expect(state.legalActions()).toContain(thought.action);
  });
});

describe("the speed of a network", () => {
  it.each([0.25, 2.5, 40])(
    "is told of one that takes %d ms by a clock that ticks once a millisecond",
    async (takes) => {
      let time = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => Math.floor(time));
      const network = {
        evaluate: async () => {
          time += takes;
          return [];
        },
      };
      const state = stateAfter("tictactoe", {}, []);
      const { milliseconds, least, perSecond } = await evaluations(network, [state], 0.06);
      clock.mockRestore();
      for (const each of [milliseconds, least, 1000 / perSecond]) expect(Math.abs(each / takes - 1)).toBeLessThan(0.1);
    },
  );
});
