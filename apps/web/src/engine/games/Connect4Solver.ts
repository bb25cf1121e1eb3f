/**
 * Connect4 on 6 rows by 7 columns, solved: who wins if both play perfectly, by which moves, and in how many plies.
 *
 * An alpha-beta search without a network. It knows wins and blocks of the next two plies, tries those moves first that
 * open most winning cells, and keeps what it has found in a table, for this position and those that come after it.
 *
 * A position is two sets of cells, whose discs are to move and all discs. Cell `7 * column + row`, row 0 at the bottom and
 * a row above the board that stays empty, is a bit; a set has the left four columns in one number, the others in another.
 * A score is 0 for a draw; else it is positive where the mover wins, and higher the sooner: 22 less the winner's discs.
 */

import { mark } from "../State";
import type { Connect4 } from "./Connect4";
import type { Opening } from "./Connect4Opening";

const [ROWS, COLUMNS, CELLS] = [6, 7, 42];
const LEFT_COLUMNS = 4;
const [SHIFT, LEFT_BITS] = [7, 28];
const [LEFT, RIGHT] = [2 ** 28 - 1, 2 ** 21 - 1];
const BOTTOM = 0b0000001_0000001_0000001_0000001;
const RIGHT_BOTTOM = BOTTOM & RIGHT;
const [BOARD, RIGHT_BOARD] = [63 * BOTTOM, 63 * RIGHT_BOTTOM];
/** From the middle to the borders: more rows lie there. */
const ORDER = [3, 2, 4, 1, 5, 0, 6];

/** Rows of the table, a power of two: 18 MB. */
const ENTRIES = 1 << 21;
/** A score is -21 to 21; what is stored is one above the largest for a least score, so that both fit a byte. */
const [LARGEST, NOTHING] = [21, -128];

/** The positions that one call may look at are used up. */
class Exhausted extends Error {}

/** How a game ends; `distance` is the number of plies to the end, null if that was not asked for. */
export interface Solution extends Opening {
  readonly distance: number | null;
}

// The set of cells that a function has found: an object would cost more than all the rest.
let [foundLeft, foundRight] = [0, 0];

/** The empty cells that complete four in a row with the discs of one side. */
function findWins(left: number, right: number, allLeft: number, allRight: number): void {
  let [l, r] = [(left << 1) & (left << 2) & (left << 3), (right << 1) & (right << 2) & (right << 3)];
  for (let step = SHIFT - 1; step <= SHIFT + 1; step++) {
    const up1l = (left << step) & LEFT;
    const up1r = (right << step) | (left >>> (LEFT_BITS - step));
    const up2l = (left << (2 * step)) & LEFT;
    const up2r = (right << (2 * step)) | (left >>> (LEFT_BITS - 2 * step));
    const up3l = (left << (3 * step)) & LEFT;
    const up3r = (right << (3 * step)) | (left >>> (LEFT_BITS - 3 * step));
    const down1l = (left >>> step) | (right << (LEFT_BITS - step));
    const down1r = right >>> step;
    const down2l = (left >>> (2 * step)) | (right << (LEFT_BITS - 2 * step));
    const down2r = right >>> (2 * step);
    const down3l = (left >>> (3 * step)) | (right << (LEFT_BITS - 3 * step));
    const down3r = right >>> (3 * step);
    l |= (up1l & up2l & (up3l | down1l)) | (down1l & down2l & (down3l | up1l));
    r |= (up1r & up2r & (up3r | down1r)) | (down1r & down2r & (down3r | up1r));
  }
  [foundLeft, foundRight] = [l & (BOARD ^ allLeft), r & (RIGHT_BOARD ^ allRight)];
}

