/**
 * Connect4 on 4 to 10 rows by 4 to 10 columns: an action is the cell a disc lands on.
 *
 * Cells are numbered row by row, row 0 on top: 0 is top left, the last one bottom right.
 */

import { GameError } from "../GameError";
import { EMPTY, type Refusal, refusal } from "../State";
import { Shapes } from "../Tables";
import { once } from "./Cells";
import { RowState, rowKind } from "./RowState";

const SHAPES = Shapes.of("connect4");
const [ROWS = 0, COLUMNS = 0] = SHAPES.reference.board;
const kindOf = once((rows: number, columns: number) => rowKind("connect4", rows, columns, 4));

/** The empty board; GameError if the game has no board of these rows and columns. */
export function start(rows = ROWS, columns = COLUMNS): Connect4 {
  if (!SHAPES.board([rows, columns])) {
    throw new GameError(`connect4: ${rows} rows of ${columns} are not played, choose numbers from 4 to 10.`);
  }
  return new Connect4(kindOf(rows, columns));
}

/** A position; `start` makes the first one. `winner` has four in a row. */
export class Connect4 extends RowState {
  get columns(): number {
    return this.kind.columns;
  }

  /** Whether a cell is empty, and is on the bottom or on a disc. */
  protected override isOpen(at: number): boolean {
    const below = at + this.kind.columns;
    return this.cells[at] === EMPTY && (below >= this.cells.length || this.cells[below] !== EMPTY);
  }

  override whyIllegal(action: number): Refusal | null {
    const reason = super.whyIllegal(action);
    if (reason === null && !this.isOpen(action)) return refusal("not_lowest");
    return reason?.code === "occupied" && this.cells[action % this.kind.columns] !== EMPTY ? refusal("full") : reason;
  }

  /** The number of the column, 0 on the left. */
  label(action: number): string {
    return String(action % this.kind.columns);
  }
}
