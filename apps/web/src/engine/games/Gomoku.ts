/**
 * Gomoku: five in a row on a square board, freestyle or with the Renju rule for black.
 *
 * Points are numbered row by row, row 0 on top. Black is player 0.
 */

import { type Encoding, encode } from "../Encoding";
import { GameError } from "../GameError";
import {
  EMPTY,
  illegal,
  isAction,
  lastPlane,
  mark,
  OCCUPIED,
  OVER,
  other,
  ownerOf,
  PIECES,
  type Player,
  type Refusal,
  resultOf,
  type State,
  type Sudden,
  unknownPlane,
} from "../State";
import { Shapes } from "../Tables";
import { type Grid, hasRow, longestRow, piecesOf, winningRow, withPiece } from "./Lines";
import { type Reason, Renju } from "./Renju";

const SHAPES = Shapes.of("gomoku");
const RULES = SHAPES.choices("rule");
// A network reads the board now and 1, 2 and 3 plies ago: "mover@2" are the stones that today's mover had two plies ago.
const HISTORY = 3;
const named = (who: string): string[] => [who, `${who}@1`, `${who}@2`, `${who}@3`];
const DRAWN = [...PIECES.flatMap(named), "last"];
const LETTERS = "ABCDEFGHIJKLMNOPQRS";

/** What all positions of one size and rule share. */
interface Kind extends Grid {
  readonly rule: string;
  readonly encoding: Encoding;
  readonly renju: Renju | null;
}

const KINDS = new Map<string, Kind>();

function kindOf(size: number, rule: string): Kind {
  const known = KINDS.get(`${size} ${rule}`);
  if (known) return known;
  const renju = rule === "renju" ? new Renju(size) : null;
  const kind = { rows: size, columns: size, wins: 5, rule, encoding: SHAPES.encoding(size), renju };
  KINDS.set(`${size} ${rule}`, kind);
  return kind;
}

/** The empty board, black to move. `size` 5 to 19, `rule` freestyle or renju; GameError otherwise. */
export function start(size: number, rule: string): Gomoku {
  if (!SHAPES.sizes.includes(size))
    throw new GameError(`gomoku: size ${size} is not possible, choose a number from 5 to 19.`);
  if (!RULES.includes(rule)) throw new GameError(`gomoku: rule '${rule}' is unknown, use ${RULES.join(" or ")}.`);
  return new Gomoku(kindOf(size, rule), new Uint8Array(size * size), 0, [], null);
}

/**
 * A position; `start` makes the first one. `cells` has 0 for an empty point, 1 for black, 2 for white; `recent` the
 * last three moves, newest first; `winner` who has won.
 *
 * Five or more in a row win; a full board is a draw. With the rule "renju" black's forbidden points are not legal,
 * and black loses where every empty point is forbidden.
 */
export class Gomoku implements State {
  constructor(
    private readonly kind: Kind,
    readonly cells: Uint8Array,
    readonly played: number,
    readonly recent: readonly number[],
    readonly winner: Player | null,
  ) {}

  /** Points a side. */
  get size(): number {
    return this.kind.rows;
  }

  get rule(): string {
    return this.kind.rule;
  }

  get actions(): number {
    return this.cells.length;
  }

