/**
 * Encodings as data: which planes make the tensor that a network reads, and in which layout.
 *
 *     {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
 *
 * A plane is a name. The game draws the ones that depend on its rules ("mover", "opponent", "mover@2"
 * for two plies ago, "player0", "last", counts of boxes, ...); those that every game has are drawn here. So are those
 * that show both players in one plane, such as "signed", +1 where the mover has a piece and -1 where the opponent has
 * one, and "codes_mover", 1 and 2 at the same places.
 *
 * A network may have a second input that says who is to move: `beside`. A position is then one vector, of which each
 * input reads its part.
 */

import { type Data, membersOf } from "./Data";
import { GameError } from "./GameError";

const LAYOUTS = ["channels_first", "channels_last", "flat", "cells", "sum"] as const;
export type Layout = (typeof LAYOUTS)[number];

// What an encoding may say beside its planes; the first is meant where it says nothing.
const OPTIONS = {
  flip: [false, true],
  transpose: [false, true],
  turned: [false, true],
  history: ["empty", "repeated"],
  value: ["mover", "opponent", "player0", "player1", "unknown"],
} as const;

/**
 * `flip` writes the rows of every plane bottom first, `transpose` then exchanges rows and columns. `turned` exchanges
 * those of a square board before that where the second player is to move, and the moves likewise. `history` is what a
 * plane of a ply before the first shows, `value` whose value the network gives.
 *
 * The games begin with nothing on the board, so that an empty plane and the repeated first position are the same here.
 */
export type Options = { readonly [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name][number] };

/**
 * `planes` over a `board`, stacked as `layout` says: channels_first gives (planes, ...board),
 * channels_last (...board, planes), flat one vector of the planes one after the other, cells one of the cells, each with
 * its number of every plane, sum (...board) with the planes added up. `board` is the game's own, whether the planes are transposed or not.
 */
export interface Encoding extends Options {
  readonly layout: Layout;
  readonly board: readonly number[];
  readonly planes: readonly string[];
  /** Absent where the network has one input. */
  readonly beside?: Beside;
}

/** What a second input reads: planes that are the same everywhere, each as `cells` numbers; before the board's if `first`. */
export interface Beside {
  readonly planes: readonly string[];
  readonly cells: number;
  readonly first: boolean;
}

/** What an encoding asks of a position; every game's `State` is one. */
export interface Drawable {
  /** The player to move, 0 or 1. */
  readonly toMove: number;
  /** Rows and columns of the planes. */
  readonly board: readonly [number, number];
  /** One plane, row by row; GameError if the game has none so called. */
  plane(name: string): Float32Array;
}

const COMMON: ReadonlyMap<string, (state: Drawable) => number> = new Map(
  Object.entries({
    ones: () => 1,
    zeros: () => 0,
    player0_to_move: (state: Drawable) => 1 - state.toMove,
    player1_to_move: (state: Drawable) => state.toMove,
    turn_player0: (state: Drawable) => 1 - 2 * state.toMove,
    turn_player1: (state: Drawable) => 2 * state.toMove - 1,
  }),
);

/** Planes that are added up, each with the number that its cells get. */
type Parts = ReadonlyMap<string, number>;

const partsOf = (first: string, second: string, ofSecond: number): Parts =>
  new Map([
    [first, 1],
    [second, ofSecond],
  ]);

/** -1 if nobody has a piece, 0 at the first one's, 1 at the second one's. */
const marksOf = (first: string, second: string): Parts =>
  new Map([
    ["ones", -1],
    [first, 1],
    [second, 2],
  ]);

const NOBODYS: Parts = new Map([
  ["ones", 1],
  ["mover", -1],
  ["opponent", -1],
]);

// Planes of both players' pieces, and of what neither has.
const MIXED: ReadonlyMap<string, Parts> = new Map([
  ["empty", NOBODYS],
  ["signed", partsOf("mover", "opponent", -1)],
  ["signed_opponent", partsOf("opponent", "mover", -1)],
  ["signed_player0", partsOf("player0", "player1", -1)],
  ["signed_player1", partsOf("player1", "player0", -1)],
  ["codes_mover", partsOf("mover", "opponent", 2)],
  ["codes_opponent", partsOf("opponent", "mover", 2)],
  ["codes_player0", partsOf("player0", "player1", 2)],
  ["codes_player1", partsOf("player1", "player0", 2)],
  ["marks_mover", marksOf("mover", "opponent")],
  ["marks_opponent", marksOf("opponent", "mover")],
  ["marks_player0", marksOf("player0", "player1")],
  ["marks_player1", marksOf("player1", "player0")],
]);

