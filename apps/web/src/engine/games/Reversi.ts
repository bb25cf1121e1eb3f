/**
 * Reversi on boards of 4 to 10 cells a side, an even number.
 *
 * A disc is put on an empty cell so that it turns discs over: the opponent's that lie in a row between it and another
 * disc of the mover's. Who cannot turn any must pass; the game ends where neither player can, and who has more discs
 * wins. Cells are numbered row by row, row 0 on top; the last action is the pass. Black is player 0.
 */

import { type Encoding, encode } from "../Encoding";
import { GameError } from "../GameError";
import {
  EMPTY,
  illegal,
  isAction,
  lastPlane,
  mark,
  other,
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
import { piecesOf } from "./Lines";

const SHAPES = Shapes.of("reversi");
const LETTERS = "ABCDEFGHIJ";
const PLANES = [...planesOf(0), "legal"];

/** What all positions of one size share: by cell the cells in each of the eight directions, the nearest first. */
interface Kind {
  readonly size: number;
  readonly encoding: Encoding;
  readonly rays: readonly (readonly (readonly number[])[])[];
}

const STEPS = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const));

function raysOf(size: number, at: number): readonly (readonly number[])[] {
  const rays = STEPS.filter(([down, right]) => down !== 0 || right !== 0).map(([down, right]) => {
    const ray: number[] = [];
    let [row, column] = [Math.floor(at / size) + down, (at % size) + right];
    while (row >= 0 && row < size && column >= 0 && column < size) {
      ray.push(row * size + column);
      [row, column] = [row + down, column + right];
    }
    return ray;
  });
  // In the next cell alone there is nothing between two discs.
  return rays.filter(({ length }) => length > 1);
}

function kindOf(size: number): Kind {
  const rays = Array.from({ length: size * size }, (_, at) => raysOf(size, at));
  return { size, encoding: SHAPES.encoding(size, size), rays };
}

const KINDS: ReadonlyMap<number, Kind> = new Map(SHAPES.sizes.map((size) => [size, kindOf(size)]));

/**
 * Four discs in the middle, white's on d4 and e5 of 8 x 8, black to move; GameError if the size is not played. Or the
 * `position` that a person has set up: a digit for each cell, 0 to 2, and one for the player to move, 0 or 1.
 */
export function start(size: number, position = ""): Reversi {
  const kind = KINDS.get(size);
  if (!kind) throw new GameError(`reversi: size ${size} is not played, choose one of ${SHAPES.sizes.join(", ")}.`);
  const cells = new Uint8Array(size * size);
  if (position) {
    const toMove = (Number(position.at(-1)) % 2) as Player;
    for (const at of cells.keys()) cells[at] = Number(position[at]) % 3;
    const [own, theirs] = [toMove, other(toMove)].map((player) => cellsOf(kind, cells, player));
    return new Reversi(kind, cells, toMove, own ?? [], !own?.length && !theirs?.length, null);
  }
  const [low, high] = [size / 2 - 1, size / 2];
  cells[low * size + high] = cells[high * size + low] = mark(0);
  cells[low * size + low] = cells[high * size + high] = mark(1);
  return new Reversi(kind, cells, 0, cellsOf(kind, cells, 0), false, null);
}

/** The cells on which a disc of `player` turns some over, ascending. */
export function cellsOf({ rays }: Kind, cells: Uint8Array, player: Player): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] === EMPTY && (rays[at] ?? []).some((ray) => countTurned(ray, cells, player) > 0)) found.push(at);
  }
  return found;
}

/** How many discs at the beginning of a ray a disc of `player` before it turns over. */
function countTurned(ray: readonly number[], cells: Uint8Array, player: Player): number {
  const [own, theirs] = [mark(player), mark(other(player))];
  let count = 0;
  for (const at of ray) {
    const disc = cells[at];
    if (disc === own) return count;
    if (disc !== theirs) return 0;
    count++;
  }
  return 0;
}

