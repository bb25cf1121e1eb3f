/** The symmetries of a board: a position may be read turned, and the policy for it turned back. */

import { type Encoding, shapeOf, sizeOf, stepsOf } from "../../src/engine/Encoding";

interface Turn {
  readonly quarters: number;
  readonly mirrored: boolean;
}

const turns = (mirrored: boolean): Turn[] => [0, 1, 2, 3].map((quarters) => ({ quarters, mirrored }));
const NONE: readonly Turn[] = [{ quarters: 0, mirrored: false }];
const MIRROR: readonly Turn[] = [...NONE, { quarters: 0, mirrored: true }];
const HALF_TURN: readonly Turn[] = [...NONE, { quarters: 2, mirrored: false }];
const SQUARE: readonly Turn[] = [...turns(false), ...turns(true)];
// Those that leave both diagonals where they are: Reversi begins with discs in the middle.
const DIAGONALS: readonly Turn[] = [
  ...NONE,
  { quarters: 2, mirrored: false },
  { quarters: 1, mirrored: true },
  { quarters: 3, mirrored: true },
];
// Which turns of the board leave a game's rules as they are.
const KINDS: ReadonlyMap<string, readonly Turn[]> = new Map([
  ["tictactoe", SQUARE],
  ["gomoku", SQUARE],
  ["go", SQUARE],
  ["reversi", DIAGONALS],
  ["connect4", MIRROR],
  ["hex", HALF_TURN],
]);

/**
 * One symmetry of a board as lists of indices.
 *
 * The turned tensor has at k what the tensor has at `cells[k]`. Action `a` of the position as it is is called
 * `actions[a]` in the turned one, so a policy for that is turned back by taking `policy[actions[a]]`.
 */
export interface Symmetry {
  readonly cells: Int32Array;
  readonly actions: Int32Array;
}

/** `numbers` taken at the `indices`: a tensor turned, or a policy turned back. */
export function take(numbers: Float32Array, indices: Int32Array): Float32Array {
  return Float32Array.from(indices, (at) => numbers[at] ?? 0);
}

/**
 * The symmetries of `game`, the identity first: 8 of a square board, 2 of Connect4, 1 if there are no others.
 *
 * `actions` is how many the game has; those beyond the board's cells (a pass) stay as they are.
 */
export function symmetries(game: string, encoding: Encoding, actions: number): readonly Symmetry[] {
  const [rows = 1, columns = 1] = encoding.board;
  return (KINDS.get(game) ?? NONE).map((turn) => {
    const was = Int32Array.from({ length: rows * columns }, (_, cell) => source(turn, rows, columns, cell));
    return { cells: cellsOf(encoding, was), actions: actionsOf(was, actions) };
  });
}

/** The board's cell that lies at `cell` of the board turned anticlockwise by quarters and then mirrored. */
function source({ quarters, mirrored }: Turn, rows: number, columns: number, cell: number): number {
  let [row, column] = [Math.floor(cell / columns), cell % columns];
  if (mirrored) column = columns - 1 - column;
  // Only square boards are turned.
  for (let quarter = 0; quarter < quarters; quarter++) [row, column] = [column, rows - 1 - row];
  return row * columns + column;
}

function cellsOf(encoding: Encoding, was: Int32Array): Int32Array {
  const count = sizeOf(shapeOf(encoding));
  const inside = encoding.layout === "channels_last" ? encoding.planes.length : 1;
  const stride = inside * was.length;
  const within = planeOf(encoding, was);
  return Int32Array.from({ length: count }, (_, at) => {
    const [plane, cell] = [Math.floor(at / stride), Math.floor((at % stride) / inside)];
    return plane * stride + (within[cell] ?? cell) * inside + (at % inside);
  });
}

/** The cells `was` as a plane of the tensor has them, which may be flipped or transposed. */
function planeOf(encoding: Encoding, was: Int32Array): Int32Array {
  const columns = encoding.board.at(-1) ?? 1;
  const { first, row, column } = stepsOf(encoding);
  const placeOf = (cell: number): number => first + Math.floor(cell / columns) * row + (cell % columns) * column;
  const found = new Int32Array(was.length);
  for (const [cell, from] of was.entries()) found[placeOf(cell)] = placeOf(from);
  return found;
}

function actionsOf(was: Int32Array, count: number): Int32Array {
  const names = Int32Array.from({ length: count }, (_, action) => action);
  // The turned board's cell k is the board's cell `was[k]`: the other way round is asked for.
  if (was.length <= count) for (const [turned, cell] of was.entries()) names[cell] = turned;
  return names;
}