  get board(): readonly [number, number] {
    return [this.size, this.size];
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

  /** The empty points, ascending, without black's forbidden ones; none once the game is over. */
  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.winner !== null) return legal;
    const forbidden = this.forbidden();
    for (let at = 0; at < this.cells.length; at++) {
      if (this.cells[at] === EMPTY && !forbidden?.has(at)) legal.push(at);
    }
    return legal;
  }

  /** Black's forbidden points and why; null where black is not to move under "renju" or the game is over. */
  forbidden(): ReadonlyMap<number, Reason> | null {
    const judges = this.kind.renju !== null && this.toMove === 0 && !this.isTerminal;
    return judges ? this.kind.renju.forbidden(this.cells) : null;
  }

  /**
   * The points that make five for the mover, and how many the opponent has after each legal action. null where black
   * might be left without a move under "renju", which wins for white too.
   */
  sudden(): Sudden | null {
    if (this.isTerminal) return { wins: [], answers: [] };
    if (this.kind.renju?.mayBeStuck(this.cells)) return null;
    const theirs = new Set(this.fives(other(this.toMove)));
    // A stone takes a point from the opponent and changes nothing else of what it can make.
    const answers = this.legalActions().map((point) => theirs.size - (theirs.has(point) ? 1 : 0));
    return { wins: this.fives(this.toMove), answers };
  }

  /** The points where one more stone of `player` makes a row that wins. */
  private fives(player: Player): number[] {
    const { renju } = this.kind;
    const cells = this.cells.slice();
    const found: number[] = [];
    for (let at = 0; at < cells.length; at++) {
      if (this.cells[at] !== EMPTY) continue;
      cells[at] = mark(player);
      // Of black's rows only one of exactly five wins; a longer one is forbidden.
      const isRow = hasRow(cells, this.kind, at);
      if (isRow && !(renju && player === 0 && renju.reason(this.cells, at) !== null)) found.push(at);
      cells[at] = EMPTY;
    }
    return found;
  }

  /** "occupied", "overline", "double four", "double three", ... */
  whyIllegal(action: number): Refusal | null {
    if (this.isTerminal) return OVER;
    if (!isAction(action, this.actions)) return "no point of the board";
    if (this.cells[action] !== EMPTY) return OCCUPIED;
    return this.kind.renju && this.toMove === 0 ? this.kind.renju.reason(this.cells, action) : null;
  }

  apply(action: number): Gomoku {
    if (this.whyIllegal(action) !== null) throw illegal("gomoku", action, this.legalActions());
    const cells = withPiece(this.cells, action, this.toMove);
    const recent = [action, ...this.recent.slice(0, HISTORY - 1)];
    return new Gomoku(this.kind, cells, this.played + 1, recent, this.winnerBy(cells, action));
  }

  private winnerBy(cells: Uint8Array, action: number): Player | null {
    if (hasRow(cells, this.kind, action)) return this.toMove;
    const blackIsNext = this.kind.renju !== null && this.toMove === 1 && this.played + 1 < cells.length;
    return blackIsNext && this.kind.renju.isStuck(cells) ? 1 : null;
  }

  returns(): number {
    return resultOf(this.winner);
  }

  /** The cells in a row that have won, ascending; none where nobody has, or black could not move. */
  winningLine(): readonly number[] {
    return this.winner === null || this.lastAction === null ? [] : winningRow(this.cells, this.kind, this.lastAction);
  }

  /** The longest row that has won, from its left or upper end to the other; none where nobody has a row. */
  longestLine(): readonly number[] {
    return this.winner === null || this.lastAction === null ? [] : longestRow(this.cells, this.kind, this.lastAction);
  }

  /** Who is the mover is what it is now; "mover@2" are that player's stones two plies ago. */
  plane(name: string): Float32Array {
    if (!DRAWN.includes(name)) throw unknownPlane("gomoku", name, [...DRAWN, "signed"]);
    if (name === "last") return lastPlane(this.cells.length, this.lastAction);
    const [who = "", ago = "0"] = name.split("@");
    const plane = piecesOf(this.cells, ownerOf(who, this.toMove));
    for (const point of this.recent.slice(0, Number(ago))) plane[point] = 0;
    return plane;
  }

  encode(): Float32Array {
    return encode(this, this.encoding);
  }

  /** The point's column as a letter, none left out, and its row counted from the bottom: H8. */
  label(action: number): string {
    if (!isAction(action, this.actions)) {
      throw new GameError(`gomoku: action ${action} is no point of this board, choose 0 to ${this.actions - 1}.`);
    }
    return `${LETTERS[action % this.size]}${this.size - Math.floor(action / this.size)}`;
  }
}
