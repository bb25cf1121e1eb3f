/**
 * What moves of a hint gain or lose against the best of them in what their game is counted in: boxes or discs of an end
 * that is solved, points of Go as random playouts see them. Loaded with the first hint of such a game.
 */

import { Go } from "../../engine/games/Go";
import { meanLead, spreadOf } from "../../engine/games/GoPlayouts";
import { hasBegun, ownershipOf } from "../../engine/games/GoScoring";
import { knownOf, marginLost } from "../../engine/review/Known";
import type { State } from "../../engine/State";

/** Two means differ if they are this many standard errors apart. */
const CLEARLY = 2;
const LARGEST = 13;

/** By action, against the first one, which a search thinks best; null if nothing is known but chances. */
export function pointsOf(state: State, actions: readonly number[]): ReadonlyMap<number, number> | null {
  if (!(state instanceof Go)) return marginsIn(state)(actions);
  // In an opening random games say little of what a stone is worth, and on a large board they take too long.
  if (!hasBegun(state) || state.size > LARGEST) return null;
  const leads = actions.map((action) => leadAfter(state, action));
  const [best] = leads;
  return new Map(actions.map((action, at) => [action, best ? differenceOf(leads[at] ?? best, best) : 0]));
}

/** What actions lose in a position whose end is solved; null if it is not solved. */
export type Margins = (actions: readonly number[]) => ReadonlyMap<number, number> | null;

/** The margins of a position, each action solved once however often it is asked for. */
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

/** The mean of the playouts after a move, for the player who makes it, and its standard error. */
interface Lead {
  readonly mean: number;
  readonly error: number;
}

function leadAfter(state: Go, action: number): Lead {
  const owners = ownershipOf(state.apply(action));
  const mean = meanLead(owners);
  return { mean: state.toMove === 0 ? mean : -mean, error: spreadOf(owners) / Math.sqrt(owners.playouts) };
}

/** In whole points; 0 where the playouts do not tell the two apart. */
function differenceOf(one: Lead, best: Lead): number {
  const difference = one.mean - best.mean;
  return Math.abs(difference) > CLEARLY * Math.hypot(one.error, best.error) ? Math.round(difference) : 0;
}
