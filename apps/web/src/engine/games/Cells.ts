/** What the games share that are played on the cells of a board, numbered row by row from the top: the rest is rules. */

import { type Encoding, encode } from "../Encoding";
import { GameError } from "../GameError";
import {
  EMPTY,
  isAction,
  lastPlane,
  mark,
  other,
  type Player,
  type Refusal,
  type State,
  type Sudden,
  unknownPlane,
} from "../State";

/** What all positions of one board share. */
export interface Kind {
  readonly name: string;
  readonly encoding: Encoding;
  /** The planes that the game draws, "last" among them. */
  readonly planes: readonly string[];
}

/** `make`, called once for each list of arguments: what it makes is shared from then on. */
export function once<Given extends readonly unknown[], Made>(make: (...given: Given) => Made): typeof make {
  const made = new Map<string, Made>();
  return (...given) => {
    const key = given.join(" ");
    const known = made.get(key) ?? make(...given);
    made.set(key, known);
    return known;
  };
}

/** How a game names its cells: letters of the columns, and whether the rows count from the bottom. */
export interface Names {
  readonly letters: string;
  readonly isFromBottom: boolean;
  /** What is no cell, within the sentence of an error: "no point". */
  readonly missing: string;
}

/** A position on a board of rows and columns. */
export abstract class BoardState<Of extends Kind = Kind> implements State {
  abstract readonly actions: number;
  abstract readonly toMove: Player;
  abstract readonly isTerminal: boolean;
  abstract readonly lastAction: number | null;

  constructor(readonly kind: Of) {}

  abstract legalActions(): readonly number[];
  abstract whyIllegal(action: number): Refusal | null;
  abstract apply(action: number): State;
  abstract returns(): number;
  abstract plane(name: string): Float32Array;
  abstract label(action: number): string;

  get encoding(): Encoding {
    return this.kind.encoding;
  }

  get board(): readonly [number, number] {
    const [rows = 0, columns = 0] = this.encoding.board;
    return [rows, columns];
  }

  encode(): Float32Array {
    return encode(this, this.encoding);
  }
}

/** A position of pieces on cells: `cells` has 0 for an empty cell, 1 and 2 for a piece of player 0 and 1. */
export abstract class CellState<Of extends Kind = Kind> extends BoardState<Of> {
  constructor(
    kind: Of,
    readonly cells: Uint8Array,
  ) {
    super(kind);
  }

  /** A plane of the game's own but "last". */
  protected abstract draw(name: string): Float32Array;

  get actions(): number {
    return this.cells.length;
  }

  /** Cells of a row: cells a side where the board is a square. */
  get size(): number {
    return this.board[1];
  }

  plane(name: string): Float32Array {
    const { name: game, planes } = this.kind;
    if (!planes.includes(name)) throw unknownPlane(game, name, [...planes, "signed"]);
    return name === "last" ? lastPlane(this.cells.length, this.lastAction) : this.draw(name);
  }

  /** A cell's column as a letter and the number of its row, or "pass". GameError if there is no such action. */
  protected nameOf(action: number, { letters, isFromBottom, missing }: Names): string {
    if (!isAction(action, this.actions)) {
      const most = this.actions - 1;
      throw new GameError(`${this.kind.name}: action ${action} is ${missing} of this board, choose 0 to ${most}.`);
    }
    if (action === this.cells.length) return "pass";
    const row = Math.floor(action / this.size);
    return `${letters[action % this.size]}${isFromBottom ? this.size - row : row + 1}`;
  }
}

/** A position of a game whose last action is the pass. */
export abstract class PassingState<Of extends Kind = Kind> extends CellState<Of> {
  get pass(): number {
    return this.cells.length;
  }

  override get actions(): number {
    return this.cells.length + 1;
  }
}

/** (rows down, columns right) of the steps to the eight cells around a cell, to the lowest number first. */
export const STEPS = [-1, 0, 1]
  .flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const))
  .filter(([down, right]) => down !== 0 || right !== 0);

/** The cells from `at` (not counted) to the border of a board of `size` by `size`, the nearest first. */
export function ray(size: number, at: number, down: number, right: number): readonly number[] {
  const cells: number[] = [];
  let [row, column] = [Math.floor(at / size) + down, (at % size) + right];
  while (row >= 0 && row < size && column >= 0 && column < size) {
    cells.push(row * size + column);
    [row, column] = [row + down, column + right];
  }
  return cells;
}

/** The cells that single steps lead to from `at`, on a board of `size` by `size`. */
export const cellsBeside = (size: number, at: number, steps: typeof STEPS): readonly number[] =>
  steps.flatMap(([down, right]) => ray(size, at, down, right).slice(0, 1));

/** 1 at the pieces of a player. */
export function piecesOf(cells: Uint8Array, player: Player): Float32Array {
  const plane = new Float32Array(cells.length);
  const own = mark(player);
  for (let at = 0; at < cells.length; at++) if (cells[at] === own) plane[at] = 1;
  return plane;
}

/** How many cells have a piece of player 0, and of player 1. */
export function countPieces(cells: Iterable<number>): readonly [number, number] {
  const counts: [number, number] = [0, 0];
  for (const piece of cells) {
    if (piece === mark(0)) counts[0]++;
    else if (piece === mark(1)) counts[1]++;
  }
  return counts;
}

export function withPiece(cells: Uint8Array, at: number, player: Player): Uint8Array {
  const next = cells.slice();
  next[at] = mark(player);
  return next;
}

export const emptyCells = (cells: Uint8Array): readonly number[] =>
  [...cells.keys()].filter((at) => cells[at] === EMPTY);

/**
 * What ends at once in a game in which a piece only takes its cell from the opponent; `winsOf` gives the cells that win
 * for a player.
 */
export function suddenBy(state: State, winsOf: (player: Player) => readonly number[]): Sudden {
  if (state.isTerminal) return { wins: [], answers: [] };
  const theirs = new Set(winsOf(other(state.toMove)));
  const answers = state.legalActions().map((at) => theirs.size - (theirs.has(at) ? 1 : 0));
  return { wins: winsOf(state.toMove), answers };
}
