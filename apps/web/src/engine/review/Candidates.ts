/**
 * The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
 *
 * The order is the same in every language: most visits, then the largest prior, then the lowest action.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import type { Search } from "../Search";

/** How many moves a person is shown. */
export const MOST = thresholds.candidates;

/** A move that a search has visited: how often, its chance of winning for who plays it (0 to 1), and its prior. */
export interface Candidate {
  readonly action: number;
  readonly visits: number;
  readonly winRate: number;
  readonly prior: number;
}

/** The `most` best of those that were visited, the best one first. */
export function rankCandidates(candidates: readonly Candidate[], most = MOST): readonly Candidate[] {
  const visited = candidates.filter(({ visits }) => visits > 0);
  const order = (one: Candidate, other: Candidate): number =>
    other.visits - one.visits || other.prior - one.prior || one.action - other.action;
  return visited.sort(order).slice(0, most);
}

/** What a search considers at its root; none before its second simulation or where the game is over. */
export function candidates(search: Search, most = MOST): readonly Candidate[] {
  const found = search.children().map(({ mean, ...child }) => ({ ...child, winRate: (mean + 1) / 2 }));
  return rankCandidates(found, most);
}
