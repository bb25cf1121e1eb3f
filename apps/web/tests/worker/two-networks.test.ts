/** Two networks at a time: each answers for itself, and whatever comes next takes the second one's place. */

import "@tensorflow/tfjs-backend-cpu";

import { memory } from "@tensorflow/tfjs-core";
import { describe, expect, it } from "vitest";

import { Engine } from "../../src/worker/Engine";
import { type FetchedBundle, Shelf } from "../../src/worker/Shelf";
import { changeFile, type Files, seal, tiny } from "../bundle/tiny";
import { inWords } from "../texts/words";

const START = { settings: {}, actions: [] };

/** A bundle whose network says of the empty board that the mover's value is this. */
function saying(name: string, value: number): Files {
  const files = tiny({ name });
  return seal(
    changeFile(files, `${name}_tfjs/group1-shard1of1.bin`, (bytes) => {
      const changed = Buffer.from(bytes);
      changed.writeFloatLE(value, 0);
      return changed;
    }),
  );
}

async function fetched(shelf: Shelf, files: Files, name: string): Promise<FetchedBundle> {
  const given = [...files].map(([path, bytes]) => ({
    path: `${name}/${path}`,
    blob: new Blob([Uint8Array.from(bytes)]),
  }));
  const { entry } = await shelf.take({ given, names: [] });
  return shelf.fetch(entry, "");
}

describe("a second network", () => {
  it("answers where it is meant, and the one that is open everywhere else", async () => {
    const [engine, shelf] = [new Engine(), new Shelf()];
    await engine.open(await fetched(shelf, saying("one", 0.5), "one"), "cpu");
    expect(await engine.invite(await fetched(shelf, saying("two", -0.5), "two"), "cpu")).toEqual({
      game: "tictactoe",
      settings: {},
    });
    const says = async (by?: string): Promise<number | null> => (await engine.advise({ position: START, by })).winRate;
    expect([await says("one"), await says("two"), await says()]).toEqual([0.75, 0.25, 0.75]);
    const limit = { kind: "policy" } as const;
    const thought = async (by: string): Promise<number | null> =>
      (
        await engine.think(
          { position: START, limit, by },
          () => false,
          () => undefined,
        )
      ).winRate;
    expect([await thought("two"), await thought("one")]).toEqual([0.25, 0.75]);
  });

  it("leaves for a third one, and for whatever is opened", async () => {
    const [engine, shelf] = [new Engine(), new Shelf()];
    await engine.open(await fetched(shelf, saying("one", 0.5), "one"), "cpu");
    const alone = memory().numTensors;
    await engine.invite(await fetched(shelf, saying("two", -0.5), "two"), "cpu");
    const both = memory().numTensors;
    expect(both).toBeGreaterThan(alone);
    await engine.invite(await fetched(shelf, saying("three", 0), "three"), "cpu");
    expect(memory().numTensors).toBe(both);
    const gone = inWords(() => engine.advise({ position: START, by: "two" }));
    await expect(gone).rejects.toThrow("No bundle is open");
    expect((await engine.advise({ position: START, by: "three" })).winRate).toBe(0.5);
    await engine.open(await fetched(shelf, saying("one", 0.5), "one"), "cpu");
    expect(memory().numTensors).toBe(alone);
  });

  it("is none where it cannot be played", async () => {
    const [engine, shelf] = [new Engine(), new Shelf()];
    await engine.open(await fetched(shelf, saying("one", 0.5), "one"), "cpu");
    expect(await engine.invite(await fetched(shelf, tiny({ name: "blank", game: null }), "blank"), "cpu")).toBeNull();
  });
});
