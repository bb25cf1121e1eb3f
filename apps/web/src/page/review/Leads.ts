/**
 * Black's lead in the positions of a game of Go, as random games see it: the panel and the graph are in points then. Of an
 * opening random games say little, so there the network's chance stays.
 */

import { Go } from "../../engine/games/Go";
import { estimate, hasBegun, ownershipOf } from "../../engine/games/GoScoring";
import type { State } from "../../engine/State";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { LEADS } from "./Facts";

/** On a larger board a game's positions take too long. */
const LARGEST = 13;

/** Milliseconds that the page has for other things between two positions. */
const REST = 15;

/** The positions that wait, in order. */
let due: readonly Go[] = [];
let isBusy = false;

/**
 * Measure the positions of a game of Go that is looked at, or of which an estimate was wanted; the page can do other things
 * between two of them. `show` draws the page again once all are measured.
 */
export function measureLeads(
  { session, shown, isReplay }: { readonly session: Session; readonly shown: Session; readonly isReplay: boolean },
  show: () => void,
): void {
  const isWanted = isReplay || sessions.phase(session) === "over" || session.states.some((state) => LEADS.has(state));
  const all = isWanted ? [sessions.visible(shown), ...session.states] : [];
  due = all.filter(isDue);
  if (due.length && !isBusy) void measure(show);
}

const isDue = (state: State): state is Go =>
  state instanceof Go && state.size <= LARGEST && !LEADS.has(state) && hasBegun(state);

async function measure(show: () => void): Promise<void> {
  isBusy = true;
  for (let [next] = due; next; [next] = due) {
    const { points, pointsOfSpread } = estimate(next, ownershipOf(next));
    LEADS.set(next, { mean: points, spread: pointsOfSpread });
    due = due.filter(isDue);
    await new Promise((resolve) => setTimeout(resolve, REST));
  }
  isBusy = false;
  show();
}
