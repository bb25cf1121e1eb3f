/**
 * Dots and Boxes on n x n boxes: an action draws one edge between two neighbouring dots.
 *
 * Edges are numbered row by row, first the horizontal ones (n + 1 rows of n), then the vertical ones (n rows of
 * n + 1); the last action is the pass. Boxes are numbered row by row. Who completes a box moves again: the
 * opponent must pass, so that the players always alternate.
 */

import { GameError } from "../GameError";
import {
  illegal,
  lastPlane,
  mark,
  other,
  type Player,
  type Refusal,
  refusal,
  refuseOutside,
  type Sudden,
  unknownPlane,
} from "../State";
import { Shapes } from "../Tables";
import { BoardState, countPieces, type Kind } from "./Cells";

const SHAPES = Shapes.of("dots_and_boxes");
const PLANES = [...SHAPES.reference.planes, "last"];

const edgesOf = (size: number): number => 2 * size * (size + 1);

/** The four edges of each box: above, below, left, right. */
function sidesOf(size: number): readonly (readonly number[])[] {
  return Array.from({ length: size * size }, (_, box) => {
    const row = Math.floor(box / size);
    const left = size * (size + 1) + row * (size + 1) + (box % size);
    return [box, box + size, left, left + 1];
  });
}

/** What all positions of one size share. `boxesBy` has the one or two boxes that each edge is a side of. */
interface Grid extends Kind {
  readonly sides: readonly (readonly number[])[];
  readonly boxesBy: readonly (readonly number[])[];
}

function gridOf(size: number): Grid {
  const sides = sidesOf(size);
  const boxesBy = Array.from({ length: edgesOf(size) }, (_, edge) =>
    sides.flatMap((around, box) => (around.includes(edge) ? [box] : [])),
  );
  return { name: "dots_and_boxes", encoding: SHAPES.encoding(2 * size + 1, size + 1), planes: PLANES, sides, boxesBy };
}

const GRIDS: ReadonlyMap<number, Grid> = new Map(SHAPES.sizes.map((size) => [size, gridOf(size)]));

/** The empty grid of `size` x `size` boxes; GameError if the size is not 2 to 6. */
export function start(size: number): DotsAndBoxes {
  const grid = GRIDS.get(size);
  if (!grid) throw new GameError(`dots_and_boxes: size ${size} is not played, choose one from 2 to 6.`);
  const [edges, owners] = [new Uint8Array(edgesOf(size)), new Uint8Array(size * size)];
  return new DotsAndBoxes(grid, size, edges, owners, { toMove: 0, mustPass: false, drawn: 0 }, null, []);
}

interface Turn {
  readonly toMove: Player;
  readonly mustPass: boolean;
  /** How many edges are drawn. */
  readonly drawn: number;
}

/**
 * A position; `start` makes the first one. `edges` has 1 for a drawn edge, `owners` for each box 0 while it is open,
 * 1 or 2 where player 0 or 1 has completed it. `completed` are the boxes that the last action completed.
 */
export class DotsAndBoxes extends BoardState<Grid> {
  constructor(
    grid: Grid,
    readonly size: number,
    readonly edges: Uint8Array,
    readonly owners: Uint8Array,
    private readonly turn: Turn,
    readonly lastAction: number | null,
    readonly completed: readonly number[],
  ) {
    super(grid);
  }

  get actions(): number {
    return this.edges.length + 1;
  }

  get toMove(): Player {
    return this.turn.toMove;
  }

  /** Whether the opponent has just completed a box and moves again. */
  get mustPass(): boolean {
    return this.turn.mustPass;
  }

  get pass(): number {
    return this.edges.length;
  }

  get isTerminal(): boolean {
    return this.turn.drawn === this.edges.length;
  }

  /** The boxes of player 0 and of player 1. */
  get scores(): readonly [number, number] {
    return countPieces(this.owners);
  }

  /** The boxes that `edge` is a side of. */
  boxesBy(edge: number): readonly number[] {
    return this.kind.boxesBy[edge] ?? [];
  }

