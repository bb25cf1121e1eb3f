/** What the page says of each bundle of bad_bundles.json: by its index and by its worker, with files from a server. */

import { afterEach, describe, expect, it, vi } from "vitest";

import { bundlesOf, type Entry } from "../../src/bundle/Index";
import { readIndex } from "../../src/bundle/Store";
import { unplayable } from "../../src/page/Words";
import { Engine } from "../../src/worker/Engine";
import { Shelf } from "../../src/worker/Shelf";
import { made } from "../bundle/recipes";
import type { Files } from "../bundle/tiny";
import { badBundles, type Recipe } from "../engine/fixtures";

const BASE = "http://localhost/";
const { sentences, cases } = badBundles();
// A clause of why it cannot be played stands in a sentence of its own; a runtime has words of its own.
const CLAUSES: Readonly<Record<string, RegExp>> = {
  problem_no_artifact: /it was installed without its TF\.js artifact, which is what a browser loads/,
  problem_no_game: /it has no known game/,
  problem_unknown_game: /its game, 'chess', is none that the apps know/,
  problem_unreadable: /what its network reads is not described so that it can be drawn \(.+\)/,
  error_load: /./,
};

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answer the page's requests with these files. */
function serve(files: Files): void {
  vi.stubGlobal("fetch", async (address: string) => {
    const path = decodeURIComponent(new URL(address).pathname).replace(/^\/azx\//, "");
    const bytes = files.get(path);
    return bytes ? new Response(Uint8Array.from(bytes)) : new Response(null, { status: 404 });
  });
}

/** What the page says in place of the list, on the bundle or its game, and in the self-test; null for nothing. */
interface Said {
  readonly list: string | null;
  readonly card: string | null;
  readonly play: string | null;
  readonly test: string | null;
}

const sentenceOf = async (act: () => Promise<unknown>): Promise<string | null> =>
  act().then(
    () => null,
    (error: Error) => error.message,
  );

async function said(files: Files): Promise<Said> {
  serve(files);
  let entries: readonly Entry[] = [];
  const list = await sentenceOf(async () => {
    entries = bundlesOf(await readIndex(BASE));
  });
  const [entry] = entries;
  if (!entry) return { list, card: null, play: null, test: null };
  const engine = new Engine();
  let problems: readonly string[] = [];
  const play = await sentenceOf(async () => {
    ({ problems } = await engine.open(await new Shelf().fetch(entry, BASE), "cpu"));
  });
  const test = play ?? (await sentenceOf(() => engine.test({ backend: "cpu", seconds: 0.001 })));
  return { list, card: problems.length ? unplayable(problems, true) : play, play, test };
}

/** The sentence of a key as the list has it, whatever stands in its places. */
function expected({ key }: Recipe): RegExp {
  const text = sentences.find((each) => each.key === key)?.text;
  if (text === undefined) return CLAUSES[key ?? ""] ?? /^$/;
  const pieces = text.split(/%\d\$s/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`);
}

describe("a bad bundle is told in a sentence:", () => {
  it.each(cases)("$about", async (recipe) => {
    const all = await said(made(recipe));
    if (recipe.key === null) {
      expect(all).toEqual({ list: null, card: null, play: null, test: null });
      return;
    }
    const sentence = all[recipe.screen];
    expect(sentence).toMatch(expected(recipe));
    expect(sentence).toContain(recipe.names ?? "");
    expect(sentence).toMatch(/^.*\.$/);
    // What stands earlier on a person's way says nothing.
    if (recipe.screen !== "list") expect(all.list).toBeNull();
    if (recipe.screen === "test") expect(all.play).toBeNull();
  });
});
