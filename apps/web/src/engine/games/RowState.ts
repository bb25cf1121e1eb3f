/** What the games share in which pieces stay where they were put, and some number of them in a row wins. */

import { EMPTY, illegal, ownerOf, type Player, planesOf, type Refusal, refusal, refuseOutside } from "../State";
import { Shapes } from "../Tables";
import { CellState, type Kind, piecesOf, withPiece } from "./Cells";
import { type Grid, hasRow, winningRows } from "./Lines";

/** How many plies ago a network may read the board. */
const HISTORY = 3;

export interface RowKind extends Kind, Grid {}

/** The kind of the game called `name`, whose networks read `history` plies. */
export function rowKind(name: string, rows: number, columns: number, wins: number, history = 0): RowKind {
  const encoding = Shapes.of(name).encoding(rows, columns);
  return { name, rows, columns, wins, encoding, planes: planesOf(history) };
}

/**
 * A position whose action is the cell of a new piece. `recent` are the last three moves, newest first; `winner` has
 * enough in a row.
 */
export abstract class RowState<Of extends RowKind = RowKind> extends CellState<Of> {
  constructor(
    kind: Of,
    cells: Uint8Array = new Uint8Array(kind.rows * kind.columns),
    readonly played = 0,
    readonly recent: readonly number[] = [],
    readonly winner: Player | null = null,
  ) {
    super(kind, cells);
  }

  get toMove(): Player {
    return this.played & 1 ? 1 : 0;
  }

  get lastAction(): number | null {
    return this.recent[0] ?? null;
  }

  get isTerminal(): boolean {
    return this.winner !== null || this.played === this.cells.length;
  }

  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.winner !== null) return legal;
    for (let at = 0; at < this.cells.length; at++) if (this.isOpen(at)) legal.push(at);
    return legal;
  }

  /** Whether a piece may be put there while nobody has won; false if `at` is no action. */
  protected isOpen(at: number): boolean {
    return this.cells[at] === EMPTY;
  }

  whyIllegal(action: number): Refusal | null {
    return refuseOutside(this, action) ?? (this.cells[action] === EMPTY ? null : refusal("occupied"));
  }

  apply(action: number): this {
    const { kind, played } = this;
    if (this.winner !== null || !this.isOpen(action)) throw illegal(kind.name, action, this.legalActions());
    const cells = withPiece(this.cells, action, this.toMove);
    const recent = [action, ...this.recent.slice(0, HISTORY - 1)];
    const Same = this.constructor as new (...args: ConstructorParameters<typeof RowState<Of>>) => this;
    return new Same(kind, cells, played + 1, recent, this.winnerBy(cells, action));
  }

  protected winnerBy(cells: Uint8Array, action: number): Player | null {
    const { kind, played, toMove } = this;
    // Nobody has four pieces before the seventh ply.
    return played + 2 >= 2 * kind.wins && hasRow(cells, kind, action) ? toMove : null;
  }

  returns(): number {
    return this.winner === null ? 0 : 1 - 2 * this.winner;
  }

  /** The rows that have won, each from its left or upper end to the other; none if nobody has a row. */
  private get rows(): readonly (readonly number[])[] {
    const { cells, kind, winner, lastAction } = this;
    return winner === null || lastAction === null ? [] : winningRows(cells, kind, lastAction);
  }

  /** The cells of all rows that have won, ascending. */
  winningLine(): readonly number[] {
    return [...new Set(this.rows.flat())].sort((a, b) => a - b);
  }

  /** The longest row that has won; empty if nobody has one. */
  longestLine(): readonly number[] {
    return this.rows.reduce((longest, row) => (row.length > longest.length ? row : longest), []);
  }

  /** "mover@2" are the pieces of the player to move now, as they lay two plies ago. */
  protected draw(name: string): Float32Array {
    const [who = "", ago = "0"] = name.split("@");
    const plane = piecesOf(this.cells, ownerOf(who, this.toMove));
    for (const point of this.recent.slice(0, Number(ago))) plane[point] = 0;
    return plane;
  }
}
