/** Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right. */

import { RowState, rowKind } from "./RowState";

export const SIDE = 3;
const KIND = rowKind("tictactoe", SIDE, SIDE, SIDE);

export const start = (): TicTacToe => new TicTacToe(KIND);

/** A position; `start` makes the first one. `winner` has three in a row. */
export class TicTacToe extends RowState {
  label(action: number): string {
    return String(action);
  }
}
