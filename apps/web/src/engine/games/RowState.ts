/** What the games share in which pieces stay where they were put, and so many in a row win. */

import { type Encoding, encode } from "../Encoding";
import {
  EMPTY,
  illegal,
  lastPlane,
  ownerOf,
  type Player,
  planesOf,
  type Refusal,
  refusal,
  refuseOutside,
  type State,
  unknownPlane,
} from "../State";
import { Shapes } from "../Tables";
import { type Grid, hasRow, piecesOf, winningRows, withPiece } from "./Lines";

/** How many plies ago a network may read the board. */
const HISTORY = 3;

/** What all positions of one game share. */
export interface RowKind extends Grid {
  readonly name: string;
  readonly encoding: Encoding;
  /** Those that can be drawn. */
  readonly planes: readonly string[];
}

/** The kind of the game called `name`, whose networks read `history` plies. */
export function rowKind(name: string, rows: number, columns: number, wins: number, history = 0): RowKind {
  const encoding = Shapes.of(name).encoding(rows, columns);
  return { name, rows, columns, wins, encoding, planes: planesOf(history) };
}

/**
 * A position whose action is the cell of a new piece. `cells` has 0 for an empty cell, 1 and 2 for a piece of player 0
 * and 1; `recent` the last three moves, newest first; `winner` has enough in a row.
 */
export abstract class RowState<Kind extends RowKind = RowKind> implements State {
  constructor(
    protected readonly kind: Kind,
    readonly cells: Uint8Array = new Uint8Array(kind.rows * kind.columns),
    readonly played = 0,
    readonly recent: readonly number[] = [],
    readonly winner: Player | null = null,
  ) {}

  get actions(): number {
    return this.cells.length;
  }

  get board(): readonly [number, number] {
    return [this.kind.rows, this.kind.columns];
  }

  get encoding(): Encoding {
    return this.kind.encoding;
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

  abstract label(action: number): string;

  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.winner !== null) return legal;
    for (let at = 0; at < this.cells.length; at++) if (this.isOpen(at)) legal.push(at);
    return legal;
  }

  /** Whether a piece may be put there while nobody has won; false of a number that is no action. */
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
    const Same = this.constructor as new (...given: ConstructorParameters<typeof RowState<Kind>>) => this;
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

  /** Who is the mover is what it is now; "mover@2" are that player's pieces two plies ago. */
  plane(name: string): Float32Array {
    const { kind, cells, toMove, recent } = this;
    if (!kind.planes.includes(name)) throw unknownPlane(kind.name, name, [...kind.planes, "signed"]);
    if (name === "last") return lastPlane(cells.length, this.lastAction);
    const [who = "", ago = "0"] = name.split("@");
    const plane = piecesOf(cells, ownerOf(who, toMove));
    for (const point of recent.slice(0, Number(ago))) plane[point] = 0;
    return plane;
  }

  encode(): Float32Array {
    return encode(this, this.encoding);
  }
}
