/** What is asked of a search of the position that is shown, and how its answer is shared out. */

import type { Analysis } from "../../worker/Messages";
import { chosen } from "../choices/Controls";

/** How many simulations a person wants for a hint, or for each position of a review. */
export const simulations = (): number => Number(chosen("analysis-simulations"));

/** The share of the visits of each candidate, by action. */
export function sharesOf({ candidates, visits }: Analysis): ReadonlyMap<number, number> {
  return new Map(candidates.map((each) => [each.action, each.visits / (visits || 1)]));
}
