/** What errors say to a person, in the language that is spoken. */

import { BundleError, sentenceOf } from "../../src/texts/Sentence";
import { sayThis } from "../../src/texts/Speech";

/** What the page says of an error. */
export const wordsOf = (error: unknown): string => sayThis(sentenceOf(error));

/** What `act` answers; where it throws a BundleError, an Error with the words that the page has for it. */
export async function inWords<Answer>(act: Promise<Answer> | (() => Answer)): Promise<Answer> {
  try {
    return await (typeof act === "function" ? act() : act);
  } catch (error) {
    if (error instanceof BundleError) throw new Error(wordsOf(error), { cause: error });
    throw error;
  }
}
