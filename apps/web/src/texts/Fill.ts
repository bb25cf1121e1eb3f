/** Texts with arguments in their places, and the types by which a wrong key or a missing argument does not compile. */

import { ENGLISH } from "./English";

type English = typeof ENGLISH;

/** The name of any text. */
export type Key = keyof English;

/** The name of a text that has one form. */
export type TextKey = { [K in Key]: English[K] extends string ? K : never }[Key];

/** The name of a text that has a form for each quantity. */
export type CountKey = Exclude<Key, TextKey>;

/** A form for each quantity that a language tells apart, by the names of Intl.PluralRules. */
export interface Counted {
  readonly one?: string;
  readonly other: string;
}

/** All texts of a language. */
export type Texts = { readonly [K in Key]: K extends TextKey ? string : Counted };

export type Argument = string | number;

/** The numbers of the places in a text. */
type Places<Text> = Text extends `${string}%${infer Place extends 1 | 2 | 3 | 4}$${infer Rest}`
  ? Place | Places<Rest>
  : never;

type ForPlaces<Place> = 4 extends Place
  ? readonly [Argument, Argument, Argument, Argument]
  : 3 extends Place
    ? readonly [Argument, Argument, Argument]
    : 2 extends Place
      ? readonly [Argument, Argument]
      : 1 extends Place
        ? readonly [Argument]
        : readonly [];

/** What a text asks for: an argument for each of its places. */
export type Arguments<K extends TextKey> = ForPlaces<Places<English[K]>>;

export const PLACE = /%(?:([1-4])\$[sd]|%)/g;

/** A text with its arguments; `%%` becomes a percent sign. */
export function fill(text: string, given: readonly Argument[]): string {
  return text.replace(PLACE, (_, place?: string) => (place ? String(given[Number(place) - 1] ?? "") : "%"));
}

/** A sentence in English, as the floors below the page say it; the page says it in its language (`Told`). */
export function english<K extends TextKey>(key: K, ...given: Arguments<K>): string {
  return fill(ENGLISH[key], given);
}
