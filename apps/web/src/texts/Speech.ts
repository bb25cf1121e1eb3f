/** What the page says, in the language that it speaks. */

import english from "../../../texts/en.json";
import { type Argument, type Arguments, type CountKey, type Forms, fill, own, type TextKey, type Texts } from "./Fill";
import { type Sentence, sentenceOf } from "./Sentence";

/** A text that is made when it is shown: the language may have changed meanwhile. */
export type Said = () => string;

/** The languages, by the names that documents have. */
export const LANGUAGES = ["en", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

/** English at once, but for parts of the page that come later; the others once somebody reads them. */
const TEXTS: { en: Texts; "zh-CN"?: Texts } = { en: english };
const texts = (): Texts => TEXTS[spoken] ?? TEXTS.en;

let spoken: Language = "en";

export const language = (): Language => spoken;

/** Load the texts of a language, before it is spoken; rejected if they do not come. */
export async function learn(chosen: Language): Promise<void> {
  if (chosen === "zh-CN") TEXTS[chosen] ??= (await import("../../../texts/zh-Hans.json")).default;
}

/** Add the English texts of a part of the page that is loaded later (vite.config.ts). */
export function learnPart(part: Partial<Texts>): void {
  TEXTS.en = { ...TEXTS.en, ...part };
}

export const isLearnt = (chosen: Language): boolean => chosen in TEXTS;

/** Speak another language from now on, which was learnt; what is on the page already has to be said again. */
export function speak(chosen: Language): void {
  spoken = chosen;
}

/** The first language of a person's list that has texts here; English if none has. */
export function languageFor(wanted: readonly string[]): Language {
  const baseOf = (tag: string): string | undefined => tag.toLowerCase().split("-")[0];
  const known = wanted.flatMap((tag) => LANGUAGES.find((each) => baseOf(each) === baseOf(tag)) ?? []);
  return known[0] ?? "en";
}

/** A text in the language that is spoken. */
export const say = <K extends TextKey>(key: K, ...places: Arguments<K>): string => sayThis({ key, places });

/** The text for a failure whose own text is not loaded. */
const UNSAID = "error_unexpected";

export function sayThis({ key, places }: Sentence): string {
  const isHere = key in texts() || !/^(error|problem|calculation|proof|library)_/.test(key);
  return isHere ? fill(own(texts()[key]), places) : fill(own(texts()[UNSAID]), [`${key} ${places.join(", ")}`]);
}

/** What is said of an error, whenever it is to be said. */
export const saidOf =
  (error: unknown): Said =>
  () =>
    sayThis(sentenceOf(error));

/** The form of a text for a quantity, which stands in the text as `shown`. */
export function count(key: CountKey, quantity: number, shown: Argument = quantity): string {
  const forms = own<Forms>(texts()[key]);
  const form = new Intl.PluralRules(spoken).select(quantity);
  return fill((form === "one" ? forms.one : undefined) ?? forms.other, [shown]);
}

/** A number as this language writes it. */
export const number = (value: number): string => value.toLocaleString(spoken);

/** A share from 0 to 1. */
export const percent = (share: number): string => say("percent", Math.round(100 * share));

/** Whether this app has a text of this name and of one form. */
export function isText(name: string): name is TextKey {
  const text = (TEXTS.en as Readonly<Record<string, unknown>>)[name];
  return typeof text === "string" || typeof (text as { web?: unknown } | undefined)?.web === "string";
}

/** The text called `name`, in the form for a `quantity` if it counts one; Error if there is no such text. */
export function sayBy(name: string, quantity?: string): string {
  if (isText(name)) return sayThis({ key: name, places: [] });
  if (!(name in texts())) throw new Error(`There is no text '${name}', this is a bug.`);
  return count(name as CountKey, Number(quantity));
}