/** The numbers that a tensor of this shape holds. */
export const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** How many numbers each input reads, in their order. */
export function inputSizes(encoding: Encoding): readonly number[] {
  const { beside } = encoding;
  const board = sizeOf(boardShape(encoding));
  if (!beside) return [board];
  const other = beside.planes.length * beside.cells;
  return beside.first ? [other, board] : [board, other];
}

/** The tensor's shape without the batch: of two inputs one vector of all their numbers. */
export const shapeOf = (encoding: Encoding): number[] =>
  encoding.beside ? [inputSizes(encoding).reduce((sum, size) => sum + size)] : boardShape(encoding);

function boardShape({ layout, board, planes, transpose }: Encoding): number[] {
  const sizes = transpose ? [...board].reverse() : [...board];
  if (layout === "sum") return sizes;
  if (layout === "flat" || layout === "cells") return [planes.length * sizeOf(board)];
  return layout === "channels_first" ? [planes.length, ...sizes] : [...sizes, planes.length];
}

const isLayout = (name: unknown): name is Layout => LAYOUTS.some((layout) => layout === name);
const isSize = (size: unknown): size is number => Number.isInteger(size) && Number(size) > 0;

/** The encoding that a manifest's `encoding` describes; GameError if it describes none. */
export function encodingFrom(data: unknown): Encoding {
  const given = membersOf(data);
  const { layout, board, planes } = given;
  const missing = (["layout", "board", "planes"] as const).find((key) => !(key in given));
  if (missing) throw new GameError(`encoding: '${missing}' is missing, give layout, board and planes.`);
  if (!isLayout(layout)) {
    throw new GameError(`encoding: layout '${String(layout)}' is unknown, use one of ${LAYOUTS.join(", ")}.`);
  }
  if (!Array.isArray(board) || !board.every(isSize)) {
    throw new GameError(`encoding: board ${JSON.stringify(board)} is no list of sizes such as [6, 7].`);
  }
  if (given.turned === true && new Set(board).size !== 1) {
    throw new GameError(`encoding: a board of ${board.join(" by ")} cannot be turned, give as many rows as columns.`);
  }
  if (!Array.isArray(planes) || planes.length === 0) {
    throw new GameError("encoding: 'planes' names no plane, give a list of at least one plane's name.");
  }
  return { layout, board, planes: planes.map(String), ...optionsFrom(given), ...besideFrom(given, sizeOf(board)) };
}

/** The second input, if one is given; null means none. */
function besideFrom({ beside = null }: Data, ofBoard: number): { readonly beside?: Beside } {
  if (beside === null) return {};
  const { planes, cells = 1, first = false } = membersOf(beside);
  if (!Array.isArray(planes) || !Number.isInteger(cells) || typeof first !== "boolean") {
    const text = JSON.stringify(beside);
    throw new GameError(`encoding: 'beside' is ${text}, give its planes as a list, and 'cells' as a whole number.`);
  }
  const unknown = planes.find((name) => !COMMON.has(String(name)));
  if (unknown !== undefined || !planes.length) {
    const named = planes.length ? `'${String(unknown)}' is unknown` : "'planes' is empty";
    throw new GameError(`encoding: beside: ${named}, use one of ${[...COMMON.keys()].join(", ")}.`);
  }
  if (cells !== 1 && cells !== ofBoard) {
    throw new GameError(`encoding: beside: 'cells' is ${String(cells)}, give 1 or the board's ${ofBoard}.`);
  }
  return { beside: { planes: planes.map(String), cells, first } };
}