  /** The four edges of a box. */
  sidesOf(box: number): readonly number[] {
    return this.kind.sides[box] ?? [];
  }

  legalActions(): readonly number[] {
    if (this.mustPass) return [this.pass];
    const legal: number[] = [];
    for (let at = 0; at < this.edges.length; at++) if (this.edges[at] === 0) legal.push(at);
    return legal;
  }

  /** Nothing: boxes are counted at the end, and a search sees that as early as this could. */
  sudden(): Sudden {
    return { wins: [], answers: this.legalActions().map(() => 0) };
  }

  whyIllegal(action: number): Refusal | null {
    const outside = refuseOutside(this, action);
    if (outside) return outside;
    if (this.mustPass) return action === this.pass ? null : refusal("must_pass");
    if (action === this.pass) return refusal("no_pass");
    return this.edges[action] ? refusal("drawn") : null;
  }

  apply(action: number): DotsAndBoxes {
    if (this.mustPass ? action !== this.pass : this.edges[action] !== 0) {
      throw illegal("dots_and_boxes", action, this.legalActions());
    }
    if (this.mustPass) return this.next(action, this.edges, this.owners, []);
    const edges = this.edges.slice();
    edges[action] = 1;
    const completed = this.boxesBy(action).filter((box) => this.sidesOf(box).every((side) => edges[side]));
    if (completed.length === 0) return this.next(action, edges, this.owners, completed);
    const owners = this.owners.slice();
    for (const box of completed) owners[box] = mark(this.toMove);
    return this.next(action, edges, owners, completed);
  }

  private next(action: number, edges: Uint8Array, owners: Uint8Array, completed: readonly number[]): DotsAndBoxes {
    const drawn = this.turn.drawn + (edges === this.edges ? 0 : 1);
    const turn = { toMove: other(this.toMove), mustPass: completed.length > 0 && drawn < edges.length, drawn };
    return new DotsAndBoxes(this.kind, this.size, edges, owners, turn, action, completed);
  }

  returns(): number {
    const [first, second] = this.scores;
    return this.isTerminal ? Math.sign(first - second) : 0;
  }

  /**
   * "edges" is 1 where an edge is drawn: the horizontal ones in the upper size + 1 rows (whose last column stays
   * zero), the vertical ones below. The last column holds in row 0 the number of the mover's boxes ("mover_boxes"),
   * in row 1 the opponent's ("opponent_boxes"), in row 2 a 1 when the mover must pass ("must_pass").
   */
  plane(name: string): Float32Array {
    const index = PLANES.indexOf(name);
    const cells = this.board[0] * this.board[1];
    if (name === "last") return lastPlane(cells, this.lastCell);
    if (index < 0) throw unknownPlane("dots_and_boxes", name, PLANES);
    const plane = new Float32Array(cells);
    if (name === "edges") {
      for (const [edge, drawn] of this.edges.entries()) plane[this.cellOf(edge)] = drawn;
      return plane;
    }
    const { scores, toMove } = this;
    // One number each at the end of the first rows, in the order of PLANES, of which "edges" is the first.
    const numbers = [0, scores[toMove], scores[other(toMove)], Number(this.mustPass)];
    plane[index * (this.size + 1) - 1] = numbers[index] ?? 0;
    return plane;
  }

  /** Where the plane "edges" has the edge drawn last; null before the first move and after a pass. */
  private get lastCell(): number | null {
    const { lastAction, pass } = this;
    return lastAction === null || lastAction === pass ? null : this.cellOf(lastAction);
  }

  /** Where the plane "edges" has an edge. */
  private cellOf(edge: number): number {
    const horizontal = this.size * (this.size + 1);
    // A row of horizontal edges leaves the last column free; the vertical ones fill theirs.
    return edge < horizontal ? edge + Math.floor(edge / this.size) : edge + this.size + 1;
  }

  label(action: number): string {
    return action === this.pass ? "pass" : String(action);
  }
}
