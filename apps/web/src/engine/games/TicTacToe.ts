/** Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right. */

import { EMPTY, illegal, isAction, OCCUPIED, OVER, type Player, type Refusal } from "../State";
import { Shapes } from "../Tables";
import { type Grid, hasRow, withPiece } from "./Lines";
import { type RowKind, RowState } from "./RowState";

const SIDE = 3;
const CELLS = SIDE * SIDE;
const GRID: Grid = { rows: SIDE, columns: SIDE, wins: SIDE };
const KIND: RowKind = { name: "tictactoe", grid: GRID, encoding: Shapes.of("tictactoe").reference };

/** A position. `cells` has 0 for an empty cell, 1 and 2 for a mark of player 0 and 1; `winner` has three in a row. */
export class TicTacToe extends RowState {
  constructor(
    cells: Uint8Array = new Uint8Array(CELLS),
    played = 0,
    lastAction: number | null = null,
    winner: Player | null = null,
  ) {
    super(KIND, cells, played, lastAction, winner);
  }

  /** The empty cells, ascending; none once the game is over. */
  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.winner !== null) return legal;
    for (let at = 0; at < CELLS; at++) if (this.cells[at] === EMPTY) legal.push(at);
    return legal;
  }

  whyIllegal(action: number): Refusal | null {
    if (this.isTerminal) return OVER;
    if (!isAction(action, CELLS)) return "no cell of the board";
    return this.cells[action] === EMPTY ? null : OCCUPIED;
  }

  apply(action: number): TicTacToe {
    if (this.winner !== null || this.cells[action] !== EMPTY) {
      throw illegal("tictactoe", action, this.legalActions());
    }
    const cells = withPiece(this.cells, action, this.toMove);
    return new TicTacToe(cells, this.played + 1, action, hasRow(cells, GRID, action) ? this.toMove : null);
  }

  /** The cell's number. */
  label(action: number): string {
    return String(action);
  }
}
