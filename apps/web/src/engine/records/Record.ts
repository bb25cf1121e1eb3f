/** What a record says of a game, and its moves by the game's rules. docs/records.md is the definition. */

import type { Settings } from "../Game";
import { GameError } from "../GameError";
import { Go } from "../games/Go";
import { Reversi } from "../games/Reversi";
import type { Player, Refusal, State } from "../State";

export const LARGEST = 1_000_000;
export const MOST_MOVES = 2_000;

/** SGF's number of each game that it has. */
export const SGF_GAMES: ReadonlyMap<string, string> = new Map([
  ["go", "1"],
  ["gomoku", "4"],
  ["reversi", "2"],
  ["hex", "11"],
]);

/** What SGF of Hex has where the second player takes the first stone over; the board's own name is the stone's. */
export const SWAPS: readonly string[] = ["swap-pieces", "swap"];

/** What is wrong with a text: the names of the sentences in every app. */
export type RecordKey =
  | "record_none"
  | "record_too_large"
  | "record_too_long"
  | "record_no_sgf"
  | "record_other_game"
  | "record_setup"
  | "record_settings"
  | "record_unknown_move"
  | "record_turn"
  | "record_illegal"
  | "record_after_end"
  /** A record of a game, or on a board, that no bundle here plays: said by the page, not by a reader. */
  | "record_no_network";

/**
 * A text is no record of a game. `move` is where it fails, from 1 on, and `what` the word that is meant; `refusal` is why
 * the move is illegal.
 */
export class RecordError extends GameError {
  constructor(
    readonly key: RecordKey,
    readonly move: number | null = null,
    readonly what = "",
    readonly refusal: Refusal | null = null,
  ) {
    super([key, move, what, refusal?.code].filter(Boolean).join(" "));
  }
}

/** A move by its name on the board; `player` is its player by the text, null if the text names none. */
export interface Move {
  readonly name: string;
  readonly player: Player | null;
}

/**
 * A game as a text has it. `settings` are those that it gives, `names` those of player 0 and player 1, `result` is SGF's
 * RE; nobody has checked them. The first `setUp` moves were not played: they place the stones that stood before the game.
 */
export interface GameRecord {
  /** null if the text does not name it. */
  readonly game: string | null;
  readonly settings: Settings;
  readonly moves: readonly Move[];
  readonly names: readonly [string, string];
  readonly result: string;
  /** How many variations were left out. */
  readonly ignored: number;
  readonly setUp: number;
}

/**
 * Every position of a record from `start` on; RecordError, with the move's number, where one cannot be played. Passes that
 * a record leaves out are made here: those that Reversi's rules force, and in Go the other side's where one moves twice
 * and has not just passed.
 */
export function statesOf({ moves, setUp }: GameRecord, start: State): [State, ...State[]] {
  const byName = new Map<string, number[]>();
  for (let action = 0; action < start.actions; action++) {
    const name = start.label(action).toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), action]);
  }
  const states: [State, ...State[]] = [start];
  let state = start;
  for (const [index, move] of moves.entries()) {
    const pass = passLeftOut(state, move);
    if (pass !== null) {
      state = state.apply(pass);
      states.push(state);
    }
    const actions = byName.get(move.name.toLowerCase()) ?? [];
    state = state.apply(
      index < setUp ? placing(state, move, actions) : actionOf(state, index + 1 - setUp, move, actions),
    );
    states.push(state);
  }
  return states;
}

/** The error for stones that no moves can bring there. */
export const noSetUp = (): RecordError => new RecordError("record_setup");

/** The pass that the text leaves out before a move; null if it leaves none out. */
export function passLeftOut(state: State, { name, player }: Move): number | null {
  if (state instanceof Reversi) return state.mustPass && name.toLowerCase() !== "pass" ? state.pass : null;
  if (!(state instanceof Go) || player === null || player === state.toMove) return null;
  return state.lastAction === state.pass ? null : state.pass;
}

/** The action of a move that places a stone which stood before the first one. */
function placing(state: State, move: Move, actions: readonly number[]): number {
  try {
    return actionOf(state, 1, move, actions);
  } catch (error) {
    throw error instanceof RecordError ? noSetUp() : error;
  }
}

/** The one of the `actions` of a move's name that can be played: a column of Connect4 has six. */
function actionOf(state: State, number: number, { name, player }: Move, actions: readonly number[]): number {
  if (state.isTerminal) throw new RecordError("record_after_end", number);
  const last = actions.at(-1);
  if (last === undefined) throw new RecordError("record_unknown_move", number, name);
  if (player !== null && player !== state.toMove) throw new RecordError("record_turn", number);
  const legal = actions.find((action) => state.whyIllegal(action) === null);
  if (legal !== undefined) return legal;
  throw new RecordError("record_illegal", number, "", state.whyIllegal(last));
}
