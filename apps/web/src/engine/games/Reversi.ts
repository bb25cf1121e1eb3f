/**
 * Reversi on boards of 4 to 10 cells a side, an even number.
 *
 * A disc is put on an empty cell so that it turns discs over: the opponent's that lie in a row between it and another
 * disc of the mover's. Who cannot turn any must pass; the game ends where neither player can, and who has more discs
 * wins. Cells are numbered row by row, row 0 on top; the last action is the pass. Black is player 0.
 */

import { GameError } from "../GameError";
import {
  EMPTY,
  illegal,
  mark,
  other,
  ownerOf,
  type Player,
  planesOf,
  type Refusal,
  refusal,
  refuseOutside,
} from "../State";
import { Shapes } from "../Tables";
import { countPieces, type Kind, PassingState, piecesOf, ray, STEPS } from "./Cells";

const SHAPES = Shapes.of("reversi");
const NAMES = { letters: "ABCDEFGHIJ", isFromBottom: false, missing: "none" };
const PLANES = [...planesOf(0), "legal"];

/** What all positions of one size share: by cell the cells in each of the eight directions, the nearest first. */
interface DiscKind extends Kind {
  readonly rays: readonly (readonly (readonly number[])[])[];
}

function kindOf(size: number): DiscKind {
  const rays = Array.from({ length: size * size }, (_, at) =>
    // In the next cell alone there is nothing between two discs.
    STEPS.map(([down, right]) => ray(size, at, down, right)).filter(({ length }) => length > 1),
  );
  return { name: "reversi", encoding: SHAPES.encoding(size, size), planes: PLANES, rays };
}

const KINDS: ReadonlyMap<number, DiscKind> = new Map(SHAPES.sizes.map((size) => [size, kindOf(size)]));

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
export function cellsOf({ rays }: DiscKind, cells: Uint8Array, player: Player): readonly number[] {
  const open: number[] = [];
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] === EMPTY && (rays[at] ?? []).some((ray) => countTurned(ray, cells, player) > 0)) open.push(at);
  }
  return open;
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
export function withDisc({ rays }: DiscKind, cells: Uint8Array, at: number, player: Player): [Uint8Array, number[]] {
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
export class Reversi extends PassingState<DiscKind> {
  constructor(
    kind: DiscKind,
    cells: Uint8Array,
    readonly toMove: Player,
    readonly moves: readonly number[],
    readonly isTerminal: boolean,
    readonly lastAction: number | null,
    readonly turned: readonly number[] = [],
  ) {
    super(kind, cells);
  }

  /** Whether the player to move can turn no disc while the opponent can. */
  get mustPass(): boolean {
    return this.moves.length === 0 && !this.isTerminal;
  }

  /** The discs of black and of white. */
  get scores(): readonly [number, number] {
    return countPieces(this.cells);
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
  protected draw(name: string): Float32Array {
    if (name !== "legal") return piecesOf(this.cells, ownerOf(name, this.toMove));
    const plane = new Float32Array(this.cells.length);
    for (const at of this.moves) plane[at] = 1;
    return plane;
  }

  /** The cell's column as a letter and its row counted from the top, D3; or `pass`. */
  label(action: number): string {
    return this.nameOf(action, NAMES);
  }
}
