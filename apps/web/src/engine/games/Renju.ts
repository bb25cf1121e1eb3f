/**
 * Where black may not play under the Renju rule: overlines, double fours and double threes.
 *
 * The definitions are the Renju International Federation's ("The international rules of Renju", sections 3 and 9),
 * for a black stone that is added to the board:
 *
 *     five           an unbroken row of exactly five: wins, whatever else the move makes
 *     overline       an unbroken row of six or more
 *     four           four stones that one more stone makes a five; .XXXX. is one four, X.XXX.X are two
 *     straight four  .XXXX. of which either end makes a five
 *     three          three stones that one more stone makes a straight four, where that stone is allowed:
 *                    it makes no five elsewhere, no overline, no double four and no double three
 *
 * A move that makes two fours or two threes is forbidden. Whether a three counts depends on a later move being
 * allowed, so the definition is recursive; each step adds a stone, so it ends.
 */

import { EMPTY } from "../State";
import { ray } from "./Cells";
import { DIRECTIONS } from "./Lines";

/** Why black may not play a point. */
export type Forbidden = "overline" | "double_four" | "double_three";
type Verdict = Forbidden | "five" | "free";

const BLACK = 1;
// What lies beyond the edge: neither black nor empty.
const WALL = 3;

/**
 * The points on one side of a point, nearest first, and the wall twice behind them: a look at the point behind a row,
 * or at the one behind that, need not ask where the board ends.
 */
type Ray = readonly number[];

/** One line through a point: both rays, and how many black stones adjoin the point along each. */
interface Line {
  readonly left: Ray;
  readonly right: Ray;
  readonly before: number;
  readonly after: number;
}

const walled = (size: number, ...way: readonly [number, number, number]): Ray => [
  ...ray(size, ...way),
  size * size,
  size * size,
];

/** The rule on a board of `size`. */
export class Renju {
  private readonly rays: readonly (readonly (readonly [Ray, Ray])[])[];
  /** The board that is judged; the point behind the last is the wall. */
  private readonly cells: Uint8Array;

  constructor(size: number) {
    this.cells = new Uint8Array(size * size + 1);
    this.rays = Array.from({ length: size * size }, (_, point) =>
      DIRECTIONS.map(
        ([down, right]) => [walled(size, point, -down, -right), walled(size, point, down, right)] as const,
      ),
    );
  }

  /** Black's forbidden points, ascending, each with the first reason that holds. */
  forbiddenPoints(board: Uint8Array): Map<number, Forbidden> {
    this.look(board);
    const points = new Map<number, Forbidden>();
    for (let point = 0; point < board.length; point++) {
      const verdict = board[point] === EMPTY ? this.judge(point) : "free";
      if (verdict !== "free" && verdict !== "five") points.set(point, verdict);
    }
    return points;
  }

  /** Why black may not play the empty `point`; null if it may. */
  reason(board: Uint8Array, point: number): Forbidden | null {
    this.look(board);
    const verdict = this.judge(point);
    return verdict === "free" || verdict === "five" ? null : verdict;
  }

  /** Whether every empty point is forbidden to black. */
  isStuck(board: Uint8Array): boolean {
    this.look(board);
    return board.every((piece, point) => piece !== EMPTY || !["free", "five"].includes(this.judge(point)));
  }

  /**
   * Whether two stones more, one of each player, could leave black without a move: not while three empty points have
   * fewer than 3 black stones near, as with one more they are allowed all the same.
   */
  mayBeStuck(board: Uint8Array): boolean {
    this.look(board);
    let loose = 0;
    for (let point = 0; point < board.length && loose < 3; point++) {
      if (board[point] !== EMPTY) continue;
      const rays = (this.rays[point] ?? []).flat();
      if (rays.reduce((stones, along) => stones + this.near(along), 0) < 3) loose++;
    }
    return loose < 3;
  }

  private look(board: Uint8Array): void {
    this.cells.set(board);
    this.cells[board.length] = WALL;
  }

  /** What a black stone on the empty `point` makes. */
  private judge(point: number): Verdict {
    const lines = this.linesThrough(point);
    const lengths = lines.map(({ before, after }) => before + 1 + after);
    // In this order: a five wins whatever else the move makes, and the first fault that is found is the reason.
    if (lengths.includes(5)) return "five";
    if (lengths.some((length) => length > 5)) return "overline";
    if (lines.reduce((fours, line) => fours + this.fours(line), 0) >= 2) return "double_four";
    const threes = lines.map((line) => this.straightFours(line)).filter((ends) => ends.length > 0);
    if (threes.length < 2) return "free";
    // A three is real where its straight four may be played, which is judged as if this stone lay there already.
    this.cells[point] = BLACK;
    const real = threes.filter((ends) => ends.some((end) => this.judge(end) === "free"));
    this.cells[point] = EMPTY;
    return real.length >= 2 ? "double_three" : "free";
  }

  /** The lines through a point that have what a three, a four or a longer row needs: two black stones nearby. */
  private linesThrough(point: number): Line[] {
    const lines: Line[] = [];
    for (const [left, right] of this.rays[point] ?? []) {
      if (this.near(left) + this.near(right) < 2) continue;
      lines.push({ left, right, before: this.run(left, 0), after: this.run(right, 0) });
    }
    return lines;
  }

  /** How many of the four nearest points of a ray are black. */
  private near(along: Ray): number {
    let count = 0;
    for (let at = 0; at < 4 && at < along.length; at++) if (this.pieceAt(along, at) === BLACK) count++;
    return count;
  }

  /** The index of the first point of a ray, from `start` on, without a black stone. */
  private run(along: Ray, start: number): number {
    let at = start;
    while (this.pieceAt(along, at) === BLACK) at++;
    return at;
  }

  /** How many fours (0, 1 or 2) the stone makes in one line in which it makes no five. */
  private fours({ left, right, before, after }: Line): number {
    const first = this.isEmpty(left, before) && this.run(left, before + 1) + 1 + after === 5;
    const second = this.isEmpty(right, after) && before + 1 + this.run(right, after + 1) === 5;
    // Four adjoining stones are one four, whichever end makes the five.
    return before + 1 + after === 4 ? Number(first || second) : Number(first) + Number(second);
  }

  /** The points of one line that would make the stone part of a straight four, allowed or not. */
  private straightFours({ left, right, before, after }: Line): number[] {
    return [...this.straightFour(left, right, before, after), ...this.straightFour(right, left, after, before)];
  }

  private straightFour(near: Ray, far: Ray, reach: number, rest: number): number[] {
    const point = near[reach];
    if (point === undefined || !this.isEmpty(near, reach)) return [];
    const end = this.run(near, reach + 1);
    const straight = end + 1 + rest === 4 && this.isOpen(near, end) && this.isOpen(far, rest);
    return straight ? [point] : [];
  }

  /** Whether the row that ends before index `end` of a ray becomes one longer, and no more, by a stone there. */
  private isOpen(along: Ray, end: number): boolean {
    return this.isEmpty(along, end) && this.pieceAt(along, end + 1) !== BLACK;
  }

  private isEmpty(along: Ray, at: number): boolean {
    return this.pieceAt(along, at) === EMPTY;
  }

  private pieceAt(along: Ray, at: number): number {
    return this.cells[along[at] ?? -1] ?? WALL;
  }
}
