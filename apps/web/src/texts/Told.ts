/** What the floors below the page, and the index, say in English, in the language of the page: by the texts themselves. */

import { ENGLISH } from "./English";
import { PLACE, type TextKey, type Texts } from "./Fill";
import { say } from "./Speech";

/** A text, and what matches it with anything in its places. */
interface Known {
  readonly key: TextKey;
  readonly words: RegExp;
  /** The number of each place, in the order of the text. */
  readonly places: readonly number[];
}

const SENTENCES = knownBy(/^(error|given|zip)_|^no_games$/);
const CLAUSES = knownBy(/^problem_/);

/** The texts whose keys are like this, those with most words of their own first: another may match them as well. */
function knownBy(pattern: RegExp): readonly Known[] {
  const texts = Object.entries(ENGLISH as Texts).flatMap(([key, text]) =>
    pattern.test(key) && typeof text === "string" ? [[key as TextKey, text] as const] : [],
  );
  const bare = (text: string): number => text.replace(PLACE, "").length;
  return texts
    .sort(([, one], [, other]) => bare(other) - bare(one))
    .map(([key, text]) => ({ key, words: wordsOf(text), places: placesOf(text) }));
}

function wordsOf(text: string): RegExp {
  const pieces = text.split(/%[1-4]\$[sd]/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join("(.*)")}$`, "s");
}

function placesOf(text: string): readonly number[] {
  return [...text.matchAll(/%([1-4])\$[sd]/g)].map(([, place]) => Number(place));
}

/** A sentence of why something is not there or does not work; as it is where no text is like it. */
export const told = (sentence: string): string => saidBy(SENTENCES, sentence) ?? sentence;

/** A clause of why a bundle cannot be played; as it is where it is one that this app does not know. */
export const clause = (text: string): string => saidBy(CLAUSES, text) ?? text;

/** Clauses as one, with "and" between them. */
export const clauses = (texts: readonly string[]): string => texts.map(clause).join(say("and_clause"));

function saidBy(known: readonly Known[], text: string): string | null {
  for (const { key, words, places } of known) {
    const found = words.exec(text);
    if (!found) continue;
    const given: string[] = [];
    for (const [at, place] of places.entries()) given[place - 1] = found[at + 1] ?? "";
    return (say as (key: TextKey, ...given: readonly string[]) => string)(key, ...given);
  }
  return null;
}
