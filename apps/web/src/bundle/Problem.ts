/** Why an app cannot play or test a bundle: a code and what stands in its places. The page has a text for each code. */

import { membersOf } from "../engine/Data";
import type { Arguments, TextKey } from "../texts/Fill";

export interface Problem {
  /** Its text is called `problem_` and this; a newer azx may have codes that this app has no text for. */
  readonly code: string;
  readonly places: readonly string[];
}

type Code = TextKey extends infer K ? (K extends `problem_${infer C}` ? C : never) : never;

export function problem<C extends Code>(code: C, ...places: Arguments<`problem_${C}`>): Problem {
  return { code, places: (places as readonly (string | number)[]).map(String) };
}

export function areProblems(data: unknown): data is readonly Problem[] {
  return Array.isArray(data) && data.every(isProblem);
}

function isProblem(data: unknown): data is Problem {
  const { code, places } = membersOf(data);
  return typeof code === "string" && Array.isArray(places) && places.every((place) => typeof place === "string");
}

/** Problems from several places; of each code the first. */
export function uniteProblems(...lists: readonly (readonly Problem[])[]): readonly Problem[] {
  const byCode = new Map<string, Problem>();
  for (const each of lists.flat()) if (!byCode.has(each.code)) byCode.set(each.code, each);
  return [...byCode.values()];
}
