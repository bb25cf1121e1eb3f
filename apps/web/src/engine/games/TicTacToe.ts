/** Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right. */

import { encode, type Encoding } from "../Encoding";
import {
  EMPTY, illegal, isAction, OCCUPIED, other, OVER, resultOf, unknownPlane, type Player, type State,
} from "../State";
import { hasRow, piecesOf, winningRow, withPiece, type Grid } from "./Lines";

export const SIDE = 3;
export const CELLS = SIDE * SIDE;
const PLANES = ["mover", "opponent"];
const GRID: Grid = { rows: SIDE, columns: SIDE, wins: SIDE };
export const ENCODING: Encoding = { layout: "flat", board: [SIDE, SIDE], planes: ["signed"] };

/** A position. `cells` has 0 for an empty cell, 1 and 2 for a mark of player 0 and 1; `winner` has three in a row. */
export class TicTacToe implements State {
  constructor(
    readonly cells: Uint8Array = new Uint8Array(CELLS),
    readonly played = 0,
    readonly lastAction: number | null = null,
    readonly winner: Player | null = null,
  ) {}

  get actions(): number {
    return CELLS;
  }

  get board(): readonly [number, number] {
    return [SIDE, SIDE];
  }

  get encoding(): Encoding {
    return ENCODING;
  }

  get toMove(): Player {
    return this.played & 1 ? 1 : 0;
  }

  get isTerminal(): boolean {
    return this.winner !== null || this.played === CELLS;
  }

  /** The empty cells, ascending; none once the game is over. */
  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.winner !== null) return legal;
    for (let at = 0; at < CELLS; at++) if (this.cells[at] === EMPTY) legal.push(at);
    return legal;
  }

  whyIllegal(action: number): string | null {
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

  returns(): number {
    return resultOf(this.winner);
  }

  /** The cells in a row that have won, ascending; none where nobody has. */
  winningLine(): readonly number[] {
    return this.winner === null || this.lastAction === null ? [] : winningRow(this.cells, GRID, this.lastAction);
  }

  plane(name: string): Float32Array {
    if (!PLANES.includes(name)) throw unknownPlane("tictactoe", name, [...PLANES, "signed"]);
    return piecesOf(this.cells, name === "mover" ? this.toMove : other(this.toMove));
  }

  encode(): Float32Array {
    return encode(this, ENCODING);
  }

  /** The cell's number. */
  label(action: number): string {
    return String(action);
  }
}
