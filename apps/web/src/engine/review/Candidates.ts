/**
 * The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
 *
 * The order is the same in every language: most visits, then the largest prior, then the lowest action. Before them all
 * stand the moves that are proven to be best, however seldom a search has looked at them.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import type { Search } from "../Search";
import { type Known, provenBest } from "./Known";

/** How many moves a person is shown. */
export const MOST = thresholds.candidates;

/** A move that a search has visited: its visits, its player's chance of winning (0 to 1), and its prior. */
export interface Candidate {
  readonly action: number;
  readonly visits: number;
  readonly winRate: number;
  readonly prior: number;
}

/** The `most` best of those that were visited, the best one first; before them the `proven` actions, visited or not. */
export function rankCandidates(
  candidates: readonly Candidate[],
  most = MOST,
  proven: readonly number[] = [],
): readonly Candidate[] {
  const isProven = ({ action }: Candidate): boolean => proven.includes(action);
  const order = (one: Candidate, other: Candidate): number =>
    other.visits - one.visits || other.prior - one.prior || one.action - other.action;
  const others = candidates.filter((each) => each.visits > 0 && !isProven(each));
  return [...candidates.filter(isProven).sort(order), ...others.sort(order)].slice(0, most);
}

/**
 * What a search considers at its root; none before its second simulation or where the game is over. By what is `known` of
 * it the moves that are proven to be best come first: a short search may have tried none of them.
 */
export function candidates(search: Search, most = MOST, known: Known | null = null): readonly Candidate[] {
  const children = search.children();
  if (children.every(({ visits }) => visits === 0)) return [];
  const best = known && provenBest(known);
  const visited = children.map(({ mean, ...child }) => ({
    ...child,
    winRate: child.visits > 0 || !best ? (mean + 1) / 2 : best.chance,
  }));
  return rankCandidates(visited, most, best?.actions);
}
