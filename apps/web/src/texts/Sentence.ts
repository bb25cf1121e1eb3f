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

/** What is said of an error; one that is no BundleError is a fault of this app's own. */
export function sentenceOf(error: unknown): Sentence {
  return error instanceof BundleError ? error.sentence : sentence("error_unexpected", reasonOf(error));
}

/** What an error says in its own words, as a clause. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return reason.replace(/[.\s]+$/, "");
}
