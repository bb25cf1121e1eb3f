/** The one vocabulary of every game: an immutable state that two players change in turns. */

import type { Drawable, Encoding } from "./Encoding";
import { GameError } from "./GameError";

/** Player 0 begins. */
export type Player = 0 | 1;

/** What a cell of a board holds: nothing, or a piece of a player. */
export const EMPTY = 0;

/** The mark of a player's pieces in `cells`: 1 for player 0, 2 for player 1. */
export const mark = (player: Player): number => player + 1;

export const other = (player: Player): Player => (player === 0 ? 1 : 0);

/** The actions that win at once, and how many such the opponent has after each legal one, in their order. */
export interface Sudden {
  readonly wins: readonly number[];
  readonly answers: readonly number[];
}

/**
 * A position of a two-player zero-sum game; nothing changes it, `apply` makes the next one.
 *
 * An action is a number from 0 to `actions` - 1, the index of the reference policy's output.
 */
export interface State extends Drawable {
  /** How many actions the game has, legal here or not. */
  readonly actions: number;
  /** What the game's reference network reads. */
  readonly encoding: Encoding;
  readonly toMove: Player;
  readonly isTerminal: boolean;
  /** What was played last; null before the first move. */
  readonly lastAction: number | null;
  /** The legal actions in ascending order; none once the game is over. */
  legalActions(): readonly number[];
  /** Why `action` cannot be played; null if it can be. */
  whyIllegal(action: number): Refusal | null;
  /** The position after `action`; GameError, naming the legal ones, where it is illegal. */
  apply(action: number): State;
  /**
   * Which actions end the game at once, where the game knows it without trying each one and each answer to it; null
   * where they are to be tried. An action that loses at once counts for more answers than there can be.
   */
  sudden?(): Sudden | null;
  /** The result seen by player 0: +1 won, 0 drawn or not over, -1 lost. */
  returns(): number;
  /** The tensor that the game's reference network reads, without a batch axis. */
  encode(): Float32Array;
  /** What a person calls `action`: a column, a cell, a point such as D4, `pass`. */
  label(action: number): string;
}

/** Why an action cannot be played: the apps' text for it is called `reason_` and the code. */
export interface Refusal {
  readonly code:
    | "over"
    | "no_such_action"
    | "occupied"
    | "full"
    | "drawn"
    | "not_lowest"
    | "must_pass"
    | "no_pass"
    | "turns_nothing"
    | "suicide"
    | "superko"
    | "overline"
    | "double_four"
    | "double_three";
  /** Of superko, the move after which the board was the same; else null. */
  readonly move: number | null;
}

export const refusal = (code: Refusal["code"], move: number | null = null): Refusal => ({ code, move });

/** Why no action is legal, or none of this number, whatever the game; null if the game's own rules decide. */
export function refuseOutside({ isTerminal, actions }: State, action: number): Refusal | null {
  if (isTerminal) return refusal("over");
  return isAction(action, actions) ? null : refusal("no_such_action");
}

/** The error for an action that cannot be played: the action, and the legal ones. */
export function illegal(game: string, action: number, legal: readonly number[]): GameError {
  const instead = legal.length ? `choose action ${legal.join(", ")}` : "the game is over";
  return new GameError(`${game}: action ${action} is illegal here, ${instead}.`);
}

/** The planes that pieces have: the mover's and the opponent's, or those of one player in every turn. */
const PIECES = ["mover", "opponent", "player0", "player1"] as const;

/** The names of the planes that show pieces, now and up to `history` plies ago, and of the one with the last move. */
export function planesOf(history: number): readonly string[] {
  const agos = Array.from({ length: history }, (_, at) => `@${at + 1}`);
  return [...PIECES.flatMap((who) => ["", ...agos].map((ago) => who + ago)), "last"];
}

/** Whose pieces a plane called `who` shows. */
export function ownerOf(who: string, toMove: Player): Player {
  if (who === "mover") return toMove;
  if (who === "opponent") return other(toMove);
  return who === "player1" ? 1 : 0;
}

/** The plane "last": 1 at the cell played last; empty if `at` is none of the `cells`, before a move or after a pass. */
export function lastPlane(cells: number, at: number | null): Float32Array {
  const plane = new Float32Array(cells);
  if (at !== null && at < cells) plane[at] = 1;
  return plane;
}

export function unknownPlane(game: string, name: string, known: readonly string[]): GameError {
  return new GameError(`${game}: there is no plane '${name}', use ${known.join(", ")}.`);
}

/** Whether a game of these actions begins with the others, or is the same. */
export const beginsWith = (actions: readonly number[], beginning: readonly number[]): boolean =>
  beginning.length <= actions.length && beginning.every((action, at) => action === actions[at]);

/** Whether `action` is one of 0 to `count` - 1. */
export function isAction(action: number, count: number): boolean {
  return Number.isInteger(action) && action >= 0 && action < count;
}
