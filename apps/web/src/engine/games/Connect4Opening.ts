/**
 * Openings of Connect4 on 6 rows by 7 columns, solved: who wins if both play perfectly.
 *
 * games/data/connect4_openings.json has the outcome of every position with at most `most_discs` discs, mirror images
 * counted once, in the order of `listOpenings`.
 */

import { EMPTY, mark, type Player } from "../State";
import { type Connect4, start } from "./Connect4";

/** A column is a 1, then from the bottom up a bit for each disc, 1 for player 1's; a position has 7 bits a column. */
const SHIFT = 2 ** 7;
const FULL = 2 ** 6;

/** A letter has three outcomes, as digits to the base 3: a loss for the mover, a draw, a win. */
const PACKED = 3;
const FIRST_LETTER = 65;

/** The `outcome` for the player to move if both play perfectly, 1, 0 or -1; the actions `kept` keep it, ascending. */
export interface Opening {
  readonly outcome: number;
  readonly kept: readonly number[];
}

interface Table {
  /** With more discs a position is not in it. Nobody has four in a row before the last of them is played. */
  readonly most: number;
  readonly outcomes: ReadonlyMap<number, number>;
}

let table: Table | null = null;

/** Load the table of openings; until then no opening is solved. */
export async function readOpenings(): Promise<void> {
  if (table) return;
  const { default: read } = await import("../../../../../games/data/connect4_openings.json");
  const digits = [...read.outcomes].flatMap((letter) => {
    const number = letter.charCodeAt(0) - FIRST_LETTER;
    return [number, Math.floor(number / PACKED), Math.floor(number / PACKED ** 2)].map((digit) => digit % PACKED);
  });
  const openings = listOpenings(read.most_discs);
  table = { most: read.most_discs, outcomes: new Map(openings.map((opening, at) => [opening, (digits[at] ?? 0) - 1])) };
}

export const areOpeningsRead = (): boolean => table !== null;

/** How the game ends; null on another board, and if the table lacks the positions after the moves. */
export function solveOpening(state: Connect4): Opening | null {
  const [rows, columns] = start().board;
  if (!table || state.board[0] !== rows || state.board[1] !== columns || state.played >= table.most) return null;
  const { outcomes } = table;
  const outcomeOf = (of: Connect4): number => outcomes.get(asOne(columnsOf(of))) ?? 0;
  const outcome = outcomeOf(state);
  return { outcome, kept: state.legalActions().filter((at) => outcomeOf(state.apply(at) as Connect4) === -outcome) };
}

function columnsOf({ cells, columns }: Connect4): readonly number[] {
  const numbers = Array.from({ length: columns }, () => 1);
  for (let at = cells.length - 1; at >= 0; at--) {
    const [piece, column] = [cells[at], at % columns];
    if (piece !== EMPTY) numbers[column] = 2 * (numbers[column] ?? 1) + (piece === mark(1) ? 1 : 0);
  }
  return numbers;
}

/** Every position of the table: by the number of discs, then as they first come up, columns from left to right. */
function listOpenings(most: number): readonly number[] {
  let level: readonly (readonly number[])[] = [columnsOf(start())];
  const openings = [...level];
  for (let played = 0; played < most; played++) {
    const after = level.flatMap((columns) => moves(columns, played & 1 ? 1 : 0));
    level = [...new Map(after.map((columns) => [asOne(columns), columns])).values()];
    openings.push(...level);
  }
  return openings.map(asOne);
}

/** The positions to which a disc of a player leads, columns from left to right. */
const moves = (columns: readonly number[], player: Player): readonly (readonly number[])[] =>
  columns.flatMap((column, at) =>
    column < FULL ? [lower([...columns.slice(0, at), 2 * column + player, ...columns.slice(at + 1)])] : [],
  );

/** A position and its mirror image as one number, the lower of the two. */
const asOne = (columns: readonly number[]): number => numberOf(lower(columns));

function lower(columns: readonly number[]): readonly number[] {
  const mirrored = [...columns].reverse();
  return numberOf(mirrored) < numberOf(columns) ? mirrored : columns;
}

const numberOf = (columns: readonly number[]): number => columns.reduce((number, column) => number * SHIFT + column, 0);
