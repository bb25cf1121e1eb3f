/** What the rules alone say of a position's moves: wins in one, and moves that the opponent answers with one. */

import type { State } from "./State";

/**
 * What two plies prove: the `moves` that are left to choose among, ascending, and the `result` for the mover.
 *
 * `result` 1: each of the moves wins at once. null: nothing is known but that the opponent has no win at once after any
 * of these, as it has after every other one. -1: the opponent wins at once whatever is played; these leave it the fewest
 * ways to do so. Where a result is known the lowest of the moves is played, and no network is asked.
 */
export interface Forced {
  readonly moves: readonly number[];
  readonly result: 1 | -1 | null;
}

/** The moves that are left to choose among; none where the game is over. */
export function narrowMoves(state: State): Forced {
  const legal = state.legalActions();
  const known = state.sudden?.() ?? null;
  const wins = known ? known.wins : winsOf(state);
  if (wins.length > 0) return { moves: wins, result: 1 };
  const answers = known ? known.answers : legal.map((action) => answersTo(state.apply(action)));
  const fewest = answers.reduce((least, count) => Math.min(least, count), Infinity);
  const moves = legal.filter((_, at) => answers[at] === fewest);
  return { moves, result: moves.length > 0 && fewest > 0 ? -1 : null };
}

function winsOf(state: State): readonly number[] {
  const won = 1 - 2 * state.toMove;
  return state.legalActions().filter((action) => state.apply(action).returns() === won);
}

/** How many moves win at once for the player to move now; more than there can be if the last move has lost the game. */
function answersTo(after: State): number {
  if (!after.isTerminal) return winsOf(after).length;
  return after.returns() === 1 - 2 * after.toMove ? after.actions + 1 : 0;
}
