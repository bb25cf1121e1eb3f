/** What the page's solvers say of positions, each given as the actions that lead to it. */

import { begin } from "../src/engine/Game";
import { readOpenings } from "../src/engine/games/Connect4Opening";
import { byName } from "../src/engine/known/Recognition";
import { knownOf } from "../src/engine/review/Known";
import { settle } from "../src/engine/review/Solvers";
import type { State } from "../src/engine/State";

/** The outcome for the mover (null: not solved), the actions that are left, the plies to the end, and how long it took. */
export async function solve(game: string, actions: readonly number[]): Promise<object> {
  await readOpenings();
  const state = actions.reduce((state: State, action) => state.apply(action), begin(byName(game)));
  const before = performance.now();
  const { outcome, left, distance = null } = await settle(state, knownOf(state), async () => false);
  return { outcome, left, distance, milliseconds: Math.round(performance.now() - before) };
}
