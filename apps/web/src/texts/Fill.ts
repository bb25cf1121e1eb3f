/**
 * Texts with arguments in their places, and the types by which a wrong key or a missing argument does not compile.
 *
 * `npm run typecheck` writes en.d.json.ts: tsc alone takes every string of a JSON file for any string, without its places.
 */

import type english from "../../../texts/en.json";

/** A form for each quantity that a language tells apart, by the names of Intl.PluralRules. */
export interface Forms {
  readonly one?: string;
  readonly other: string;
}

/** What this app says where the apps differ. */
interface Own<Text> {
  readonly web: Text;
}

type OwnOf<Text> = Text extends Own<infer Mine> ? Mine : Text extends string | Forms ? Text : never;
type All = typeof english;
type English = { readonly [K in keyof All as OwnOf<All[K]> extends never ? never : K]: OwnOf<All[K]> };

export type Key = keyof English;

/** The name of a text that has one form. */
export type TextKey = { [K in Key]: English[K] extends string ? K : never }[Key];

/** The name of a text that has a form for each quantity. */
export type CountKey = Exclude<Key, TextKey>;

type Form<K extends Key> = K extends TextKey ? string : Forms;

export type Texts = { readonly [K in Key]: Form<K> | Own<Form<K>> };

export type Argument = string | number;

/** The numbers of the places in a text. */
type Places<Text> = Text extends `${string}%${infer Place extends 1 | 2 | 3 | 4 | 5}$${infer Rest}`
  ? Place | Places<Rest>
  : never;

type ForPlaces<Place> = 5 extends Place
  ? readonly [Argument, Argument, Argument, Argument, Argument]
  : 4 extends Place
    ? readonly [Argument, Argument, Argument, Argument]
    : 3 extends Place
      ? readonly [Argument, Argument, Argument]
      : 2 extends Place
        ? readonly [Argument, Argument]
        : 1 extends Place
          ? readonly [Argument]
          : readonly [];

/** The arguments of a text, one for each place; any number if its places are not known. */
export type Arguments<K extends TextKey> = string extends English[K]
  ? readonly Argument[]
  : ForPlaces<Places<English[K]>>;

export const PLACE = /%(?:([1-5])\$[sd]|%)/g;

/** A text with its arguments; `%%` becomes a percent sign. */
export function fill(text: string, places: readonly Argument[]): string {
  return text.replace(PLACE, (_, place?: string) => (place ? String(places[Number(place) - 1] ?? "") : "%"));
}

/** What this app says of a text. */
export function own<Text extends string | Forms>(text: Text | Own<Text>): Text {
  return typeof text === "object" && "web" in text ? text.web : text;
}
