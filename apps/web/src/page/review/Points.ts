/**
 * What moves of a hint gain or lose against the best of them in what their game is counted in: boxes or discs of an end
 * that is solved, points of Go as random playouts see them. Loaded with the first hint of such a game.
 */

import { Go } from "../../engine/games/Go";
import { meanLead, spreadOf } from "../../engine/games/GoPlayouts";
import { hasBegun, ownershipOf } from "../../engine/games/GoScoring";
import { type Candidate, MOST } from "../../engine/review/Candidates";
import { type Known, knownOf, marginLost, provenChance } from "../../engine/review/Known";
import type { State } from "../../engine/State";
import type { Analysis } from "../../worker/Messages";

/** What was found as a person is shown it, and what each of its moves gains or loses; null where chances alone are known. */
export type Measured = readonly [Analysis, ReadonlyMap<number, number> | null];

/** What a hint shows of a position. */
export function measure(state: State, found: Analysis): Measured {
  if (!(state instanceof Go)) return measureEnd(state)(found);
  return [
    found,
    pointsOf(
      state,
      found.candidates.map(({ action }) => action),
    ),
  ];
}

/** The same of an end that is solved, for who asks again and again while a search goes on. */
export function measureEnd(state: State): (found: Analysis) => Measured {
  const known = knownOf(state);
  const margins = marginsIn(state, known);
  return (searched) => {
    const found = withBest(searched, known);
    const points = margins(found.candidates.map(({ action }) => action));
    return [points ? bestFirst(found, points) : found, points];
  };
}

/**
 * What was found, with every move that a solved end is best at among the candidates, as many as a person is shown: a
 * search may rank none of them so high, or never have looked at one, whose chance is then the proven one.
 */
export function withBest(found: Analysis, known: Known): Analysis {
  if (known.margin === null || found.candidates.length === 0) return found;
  const all = [...found.candidates, ...found.others].map((each, at) => ({ each, line: found.lines[at] ?? [] }));
  const [seen, best] = [new Set(all.map(({ each }) => each.action)), new Set(known.left)];
  const unseen = known.left.filter((action) => !seen.has(action));
  const added = unseen.map((action) => ({ each: unvisited(action, known), line: [] }));
  const isBest = ({ each }: (typeof all)[number]): boolean => best.has(each.action);
  const sorted = [...all.filter(isBest), ...added, ...all.filter((each) => !isBest(each))];
  const candidates = sorted.map(({ each }) => each);
  const lines = sorted.map(({ line }) => line);
  return { ...found, candidates: candidates.slice(0, MOST), others: candidates.slice(MOST), lines };
}

const unvisited = (action: number, known: Known): Candidate => ({
  action,
  visits: 0,
  winRate: provenChance(known) ?? 0.5,
  prior: 0,
});

/** So many standard errors apart two means are said to differ. */
const CLEARLY = 2;
const LARGEST = 13;

/** By action, against the first one, which a search thinks best; null where nothing is known but chances. */
export function pointsOf(state: State, actions: readonly number[]): ReadonlyMap<number, number> | null {
  if (!(state instanceof Go)) return marginsIn(state)(actions);
  // In an opening random games say little of what a stone is worth, and on a large board they take too long.
  if (!hasBegun(state) || state.size > LARGEST) return null;
  const found = actions.map((action) => leadAfter(state, action));
  const [best] = found;
  return new Map(actions.map((action, at) => [action, best ? differenceOf(found[at] ?? best, best) : 0]));
}

/**
 * What was found, with what an end that is solved is best at in front: there visits do not count. Points of Go are told
 * against what the search thinks best, which stays in front.
 */
export function bestFirst(found: Analysis, points: ReadonlyMap<number, number>): Analysis {
  const { candidates, lines } = found;
  const worth = ({ action }: { readonly action: number }): number => points.get(action) ?? 0;
  if (!candidates[0] || worth(candidates[0]) >= 0) return found;
  const sorted = candidates
    .map((candidate, at) => ({ candidate, line: lines[at] ?? [] }))
    .sort((one, two) => worth(two.candidate) - worth(one.candidate));
  const others = lines.slice(candidates.length);
  return {
    ...found,
    candidates: sorted.map(({ candidate }) => candidate),
    lines: [...sorted.map(({ line }) => line), ...others],
  };
}

/** What is lost by actions of a position whose end is solved, each solved once; null where it is not solved. */
export type Margins = (actions: readonly number[]) => ReadonlyMap<number, number> | null;

/** For who asks again and again. */
export function marginsIn(state: State, before = knownOf(state)): Margins {
  const known = new Map<number, number>(before.margin === null ? [] : before.left.map((best) => [best, 0]));
  return (actions) => {
    for (const action of actions.filter((each) => !known.has(each))) {
      const lost = before.margin === null ? null : marginLost(before, knownOf(state.apply(action)));
      if (lost === null) return null;
      known.set(action, lost ? -lost : 0);
    }
    return new Map(actions.map((action) => [action, known.get(action) ?? 0]));
  };
}

/** A mean of the playouts after a move, for who makes it, and its standard error. */
interface Lead {
  readonly mean: number;
  readonly error: number;
}

function leadAfter(state: Go, action: number): Lead {
  const found = ownershipOf(state.apply(action));
  const mean = meanLead(found);
  return { mean: state.toMove === 0 ? mean : -mean, error: spreadOf(found) / Math.sqrt(found.playouts) };
}

/** In whole points; 0 where the playouts do not tell the two apart. */
function differenceOf(one: Lead, best: Lead): number {
  const difference = one.mean - best.mean;
  return Math.abs(difference) > CLEARLY * Math.hypot(one.error, best.error) ? Math.round(difference) : 0;
}
