/** What judges moves, for Judgement.ts, which has it come once something was looked at. */

import { Connect4 } from "../../engine/games/Connect4";
import { TicTacToe } from "../../engine/games/TicTacToe";
import type { Observation } from "../../engine/review/Verdicts";
import type { State } from "../../engine/State";

export { areOpeningsRead, readOpenings } from "../../engine/games/Connect4Opening";
export { knownOf } from "../../engine/review/Known";
export {
  accuracy,
  counts,
  DEEPER,
  isMistake,
  judgeMoves,
  listDoubted,
  nextMistake,
  VERDICTS,
} from "../../engine/review/Verdicts";

/**
 * The positions with what a solver has said of them, which a kept game has as a sure chance of 0, 0.5 or 1: a move that the
 * `actions` have is among those that keep it where the next position says so.
 */
export function withOutcomes(
  seen: readonly Observation[],
  states: readonly State[],
  actions: readonly number[],
): readonly Observation[] {
  return seen.map((one, at) => {
    const { known, best, chance, isSure } = one;
    const [state, action, after] = [states[at], actions[at], seen[at + 1]];
    const isSolved = state instanceof Connect4 || state instanceof TicTacToe;
    const isOpen = known && known.result === null && known.margin === null && known.outcome === null;
    if (!isSolved || !isOpen || !isSure || best === null || !Number.isInteger(2 * chance)) return one;
    const isKept =
      action !== undefined && after !== undefined && after.mover !== one.mover && after.chance === 1 - chance;
    const left = chance === 0 ? known.left : isKept && action !== best ? [best, action].sort((a, b) => a - b) : [best];
    return { ...one, known: { ...known, left, outcome: 2 * chance - 1 } };
  });
}
