/** What the page says, in the language that it speaks. */

import { CHINESE } from "./Chinese";
import { ENGLISH } from "./English";
import { type Argument, type Arguments, type CountKey, fill, type TextKey, type Texts } from "./Fill";

/** The languages, by the names that documents have. */
export const LANGUAGES = ["en", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, "zh-CN": CHINESE };

let spoken: Language = "en";

/** The language that is spoken. */
export const language = (): Language => spoken;

/** Speak another language from now on; what is on the page already has to be said again. */
export function speak(chosen: Language): void {
  spoken = chosen;
}

/** The first language of a person's list that there are texts in; English where there is none. */
export function languageFor(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const [base] = each.toLowerCase().split("-");
    const found = LANGUAGES.find((known) => known.toLowerCase().split("-")[0] === base);
    if (found) return found;
  }
  return "en";
}

/** A text in the language that is spoken. */
export function say<K extends TextKey>(key: K, ...given: Arguments<K>): string {
  return fill(TEXTS[spoken][key] as string, given);
}

/** The form of a text for a quantity, which stands in the text as `given` has it. */
export function count(key: CountKey, quantity: number, given: Argument = quantity): string {
  const forms = TEXTS[spoken][key];
  const form = new Intl.PluralRules(spoken).select(quantity);
  return fill((form === "one" ? forms.one : undefined) ?? forms.other, [given]);
}

/** A number as this language writes it. */
export const number = (value: number): string => value.toLocaleString(spoken);

/** A share from 0 to 1. */
export const percent = (share: number): string => say("percent", Math.round(100 * share));

/** The text of this name, of a quantity where it counts one; Error where there is none. */
export function sayBy(name: string, quantity?: string): string {
  const text = (TEXTS[spoken] as Readonly<Record<string, Texts[keyof Texts]>>)[name];
  if (text === undefined) throw new Error(`There is no text '${name}', this is a bug.`);
  return typeof text === "string" ? text : count(name as CountKey, Number(quantity));
}