/** The options that are given; null means the usual one. */
function optionsFrom(given: Data): Options {
  const names = Object.entries(OPTIONS).filter(([name]) => (given[name] ?? null) !== null);
  for (const [name, choices] of names) {
    if (choices.some((choice) => choice === given[name])) continue;
    throw new GameError(`encoding: ${name} '${String(given[name])}' is unknown, use one of ${choices.join(", ")}.`);
  }
  return Object.fromEntries(names.map(([name]) => [name, given[name]]));
}

/** Where the tensor's planes have the board's first cell, and how far the next row and the next column are. */
export function stepsOf({ board, flip, transpose }: Encoding): { first: number; row: number; column: number } {
  const columns = board.at(-1) ?? 1;
  const rows = sizeOf(board) / columns;
  const row = transpose ? 1 : columns;
  const column = transpose ? rows : 1;
  return flip ? { first: (rows - 1) * row, row: -row, column } : { first: 0, row, column };
}

/** Whether a position is shown with columns for rows because of who is to move. */
export const isTurned = ({ toMove }: { readonly toMove: number }, { turned }: Encoding): boolean =>
  turned === true && toMove === 1;

/** What an action of a square board is called on the turned one; a pass keeps its number. */
export function turnedAction(action: number, board: readonly number[]): number {
  const [rows = 1, columns = 1] = board;
  return action < rows * columns ? (action % columns) * columns + Math.floor(action / columns) : action;
}

/** The tensor of `state`, of `shapeOf(encoding)`, row-major. */
export function encode(state: Drawable, encoding: Encoding): Float32Array {
  const { beside } = encoding;
  const board = encodeBoard(state, encoding);
  if (!beside) return board;
  const { planes, cells, first } = beside;
  const tensor = new Float32Array(board.length + planes.length * cells);
  const from = first ? 0 : board.length;
  tensor.set(board, first ? planes.length * cells : 0);
  for (const [index, name] of planes.entries()) {
    const at = from + index * cells;
    tensor.fill(COMMON.get(name)?.(state) ?? 0, at, at + cells);
  }
  return tensor;
}

/** What each of the inputs, of these sizes, reads of a tensor: all of it if there is one. */
export function splitInputs(tensor: Float32Array, sizes: readonly number[]): readonly Float32Array[] {
  if (sizes.length === 1) return [tensor];
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return tensor.subarray(end - size, end);
  });
}

function encodeBoard(state: Drawable, encoding: Encoding): Float32Array {
  const { layout, planes } = encoding;
  const cells = sizeOf(encoding.board);
  const columns = encoding.board.at(-1) ?? 1;
  const steps = stepsOf(encoding);
  const { first, row, column } = isTurned(state, encoding) ? { ...steps, row: steps.column, column: steps.row } : steps;
  const interleaved = layout === "channels_last" || layout === "cells";
  const tensor = new Float32Array(layout === "sum" ? cells : cells * planes.length);
  const [apart, step] = interleaved ? [1, planes.length] : layout === "sum" ? [0, 1] : [cells, 1];
  for (const [index, name] of planes.entries()) {
    const plane = planeOf(state, name, encoding.board);
    for (let at = 0, begin = first; at < cells; begin += row) {
      for (let cell = begin, end = at + columns; at < end; cell += column, at++) {
        const place = index * apart + cell * step;
        tensor[place] = (tensor[place] ?? 0) + (plane[at] ?? 0);
      }
    }
  }
  return tensor;
}

function planeOf(state: Drawable, name: string, board: readonly number[]): Float32Array {
  const common = COMMON.get(name);
  if (common) return new Float32Array(sizeOf(board)).fill(common(state));
  const mixed = MIXED.get(name);
  if (mixed) return addPlanes(state, mixed, board);
  const plane = state.plane(name);
  if (board.length !== 2 || state.board.some((size, axis) => size !== board[axis])) {
    const [has, asked] = [state.board.join(" by "), board.join(" by ")];
    throw new GameError(`encoding: plane '${name}' is ${has}, the encoding's board is ${asked}.`);
  }
  return plane;
}

function addPlanes(state: Drawable, parts: Parts, board: readonly number[]): Float32Array {
  const sum = new Float32Array(sizeOf(board));
  for (const [name, number] of parts) {
    for (const [at, cell] of planeOf(state, name, board).entries()) sum[at] = (sum[at] ?? 0) + number * cell;
  }
  return sum;
}
