/** Sentences on their way to the page: a text's key and what stands in its places, in no language yet. */

import type { Argument, Arguments, TextKey } from "./Fill";

export interface Sentence {
  readonly key: TextKey;
  readonly places: readonly Argument[];
}

export const sentence = <K extends TextKey>(key: K, ...places: Arguments<K>): Sentence => ({ key, places });

/** What went wrong, so that a person can act on it. */
export class BundleError extends Error {
  override readonly name = "BundleError";

  constructor(
    readonly sentence: Sentence,
    options?: ErrorOptions,
  ) {
    super(`${sentence.key} (${sentence.places.join(", ")})`, options);
  }
}

/** What is said of an error; one that is no BundleError is a fault of this app's own, or a part of it that did not come. */
export function sentenceOf(error: unknown): Sentence {
  if (error instanceof BundleError) return error.sentence;
  return isOfImport(error) ? sentence("error_part") : sentence("error_unexpected", reasonOf(error));
}

/** Whether a script that is loaded when it is wanted did not come. Each browser has words of its own for it. */
function isOfImport(error: unknown): boolean {
  return error instanceof TypeError && /\bmodule\b/.test(error.message);
}

/** What an error says in its own words, as a clause. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return reason.replace(/[.\s]+$/, "");
}
