/** azx-play: what it opens and what it says, as sources; and as it is packed, with the listings of docs/in-your-app.md. */

import "@tensorflow/tfjs-backend-cpu";

import { readFileSync, statSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";

import { GameError, OpenError, openBundle, type ReadFile, Search } from "../../play/index";
import { USUAL } from "../../src/engine/SearchSettings";
import { ASSUMED, changeFile, type Files, tiny, withManifest } from "../bundle/tiny";
import { install, listings, runProgram, START, typeErrors, whyNot } from "./packed";

const VERSION = /__version__ = "(.+)"/.exec(
  readFileSync(new URL("../../../../version.py", import.meta.url), "utf8"),
)?.[1];
const MOST_BYTES = 150_000;

/** Reads files that are in memory, as a view into larger memory, as Node's own reading may give it. */
function reader(files: Files): ReadFile {
  return async (path) => {
    const bytes = files.get(path);
    if (!bytes) throw new Error(`there is no ${path}`);
    return Buffer.concat([Buffer.from("before"), bytes]).subarray(6);
  };
}

/** What is said of a bundle that cannot be opened, or whose network cannot be loaded. */
async function refusal(files: Files, reading?: string): Promise<string> {
  const opened = openBundle(reader(files), reading === undefined ? {} : { reading });
  const error: unknown = await opened.then((bundle) => bundle.network()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenError);
  return (error as OpenError).message;
}

describe("a bundle that is opened", () => {
  it("has its game, its first state and its network, which a search can ask", async () => {
    const bundle = await openBundle(reader(tiny()));
    expect([bundle.name, bundle.game.name, bundle.readings]).toEqual(["tiny", "tictactoe", []]);
    const network = await bundle.network();
    expect([network.hasValue, network.hasPolicy]).toEqual([true, true]);
    const state = bundle.start().apply(4);
    const [answer] = await network.evaluate([state]);
    // The policy is the cell's number plus a quarter: the opponent's piece is -1.
    expect([...(answer?.policy ?? [])]).toEqual([0.25, 0.25, 0.25, 0.25, -0.75, 0.25, 0.25, 0.25, 0.25]);
    const search = new Search(state, network, { proves: true });
    await search.run(50);
    expect(state.legalActions()).toContain(search.bestAction());
    network.dispose();
    await expect(async () => network.evaluate([state])).rejects.toThrow();
  });

  it("says how it is searched, and is not opened where that is not known", async () => {
    const gumbel = { kind: "gumbel", considered: 4, c_visit: 20, c_scale: 1 };
    const { search } = await openBundle(reader(withManifest(tiny(), { search: { root: gumbel } })));
    expect(search).toEqual({ ...USUAL, root: { considered: 4, visit: 20, scale: 1 } });
    expect((await openBundle(reader(tiny()))).search).toEqual(USUAL);
    expect(await refusal(withManifest(tiny(), { search: { root: { ...gumbel, noise: 1 } } }))).toBe(
      "Bundle 'tiny' cannot be played: how it is to be searched is not known here (root.noise).",
    );
  });

  it("says why it cannot be opened, in one sentence of English", async () => {
    const cut = changeFile(tiny(), "tiny_tfjs/group1-shard1of1.bin", (bytes) => bytes.fill(0));
    expect(await refusal(cut)).toMatch(/^Bundle 'tiny': .*group1-shard1of1\.bin.*\.$/);
    expect(await refusal(tiny({ inputs: 2 }))).toBe(
      "Bundle 'tiny' cannot be played: its network has 2 inputs, and nothing says what each of them reads.",
    );
    expect(await refusal(new Map([["manifest.json", Buffer.from("{")]]))).toMatch(/manifest\.json/);
    expect(await refusal(withManifest(tiny(), { problems: [{ code: "of_a_later_azx", places: [] }] }))).toContain(
      "it gives a reason that this app does not know (of_a_later_azx)",
    );
  });

  it("is read in another way where its own is assumed, and only then", async () => {
    const files = withManifest(tiny(), { assumed: ASSUMED });
    const chosen = ASSUMED.others[0]?.name ?? "";
    expect((await openBundle(reader(files))).readings).toEqual(ASSUMED.others.map(({ name }) => name));
    const network = await (await openBundle(reader(files), { reading: chosen })).network();
    const [answer] = await network.evaluate([(await openBundle(reader(files))).start().apply(4)]);
    expect(answer?.policy?.[4]).toBe(1.25);
    expect(await refusal(files, "upside-down")).toBe(
      `Bundle 'tiny' has no reading 'upside-down': it has ${ASSUMED.others.map(({ name }) => name).join(", ")}.`,
    );
    expect(await refusal(tiny(), chosen)).toContain("its way to see the board is known");
  });

  it("takes settings of its game, and no others", async () => {
    const bundle = await openBundle(reader(tiny()));
    expect(() => bundle.start({ komi: 6.5 })).toThrow(GameError);
  });

  it("is told to be nowhere where nothing answers", async () => {
    await expect(openBundle("http://127.0.0.1:9/azx")).rejects.toThrow(
      "'http://127.0.0.1:9/azx/manifest.json' cannot be read, nothing answers there: give the folder",
    );
  });
});

describe.skipIf(whyNot() !== null)("the package", () => {
  let folder = "";
  const [listing = "", opening = ""] = listings("ts");
  beforeAll(() => {
    folder = install("play-in-node", { types: true });
  }, 120_000);

  it("is small, and of the version that azx is", () => {
    const library = `${folder}/node_modules/azx-play`;
    const { version } = JSON.parse(readFileSync(`${library}/package.json`, "utf8")) as { version: string };
    expect(version).toBe(VERSION);
    expect(statSync(`${library}/dist/index.js`).size).toBeLessThan(MOST_BYTES);
  });

  it("plays in Node as the page's listing says", () => {
    const node = `import { readFile } from "node:fs/promises";\n${listing.replace(/^const bundle = .*\n/m, opening)}`;
    const [value = "", plays = ""] = runProgram(folder, node).split("\n");
    expect(value).toMatch(/^value -?0\.\d+ for player 0$/);
    expect(Math.abs(Number(value.split(" ")[1]) - START)).toBeLessThan(1e-4);
    expect(plays).toMatch(/^plays 3 with \d+ visits$/);
  });

  it("has types by which the listing is sound, and a wrong use is not", () => {
    expect(typeErrors(folder, listing)).toBe("");
    expect(typeErrors(folder, `${listing}\nsearch.run("many");`)).toContain("not assignable to parameter");
    expect(typeErrors(folder, `${listing}\nstate.apply(action).toMove = 1;`)).toContain("read-only");
  });
});