/** The board after a disc of `player` on the cell `at`, and the cells whose discs it has turned over. */
export function withDisc({ rays }: Kind, cells: Uint8Array, at: number, player: Player): [Uint8Array, number[]] {
  const [after, turned] = [cells.slice(), [] as number[]];
  for (const ray of rays[at] ?? []) turned.push(...ray.slice(0, countTurned(ray, cells, player)));
  for (const each of [at, ...turned]) after[each] = mark(player);
  return [after, turned];
}

/**
 * A position; `start` makes the first one. `cells` has 1 for black, 2 for white; `moves` are the cells on which the
 * player to move may put a disc, `turned` those whose discs the last action has turned over. Without `moves` the player
 * must pass, or the game is over.
 */
export class Reversi implements State {
  constructor(
    readonly kind: Kind,
    readonly cells: Uint8Array,
    readonly toMove: Player,
    readonly moves: readonly number[],
    readonly isTerminal: boolean,
    readonly lastAction: number | null,
    readonly turned: readonly number[] = [],
  ) {}

  /** Cells a side. */
  get size(): number {
    return this.kind.size;
  }

  get actions(): number {
    return this.cells.length + 1;
  }

  get pass(): number {
    return this.cells.length;
  }

  get board(): readonly [number, number] {
    return [this.size, this.size];
  }

  get encoding(): Encoding {
    return this.kind.encoding;
  }

  /** Whether the player to move can turn no disc while the opponent can. */
  get mustPass(): boolean {
    return this.moves.length === 0 && !this.isTerminal;
  }

  /** The discs of black and of white. */
  get scores(): readonly [number, number] {
    let [black, white] = [0, 0];
    for (const disc of this.cells) {
      if (disc === mark(0)) black++;
      else if (disc === mark(1)) white++;
    }
    return [black, white];
  }

  /** The discs by which black leads. */
  score(): number {
    const [black, white] = this.scores;
    return black - white;
  }

  legalActions(): readonly number[] {
    return this.mustPass ? [this.pass] : this.moves;
  }

  whyIllegal(action: number): Refusal | null {
    const outside = refuseOutside(this, action);
    if (outside) return outside;
    if (action === this.pass) return this.mustPass ? null : refusal("no_pass");
    if (this.mustPass) return refusal("must_pass");
    if (this.cells[action] !== EMPTY) return refusal("occupied");
    return this.moves.includes(action) ? null : refusal("turns_nothing");
  }

  apply(action: number): Reversi {
    const { kind, toMove } = this;
    if (!this.legalActions().includes(action)) throw illegal("reversi", action, this.legalActions());
    const [cells, turned] = action === this.pass ? [this.cells, []] : withDisc(kind, this.cells, action, toMove);
    const next = other(toMove);
    const moves = cellsOf(kind, cells, next);
    const isOver = moves.length === 0 && cellsOf(kind, cells, toMove).length === 0;
    return new Reversi(kind, cells, next, moves, isOver, action, turned);
  }

  returns(): number {
    return this.isTerminal ? Math.sign(this.score()) : 0;
  }

  /** "legal" is 1 where the player to move may put a disc. */
  plane(name: string): Float32Array {
    if (!PLANES.includes(name)) throw unknownPlane("reversi", name, PLANES);
    if (name === "last") return lastPlane(this.cells.length, this.lastAction);
    if (name !== "legal") return piecesOf(this.cells, ownerOf(name, this.toMove));
    const plane = new Float32Array(this.cells.length);
    for (const at of this.moves) plane[at] = 1;
    return plane;
  }

  encode(): Float32Array {
    return encode(this, this.encoding);
  }

  /** The cell's column as a letter and its row counted from the top, D3; or `pass`. */
  label(action: number): string {
    if (!isAction(action, this.actions)) {
      throw new GameError(`reversi: action ${action} is none of this board, choose 0 to ${this.actions - 1}.`);
    }
    return action === this.pass ? "pass" : `${LETTERS[action % this.size]}${Math.floor(action / this.size) + 1}`;
  }
}
