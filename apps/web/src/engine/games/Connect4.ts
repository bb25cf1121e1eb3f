/**
 * Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.
 *
 * Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right.
 */

import { GameError } from "../GameError";
import { EMPTY, illegal, isAction, OCCUPIED, OVER, type Player, type Refusal } from "../State";
import { Shapes } from "../Tables";
import { type Grid, hasRow, withPiece } from "./Lines";
import { type RowKind, RowState } from "./RowState";

export const ROWS = 6;
export const COLUMNS = 7;
const CELLS = ROWS * COLUMNS;
const GRID: Grid = { rows: ROWS, columns: COLUMNS, wins: 4 };
const KIND: RowKind = { name: "connect4", grid: GRID, encoding: Shapes.of("connect4").reference };

/** A position. `cells` has 0 for an empty cell, 1 and 2 for a disc of player 0 and 1; `winner` has four in a row. */
export class Connect4 extends RowState {
  constructor(
    cells: Uint8Array = new Uint8Array(CELLS),
    played = 0,
    lastAction: number | null = null,
    winner: Player | null = null,
  ) {
    super(KIND, cells, played, lastAction, winner);
  }

  /** The lowest empty cell of each column that has one, ascending; none once the game is over. */
  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.winner !== null) return legal;
    for (let at = 0; at < CELLS; at++) if (this.isOpen(at)) legal.push(at);
    return legal;
  }

  /** Whether a cell is empty, and is on the bottom or on a disc. */
  private isOpen(at: number): boolean {
    return this.cells[at] === EMPTY && (at >= CELLS - COLUMNS || this.cells[at + COLUMNS] !== EMPTY);
  }

  /** The cell a disc dropped into `column` (0 on the left) lands on; GameError where it cannot. */
  landing(column: number): number {
    const legal = this.legalActions();
    const found = legal.find((action) => action % COLUMNS === column);
    if (found !== undefined) return found;
    const columns = legal.map((action) => action % COLUMNS).sort((a, b) => a - b);
    const instead = columns.length ? `choose column ${columns.join(", ")}` : OVER;
    throw new GameError(`connect4: no disc can be dropped into column ${column}, ${instead}.`);
  }

  whyIllegal(action: number): Refusal | null {
    if (this.isTerminal) return OVER;
    if (!isAction(action, CELLS)) return "no cell of the board";
    if (this.cells[action] !== EMPTY) return OCCUPIED;
    return this.isOpen(action) ? null : "a disc falls to the lowest empty cell of its column";
  }

  apply(action: number): Connect4 {
    // Of a number that is no action neither this cell nor the one below is there.
    if (this.winner !== null || !this.isOpen(action)) throw illegal("connect4", action, this.legalActions());
    const cells = withPiece(this.cells, action, this.toMove);
    // Nobody has four discs before the seventh ply.
    const won = this.played > 5 && hasRow(cells, GRID, action);
    return new Connect4(cells, this.played + 1, action, won ? this.toMove : null);
  }

  /** The number of the column, 0 on the left. */
  label(action: number): string {
    return String(action % COLUMNS);
  }
}
