/**
 * Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.
 *
 * Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right.
 */

import { EMPTY, type Refusal, refusal } from "../State";
import { RowState, rowKind } from "./RowState";

export const ROWS = 6;
export const COLUMNS = 7;
const CELLS = ROWS * COLUMNS;
const KIND = rowKind("connect4", ROWS, COLUMNS, 4);

export const start = (): Connect4 => new Connect4(KIND);

/** A position; `start` makes the first one. `winner` has four in a row. */
export class Connect4 extends RowState {
  /** Whether a cell is empty, and is on the bottom or on a disc. */
  protected override isOpen(at: number): boolean {
    return this.cells[at] === EMPTY && (at >= CELLS - COLUMNS || this.cells[at + COLUMNS] !== EMPTY);
  }

  override whyIllegal(action: number): Refusal | null {
    const found = super.whyIllegal(action);
    if (found === null && !this.isOpen(action)) return refusal("not_lowest");
    return found?.code === "occupied" && this.cells[action % COLUMNS] !== EMPTY ? refusal("full") : found;
  }

  /** The number of the column, 0 on the left. */
  label(action: number): string {
    return String(action % COLUMNS);
  }
}
