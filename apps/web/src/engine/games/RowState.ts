/** What the games share in which pieces stay where they were put, and so many in a row win. */

import { type Encoding, encode } from "../Encoding";
import { lastPlane, ownerOf, PIECES, type Player, type Refusal, resultOf, type State, unknownPlane } from "../State";
import { type Grid, longestRow, piecesOf, winningRow } from "./Lines";

/** The planes that every such game draws. */
const PLANES: readonly string[] = [...PIECES, "last"];

/** What all positions of one game share. */
export interface RowKind {
  readonly name: string;
  readonly grid: Grid;
  readonly encoding: Encoding;
}

/**
 * A position whose action is the cell of a new piece. `cells` has 0 for an empty cell, 1 and 2 for a piece of player 0
 * and 1; `winner` has enough in a row.
 */
export abstract class RowState implements State {
  constructor(
    private readonly kind: RowKind,
    readonly cells: Uint8Array,
    readonly played: number,
    readonly lastAction: number | null,
    readonly winner: Player | null,
  ) {}

  get actions(): number {
    return this.cells.length;
  }

  get board(): readonly [number, number] {
    return [this.kind.grid.rows, this.kind.grid.columns];
  }

  get encoding(): Encoding {
    return this.kind.encoding;
  }

  get toMove(): Player {
    return this.played & 1 ? 1 : 0;
  }

  get isTerminal(): boolean {
    return this.winner !== null || this.played === this.cells.length;
  }

  abstract legalActions(): readonly number[];
  abstract whyIllegal(action: number): Refusal | null;
  abstract apply(action: number): State;
  abstract label(action: number): string;

  returns(): number {
    return resultOf(this.winner);
  }

  /** The cells in a row that have won, ascending; none where nobody has. */
  winningLine(): readonly number[] {
    return this.winner === null || this.lastAction === null
      ? []
      : winningRow(this.cells, this.kind.grid, this.lastAction);
  }

  /** The longest row that has won, from its left or upper end to the other; none where nobody has a row. */
  longestLine(): readonly number[] {
    return this.winner === null || this.lastAction === null
      ? []
      : longestRow(this.cells, this.kind.grid, this.lastAction);
  }

  plane(name: string): Float32Array {
    if (!PLANES.includes(name)) throw unknownPlane(this.kind.name, name, [...PLANES, "signed"]);
    if (name === "last") return lastPlane(this.cells.length, this.lastAction);
    return piecesOf(this.cells, ownerOf(name, this.toMove));
  }

  encode(): Float32Array {
    return encode(this, this.kind.encoding);
  }
}
