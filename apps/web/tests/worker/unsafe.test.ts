/** A network that does more than calculate is run by nothing that the page asks: not opened, not played against, not tested. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Entry } from "../../src/bundle/Index";
import { Engine } from "../../src/worker/Engine";
import { Shelf } from "../../src/worker/Shelf";
import { asJson, changeFile, type Files, hash, seal, tiny } from "../bundle/tiny";
import { wordsOf } from "../texts/words";

const BASE = "http://localhost/";
const REFUSED =
  "Bundle 'evil' was not run because its operation 'RandomUniform' (node 'moves') is none of those that only calculate: " +
  "do not use it, export its checkpoint again.";

const evil = seal(
  changeFile(tiny({ name: "evil" }), "evil_tfjs/model.json", (bytes) => {
    const model = JSON.parse(String(bytes)) as { modelTopology: { node: { name: string; op: string }[] } };
    for (const node of model.modelTopology.node) if (node.name === "moves") node.op = "RandomUniform";
    return asJson(model);
  }),
);
const SERVED: Readonly<Record<string, Files>> = { tiny: tiny(), evil };

function entryOf(name: string): Entry {
  const manifest = SERVED[name]?.get("manifest.json") ?? Buffer.alloc(0);
  const files = [{ path: "manifest.json", sha256: hash(manifest), size: manifest.length }];
  const board = { title: name, game: "tictactoe", settings: {}, artifact: `${name}_tfjs`, format: "tfjs" };
  return { name, ...board, files, problems: [], isGiven: false, isKept: true };
}

beforeEach(() => {
  vi.stubGlobal("fetch", async (address: string) => {
    const [, , name = "", ...path] = decodeURIComponent(new URL(address).pathname).split("/");
    const bytes = SERVED[name]?.get(path.join("/"));
    return bytes ? new Response(Uint8Array.from(bytes)) : new Response(null, { status: 404 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const fetched = (name: string): ReturnType<Shelf["fetch"]> => new Shelf().fetch(entryOf(name), BASE);

describe("a network that does more than calculate", () => {
  it.each(["auto", "cpu"] as const)("is not opened on %s", async (backend) => {
    const said = await new Engine().open(await fetched("evil"), backend).then(() => null, wordsOf);
    expect(said).toBe(REFUSED);
  });

  it("is no opponent of the one that is open, which plays on", async () => {
    const engine = new Engine();
    await engine.open(await fetched("tiny"), "cpu");
    expect(await engine.invite(await fetched("evil"), "cpu").then(() => null, wordsOf)).toBe(REFUSED);
    const advice = await engine.advise({ position: { settings: {}, actions: [] } });
    expect(advice.policy.length).toBe(9);
  });

  it("is not tested either, where its game is not known", async () => {
    const unknown = await fetched("evil");
    const engine = new Engine();
    await engine.open({ ...unknown, playable: null, problems: [{ code: "no_game", places: [] }] }, "cpu");
    expect(await engine.test({ backend: "cpu", seconds: 0.001 }).then(() => null, wordsOf)).toBe(REFUSED);
  });
});
