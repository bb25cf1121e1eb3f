/**
 * What is proven of a position: within two plies, to the end of a game that is counted, by a table; and of a move.
 *
 * A reason is said where it is proven, whatever a network thinks of the position: a win at once that was left, one of
 * the opponent's that was open and could have been stopped, one that the move itself has opened.
 */

import * as boxesEnd from "../games/BoxesEnd";
import { Connect4 } from "../games/Connect4";
import { solveOpening } from "../games/Connect4Opening";
import { DotsAndBoxes } from "../games/DotsAndBoxes";
import type { EndSolution } from "../games/EndSolution";
import { Go } from "../games/Go";
import { Reversi } from "../games/Reversi";
import * as reversiEnd from "../games/ReversiEnd";
import type { State } from "../State";
import { type Forced, narrowMoves } from "../Tactics";

/**
 * The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them.
 *
 * In Dots and Boxes and in Reversi `margin` is how many boxes or discs (`unit`) more than the opponent the mover ends
 * with if both play perfectly, and `left` are the actions that keep it. null in other games, and while more is open than
 * is solved.
 *
 * In an opening of Connect4, and where a solver was asked (`Solvers.ts`), `outcome` is 1, 0 or -1: the mover wins, draws
 * or loses if both play perfectly, and the actions `left` keep that, too. null elsewhere.
 */
export interface Known {
  readonly legal: readonly number[];
  readonly left: Forced["moves"];
  readonly result: Forced["result"];
  readonly margin: number | null;
  readonly unit: Unit;
  readonly outcome: number | null;
  /** The plies to the end if a solver knows them. */
  readonly distance?: number | null;
}

/** What a margin is counted in. */
export type Unit = "boxes" | "discs";

/**
 * Why a move is bad, and the winning `action` that was missed, not blocked or allowed. Where a win or a draw of an opening
 * was given away it is the lowest action that keeps it.
 */
export interface Reason {
  readonly code: "missed_win" | "not_blocked" | "allows_win" | "gave_win" | "gave_draw";
  readonly action: number;
}

/**
 * What is proven of a position: nothing in Go, where people agree on dead stones after two passes; nor in Reversi
 * until its end is solved, where a disc of the mover's may open the opponent's cells, so that no reason below is proven.
 */
export function knownOf(state: State): Known {
  const legal = state.legalActions();
  const unit = state instanceof Reversi ? "discs" : "boxes";
  const solved = solve(state);
  const nothing = { legal, left: legal, result: null, margin: null, unit, outcome: null } as const;
  if (solved) return { ...nothing, left: solved.best, margin: solved.margin };
  if (state instanceof Go || state instanceof Reversi) return nothing;
  const { moves: left, result } = narrowMoves(state);
  const opening = state instanceof Connect4 && result === null ? solveOpening(state) : null;
  if (!opening) return { ...nothing, left, result };
  return { ...nothing, left: left.filter((at) => opening.kept.includes(at)), outcome: opening.outcome };
}

function solve(state: State): EndSolution | null {
  if (state instanceof DotsAndBoxes) return boxesEnd.solveEnd(state);
  return state instanceof Reversi ? reversiEnd.solveEnd(state) : null;
}

/** The mover's chance of winning where it is proven: 1, 0.5 or 0; else null. */
export function provenChance({ result, margin }: Known): number | null {
  const sign = margin === null ? result : Math.sign(margin);
  return sign === null ? null : (1 + sign) / 2;
}

/**
 * The actions that keep what an end that is solved or an opening of Connect4 comes to, and the mover's chance then; null
 * where neither is known. A search says of other positions which moves are good.
 */
export function provenBest({ left, margin, outcome }: Known): { actions: readonly number[]; chance: number } | null {
  const result = margin ?? outcome;
  return result === null ? null : { actions: left, chance: (1 + Math.sign(result)) / 2 };
}

/**
 * Whether the player of `action` could have lost something by another move, or has lost it by this one: not with one legal
 * action, nor where every action has the same proven result, nor by the one that is forced.
 */
export function isChoice({ legal, left, result, margin, outcome }: Known, action: number): boolean {
  if (legal.length < 2 || result === -1) return false;
  if (result === 1 || margin !== null || outcome !== null) return left.length < legal.length;
  return left.length > 1 || left[0] !== action;
}

/** By how much the move between two positions makes the player's margin worse; null if it is not known. */
export const marginLost = (before: Known, after: Known): number | null =>
  before.margin === null || after.margin === null ? null : before.margin + after.margin;

/** Whether `action` gives away the win or the draw that an opening is proven to be. */
export const givesAway = ({ left, outcome }: Known, action: number): boolean =>
  outcome !== null && outcome >= 0 && !left.includes(action);

/** A proven loss may come nearer by fewer plies than this without a mark. */
const NEARER_LOSS = 4;

/** Whether a proven loss comes so soon that a loss within two plies is hardly a nearer one. */
const isHardlyNearer = ({ outcome, distance }: Known): boolean =>
  outcome === -1 && distance != null && distance - 2 < NEARER_LOSS;

/**
 * Why `action`, which leads from one position to the other, is bad; null if nothing is proven to be lost by it.
 *
 * A win is not missed if it is proven afterwards, too. If the opponent wins at once after every move, nothing could be
 * lost. In a game that is proven lost, a move is bad if it brings the loss nearer by `NEARER_LOSS` plies or more. A win or
 * draw given away is reported if the opponent cannot win at once.
 */
export function reasonOf(before: Known, after: Known, action: number): Reason | null {
  const [first] = before.left;
  if (before.result === 1) {
    const isKept = before.left.includes(action) || after.result === -1 || after.outcome === -1;
    return isKept || first === undefined ? null : { code: "missed_win", action: first };
  }
  if (before.result === null && after.result !== 1 && givesAway(before, action)) {
    return first === undefined ? null : { code: before.outcome ? "gave_win" : "gave_draw", action: first };
  }
  const [answer] = after.left;
  if (before.result !== null || after.result !== 1 || answer === undefined || isHardlyNearer(before)) return null;
  // A piece of the mover's never helps the opponent: what wins now and could be played before was a threat before.
  const threat = after.left.find((win) => before.legal.includes(win));
  return threat === undefined ? { code: "allows_win", action: answer } : { code: "not_blocked", action: threat };
}
