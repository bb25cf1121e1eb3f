/** Readings that fit beside one that is only assumed: what is taken of a manifest, and what a network is then given. */

import { describe, expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { encode } from "../../src/engine/Encoding";
import { inWords } from "../texts/words";
import { ASSUMED, hash, tiny, withManifest } from "./tiny";

function open(more: object, chosen: string | null = null): Promise<Bundle> {
  const files = withManifest(tiny(), more);
  const manifest = files.get("manifest.json") ?? Buffer.alloc(0);
  const entry = { path: "manifest.json", sha256: hash(manifest), size: manifest.length };
  const read = async (path: string): Promise<ArrayBuffer> =>
    Uint8Array.from(files.get(path) ?? []).buffer as ArrayBuffer;
  return Bundle.open("tiny", entry, read, [], chosen);
}

const [first, second] = ASSUMED.others;
const X_IN_THE_CORNER = [0];

/** What the network reads once player 0 has played in the corner. */
async function tensor(more: object, chosen: string | null): Promise<number[]> {
  const { playing } = await open(more, chosen);
  if (!playing) throw new Error("it is not played");
  const state = X_IN_THE_CORNER.reduce((now, action) => now.apply(action), playing.reading.start());
  return [...encode(state, playing.reading.encoding)].slice(0, 2);
}

describe("a bundle whose reading is assumed", () => {
  it("is read as assumed, or as a person has chosen", async () => {
    expect(await tensor({ assumed: ASSUMED }, null)).toEqual([-1, 0]);
    expect(await tensor({ assumed: ASSUMED }, "tictactoe-signed-opponent")).toEqual([1, 0]);
    expect(await tensor({ assumed: ASSUMED }, "tictactoe-codes-player0")).toEqual([1, 0]);
    expect(await tensor({ assumed: ASSUMED }, "tictactoe-codes-mover")).toEqual([-1, 0]);
    // Nothing may be chosen where the reading is a fact.
    expect(await tensor({}, "tictactoe-signed-opponent")).toEqual([-1, 0]);
  });

  it("numbers the moves as the chosen reading does", async () => {
    const assumed = { others: [{ ...first, actions: [8, 7, 6, 5, 4, 3, 2, 1, 0] }] };
    const { playing } = await open({ assumed }, "tictactoe-signed-opponent");
    expect(playing?.reading.numbering?.index(0)).toBe(8);
  });

  it("tells what is in doubt, and what was chosen", async () => {
    expect((await open({})).doubt).toBeNull();
    expect((await open({ assumed: null })).doubt).toBeNull();
    const { doubt } = await open({ assumed: ASSUMED }, "tictactoe-codes-player0");
    expect(doubt?.assumed.planes).toEqual(["signed"]);
    expect(doubt?.others.map(({ name, encoding }) => [name, encoding.planes])).toEqual([
      ["tictactoe-signed-opponent", ["signed_opponent"]],
      ["tictactoe-codes-player0", ["codes_player0"]],
    ]);
    expect(doubt?.chosen).toBe("tictactoe-codes-player0");
    expect((await open({ assumed: ASSUMED }, "tictactoe-codes-mover")).doubt?.chosen).toBeNull();
    expect((await open({ assumed: { others: [] } })).doubt?.others).toEqual([]);
  });

  it("tells whether its outputs are assumed, too", async () => {
    const { manifest, doubt, playing } = await open({ assumed: ASSUMED });
    expect(doubt?.outputs).toBe(false);
    const outputs = manifest.outputs.map((output) => ({ ...output, degree: "assumed" }));
    expect((await open({ assumed: ASSUMED, outputs })).doubt).toMatchObject({ board: true, outputs: true });
    const alone = { assumed: playing?.reading.encoding, others: [], chosen: null, board: false, outputs: true };
    expect((await open({ outputs })).doubt).toEqual(alone);
    const other = manifest.outputs.map((output) => ({ ...output, role: "other", degree: "not known" }));
    expect((await open({ outputs: other })).doubt).toBeNull();
  });

  it.each([
    ["no object", 1],
    ["no list", { others: 1 }],
    ["more than eight", { others: Array.from({ length: 9 }, () => first) }],
    ["a name that is none", { others: [{ ...first, name: "<b>" }] }],
    ["a name of no end", { others: [{ ...first, name: "a".repeat(121) }] }],
    ["no encoding", { others: [{ ...first, encoding: null }] }],
    ["no numbering", { others: [{ ...first, actions: null }] }],
    ["a numbering that is none", { others: [{ ...first, actions: [0.5] }] }],
  ])("is refused where that is %s", async (_, assumed) => {
    await expect(inWords(open({ assumed }))).rejects.toThrow("'assumed' of its manifest is not there or is damaged");
  });

  it.each([
    ["planes that it does not know", { ...second?.encoding, planes: ["weather"] }, "cell"],
    ["another board", { ...second?.encoding, board: [6, 7] }, "cell"],
    ["more numbers than the network reads", { ...second?.encoding, planes: ["mover", "opponent"] }, "cell"],
    ["too few moves", second?.encoding, [0, 1]],
    ["a numbering of another game", second?.encoding, "column"],
  ])("does not offer one of %s", async (_, encoding, actions) => {
    const assumed = { others: [first, { ...second, encoding, actions }] };
    const { playing, doubt } = await open({ assumed }, second?.name);
    expect(doubt?.others.map(({ name }) => name)).toEqual([first?.name]);
    expect(playing?.reading.encoding.planes).toEqual(["signed"]);
  });
});
