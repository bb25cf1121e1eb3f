/** What the page says of each bundle of bad_bundles.json: by its index and by its worker, with files from a server. */

import { afterEach, describe, expect, it, vi } from "vitest";
import english from "../../../texts/en.json";
import { bundlesOf, type Entry } from "../../src/bundle/Index";
import type { Problem } from "../../src/bundle/Problem";
import { readIndex } from "../../src/bundle/Store";
import { sayUnplayable } from "../../src/page/words/Words";
import { own, type TextKey } from "../../src/texts/Fill";
import { Engine } from "../../src/worker/Engine";
import { Shelf } from "../../src/worker/Shelf";
import { made } from "../bundle/recipes";
import type { Files } from "../bundle/tiny";
import { badBundles } from "../engine/fixtures";
import { wordsOf } from "../texts/words";

const BASE = "http://localhost/";
const cases = badBundles();

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

const sentenceOf = async (act: () => Promise<unknown>): Promise<string | null> => act().then(() => null, wordsOf);

async function said(files: Files): Promise<Said> {
  serve(files);
  let entries: readonly Entry[] = [];
  const list = await sentenceOf(async () => {
    entries = bundlesOf(await readIndex(BASE));
  });
  const [entry] = entries;
  if (!entry) return { list, card: null, play: null, test: null };
  const engine = new Engine();
  let problems: readonly Problem[] = [];
  const play = await sentenceOf(async () => {
    ({ problems } = await engine.open(await new Shelf().fetch(entry, BASE), "cpu"));
  });
  const test = play ?? (await sentenceOf(() => engine.test({ backend: "cpu", seconds: 0.001 })));
  return { list, card: problems.length ? sayUnplayable(problems, true) : play, play, test };
}

/** The text of a key, whatever stands in its places; a clause stands in a sentence of its own, a runtime has words of its own. */
function expectedText(key: string): RegExp {
  if (key === "error_load") return /./;
  const text = own<string>(english[key as TextKey]);
  const words = text
    .split(/%\d\$s/)
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(key.startsWith("problem_") ? words : `^${words}$`);
}

describe("a bad bundle is told in a sentence:", () => {
  it.each(cases)("$about", async (recipe) => {
    const all = await said(made(recipe));
    if (recipe.key === null) {
      expect(all).toEqual({ list: null, card: null, play: null, test: null });
      return;
    }
    const sentence = all[recipe.screen];
    expect(sentence).toMatch(expectedText(recipe.key));
    expect(sentence).toContain(recipe.names ?? "");
    expect(sentence).toMatch(/^.*\.$/);
    // What stands earlier on a person's way says nothing.
    if (recipe.screen !== "list") expect(all.list).toBeNull();
    if (recipe.screen === "test") expect(all.play).toBeNull();
  });
});