function bits(set: number): number {
  let rest = set - ((set >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The cells of a column, in the half that has it. */
const columnSet = (column: number): number => 127 << (SHIFT * (column % LEFT_COLUMNS));
const COLUMN_SETS = Array.from({ length: COLUMNS }, (_, column) => columnSet(column));

export class Connect4Solver {
  private readonly keysLeft = new Int32Array(ENTRIES);
  private readonly keysRight = new Int32Array(ENTRIES);
  private readonly scores = new Int8Array(ENTRIES).fill(NOTHING);
  private readonly best = new Int32Array(CELLS * COLUMNS);
  private left = 0;

  /** Whether it solves a board: the usual one. */
  static fits({ board: [rows, columns] }: Connect4): boolean {
    return rows === ROWS && columns === COLUMNS;
  }

  /**
   * Solve a position that is not over, looking at no more than `nodes` positions; null if these do not suffice. The table
   * keeps what was found, so that the next call continues from there.
   */
  solve(state: Connect4, nodes: number, hasDistance = false): Solution | null {
    this.left = nodes;
    try {
      const legal = state.legalActions();
      const { score, outcome } = this.rate(state, hasDistance);
      const kept = legal.filter((action) => this.isKept(state.apply(action) as Connect4, outcome));
      return { outcome, kept, distance: hasDistance ? distanceOf(state.played, score) : null };
    } catch (error) {
      if (error instanceof Exhausted) return null;
      throw error;
    }
  }

  /** Whether the player who moved into `after` still has the `outcome` there. */
  private isKept(after: Connect4, outcome: number): boolean {
    if (after.isTerminal) return after.returns() * (after.toMove === 0 ? -1 : 1) === outcome;
    if (outcome === -1) return true;
    const sets = setsOf(after);
    const wins = this.winsAtOnce(...sets);
    if (outcome === 1) return !wins && this.search(...sets, after.played, -1, 0) < 0;
    return !wins && this.search(...sets, after.played, 0, 1) <= 0;
  }

  private rate(state: Connect4, isExact: boolean): { readonly score: number; readonly outcome: number } {
    const sets = setsOf(state);
    const { played } = state;
    if (this.winsAtOnce(...sets)) return { score: (CELLS + 1 - played) >> 1, outcome: 1 };
    const outcome = Math.sign(this.search(...sets, played, -1, 1));
    if (!isExact || outcome === 0) return { score: outcome, outcome };
    let [low, high] = outcome > 0 ? [1, (CELLS + 1 - played) >> 1] : [-((CELLS - played) >> 1), -1];
    while (low < high) {
      const middle = outcome > 0 ? low + ((high - low) >> 1) : high - ((high - low + 1) >> 1);
      const bound = this.search(...sets, played, middle, middle + 1);
      if (bound <= middle) high = Math.min(bound, middle);
      else low = Math.max(bound, middle + 1);
    }
    return { score: low, outcome };
  }

  private winsAtOnce(left: number, right: number, allLeft: number, allRight: number): boolean {
    findWins(left, right, allLeft, allRight);
    return ((allLeft + BOTTOM) & foundLeft) !== 0 || ((allRight + RIGHT_BOTTOM) & foundRight) !== 0;
  }

  /** The mover's score between `alpha` and `beta`, else a bound of it; the mover cannot win at once. */
  private search(
    left: number,
    right: number,
    allLeft: number,
    allRight: number,
    played: number,
    alpha: number,
    beta: number,
  ): number {
    if (--this.left < 0) throw new Exhausted();
    findWins(left ^ allLeft, right ^ allRight, allLeft, allRight);
    const [threatLeft, threatRight] = [foundLeft, foundRight];
    let openLeft = (allLeft + BOTTOM) & BOARD;
    let openRight = (allRight + RIGHT_BOTTOM) & RIGHT_BOARD;
    const [forcedLeft, forcedRight] = [openLeft & threatLeft, openRight & threatRight];
    if (forcedLeft || forcedRight) {
      if (bits(forcedLeft) + bits(forcedRight) > 1) return -((CELLS - played) >> 1);
      [openLeft, openRight] = [forcedLeft, forcedRight];
    }
    // No disc goes below a cell that wins for the other side.
    openLeft &= ~(threatLeft >>> 1);
    openRight &= ~(threatRight >>> 1);
    if (!openLeft && !openRight) return -((CELLS - played) >> 1);
    if (played >= CELLS - 2) return 0;
    let [low, high] = [alpha, beta];
    const least = -((CELLS - 2 - played) >> 1);
    if (low < least) low = least;
    let most = (CELLS - 1 - played) >> 1;
    const [keyLeft, keyRight] = [left + allLeft, right + allRight];
    const at = (Math.imul(keyLeft, 0x9e3779b1) ^ Math.imul(keyRight, 0x85ebca6b)) >>> 11;
    const stored = this.scores[at] as number;
    if (stored !== NOTHING && this.keysLeft[at] === keyLeft && this.keysRight[at] === keyRight) {
      if (stored > LARGEST) {
        const bound = stored - 2 * LARGEST - 1;
        if (low < bound) low = bound;
      } else if (stored < most) most = stored;
    }
    if (high > most) high = most;
    if (low >= high) return low >= beta || alpha < low ? low : high;
    const from = played * COLUMNS;
    const count = this.order(left, right, allLeft, allRight, openLeft, openRight, from);
    for (let next = 0; next < count; next++) {
      const column = (this.best[from + next] as number) & 7;
      const isLeft = column < LEFT_COLUMNS;
      const set = COLUMN_SETS[column] as number;
      const [moveLeft, moveRight] = [isLeft ? openLeft & set : 0, isLeft ? 0 : openRight & set];
      // After it the discs of the other side move.
      const score = -this.search(
        left ^ allLeft,
        right ^ allRight,
        allLeft | moveLeft,
        allRight | moveRight,
        played + 1,
        -high,
        -low,
      );
      if (score >= high) {
        this.store(at, keyLeft, keyRight, score + 2 * LARGEST + 1);
        return score;
      }
      if (score > low) low = score;
    }
    this.store(at, keyLeft, keyRight, low);
    return low;
  }

  private store(at: number, keyLeft: number, keyRight: number, score: number): void {
    this.keysLeft[at] = keyLeft;
    this.keysRight[at] = keyRight;
    this.scores[at] = score;
  }

  /** The columns that are open, those first that open most winning cells, from `from` on in `best`; how many. */
  private order(
    left: number,
    right: number,
    allLeft: number,
    allRight: number,
    openLeft: number,
    openRight: number,
    from: number,
  ): number {
    let count = 0;
    for (const column of ORDER) {
      const isLeft = column < LEFT_COLUMNS;
      const move = (isLeft ? openLeft : openRight) & (COLUMN_SETS[column] as number);
      if (!move) continue;
      const [moveLeft, moveRight] = [isLeft ? move : 0, isLeft ? 0 : move];
      findWins(left | moveLeft, right | moveRight, allLeft | moveLeft, allRight | moveRight);
      const weight = (bits(foundLeft) + bits(foundRight)) * 8;
      let place = from + count;
      while (place > from && (this.best[place - 1] as number) >> 3 < weight >> 3) {
        this.best[place] = this.best[place - 1] as number;
        place--;
      }
      this.best[place] = weight | column;
      count++;
    }
    return count;
  }
}

/** The mover's discs and all discs, each as its left and its right half. */
function setsOf({ cells, toMove }: Connect4): [number, number, number, number] {
  const sets: [number, number, number, number] = [0, 0, 0, 0];
  for (const [at, piece] of cells.entries()) {
    if (piece === 0) continue;
    const [column, row] = [at % COLUMNS, ROWS - 1 - Math.floor(at / COLUMNS)];
    const half = column < LEFT_COLUMNS ? 0 : 1;
    const bit = 1 << (SHIFT * (column % LEFT_COLUMNS) + row);
    if (piece === mark(toMove)) sets[half] = (sets[half] as number) | bit;
    sets[2 + half] = (sets[2 + half] as number) | bit;
  }
  return sets;
}

/** The plies to the end by a score, of a position with `played` discs. */
function distanceOf(played: number, score: number): number {
  if (score === 0) return CELLS - played;
  const winners = CELLS / 2 + 1 - Math.abs(score);
  // Whose discs are even in number has moved last.
  const own = score > 0 ? Math.floor(played / 2) : Math.ceil(played / 2);
  return score > 0 ? 2 * (winners - own) - 1 : 2 * (winners - own);
}
