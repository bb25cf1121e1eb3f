/**
 * Whose each point of a Go board ends up: random games from a position, the same in every language for the same seed.
 *
 * A playout goes on from the board until neither side has a move that is legal, fills no eye of its own and does not
 * put more than three stones where they can be taken at once; a chain that the last move put in reach, its own or
 * another, is taken or saved first. The area then says whose each point is. The players take turns to begin.
 *
 * The random numbers are the low 32 bits of a counter that grows by 0x9E3779B9, mixed as MurmurHash3 ends (Austin
 * Appleby, public domain). A number below k is (k * r) / 2^32, rounded down.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import { EMPTY, mark, other, type Player } from "../State";
import { area, liberties, type Tables, tables } from "./GoBoard";

export const { playouts: PLAYOUTS, seed: SEED } = thresholds.go_scoring;
const STEP = 0x9e3779b9;
const FIRST = 0x85ebca6b;
const SECOND = 0xc2b2ae35;
const NO_POINT = -1;
// At most this many stones may be put where they can be taken at once: killing a group may need that.
const SMALL = 3;

/** In how many of the playouts each point counted for black and for white; how many ended with which lead of black's. */
export interface Ownership {
  readonly playouts: number;
  readonly black: Int32Array;
  readonly white: Int32Array;
  /** By black's area less white's, without a komi. */
  readonly leads: ReadonlyMap<number, number>;
}

/** The player who owns a point in at least `percent` (over 50) of the playouts; null if neither does. */
export function ownerOf(found: Ownership, at: number, percent: number): Player | null {
  const least = percent * found.playouts;
  if (100 * (found.black[at] ?? 0) >= least) return 0;
  return 100 * (found.white[at] ?? 0) >= least ? 1 : null;
}

/** Black's lead in the mean of the playouts, in points. */
export function meanLead({ leads, playouts }: Ownership): number {
  return [...leads].reduce((sum, [lead, count]) => sum + lead * count, 0) / playouts;
}

/** The standard deviation of the playouts' leads, in points; of whole numbers up to its root. */
export function spreadOf({ leads, playouts }: Ownership): number {
  const total = [...leads].reduce((sum, [lead, count]) => sum + lead * count, 0);
  const squares = [...leads].reduce((sum, [lead, count]) => sum + lead * lead * count, 0);
  return Math.sqrt(playouts * squares - total * total) / playouts;
}

/** In how many playouts black's lead was more than the komi. */
export function blackWins({ leads }: Ownership, komi: number): number {
  return [...leads].reduce((sum, [lead, count]) => sum + (lead > komi ? count : 0), 0);
}

/** Play random games from `cells` (0 empty, 1 black, 2 white); `player` is to move, and begins the first. */
export function ownership(
  size: number,
  cells: Uint8Array,
  player: Player,
  playouts = PLAYOUTS,
  seed = SEED,
): Ownership {
  const playout = new Playout(tables(size), seed);
  const [black, white] = [new Int32Array(cells.length), new Int32Array(cells.length)];
  const leads = new Map<number, number>();
  for (let number = 0; number < playouts; number++) {
    playout.play(cells, ((player + number) & 1) as Player);
    let lead = 0;
    for (const [at, owner] of area(playout.table, playout.cells).entries()) {
      if (owner === 1) black[at] = (black[at] ?? 0) + 1;
      if (owner === 2) white[at] = (white[at] ?? 0) + 1;
      lead += owner === 1 ? 1 : owner === 2 ? -1 : 0;
    }
    leads.set(lead, (leads.get(lead) ?? 0) + 1);
  }
  return { playouts, black, white, leads };
}

/** One random game after another, in the same memory. */
class Playout {
  cells = new Uint8Array(0);
  /** The points next to each point, and those across its corners. */
  private readonly around: Tables["around"];
  private readonly corners: Tables["corners"];
  private readonly free: Uint16Array;
  private count = 0;
  private counter: number;
  private ko = NO_POINT;

  constructor(
    readonly table: Tables,
    seed: number,
  ) {
    this.counter = seed | 0;
    this.around = table.around;
    this.corners = table.corners;
    this.free = new Uint16Array(table.points);
  }

  play(start: Uint8Array, first: Player): void {
    this.cells = start.slice();
    [this.count, this.ko] = [0, NO_POINT];
    for (const [at, stone] of start.entries()) if (stone === EMPTY) this.free[this.count++] = at;
    let [player, last, passes]: [Player, number, number] = [first, NO_POINT, 0];
    for (let ply = 0; ply < this.table.limit && passes < 2; ply++) {
      last = this.answer(player, last) ?? this.drawPoint(player);
      passes = last === NO_POINT ? passes + 1 : 0;
      if (last === NO_POINT) this.ko = NO_POINT;
      player = other(player);
    }
  }

  /** Take the chain of the last stone, or save one beside it, if that can be; the point played, or null. */
  private answer(player: Player, last: number): number | null {
    if (last === NO_POINT) return null;
    const at = this.inReach(player, last);
    if (at === NO_POINT || at === this.ko || !this.place(player, at)) return null;
    this.remove(this.free.indexOf(at));
    return at;
  }

  /** The only liberty of the last stone's chain, or else of the first of the player's own beside it that has one. */
  private inReach(player: Player, last: number): number {
    if (this.liberties(last) === 1) return this.table.scratch.liberty;
    for (const near of this.around[last] ?? []) {
      if (this.cells[near] === mark(player) && this.liberties(near) === 1) return this.table.scratch.liberty;
    }
    return NO_POINT;
  }

  /** A free point, drawn without putting back until it can be played; NO_POINT for a pass. */
  private drawPoint(player: Player): number {
    for (let left = this.count; left > 0; left--) {
      const index = Math.floor((this.random() * left) / 0x100000000);
      const at = this.free[index] ?? 0;
      this.free[index] = this.free[left - 1] ?? 0;
      this.free[left - 1] = at;
      if (at === this.ko || this.isEye(player, at) || !this.place(player, at)) continue;
      this.remove(left - 1);
      return at;
    }
    return NO_POINT;
  }

  private random(): number {
    this.counter = (this.counter + STEP) | 0;
    let mixed = Math.imul(this.counter ^ (this.counter >>> 16), FIRST);
    mixed = Math.imul(mixed ^ (mixed >>> 13), SECOND);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** Take the free point at a place of the list out; the captured ones of the move that was made stay behind it. */
  private remove(index: number): void {
    const last = --this.count;
    this.free[index] = this.free[last] ?? 0;
    for (const point of this.captured) this.free[this.count++] = point;
  }

  private isEye(player: Player, at: number): boolean {
    const own = mark(player);
    for (const near of this.around[at] ?? []) if (this.cells[near] !== own) return false;
    const corners = this.corners[at] ?? [];
    let others = 0;
    for (const corner of corners) if (this.cells[corner] === mark(other(player))) others++;
    return others < (corners.length === 4 ? 2 : 1);
  }

  private captured: number[] = [];

  /** Set a stone and take what it captures; false, with nothing changed, if the stone may not be set. */
  private place(player: Player, at: number): boolean {
    const { cells } = this;
    const [own, foe] = [mark(player), mark(other(player))];
    const around = this.around[at] ?? [];
    cells[at] = own;
    this.captured = [];
    for (const near of around) {
      if (cells[near] === foe && this.liberties(near) === 0) this.take();
    }
    const [only] = this.captured;
    if (only === undefined && !this.isSafe(at)) {
      cells[at] = EMPTY;
      return false;
    }
    this.ko = NO_POINT;
    // A lone stone among enemies that took a lone stone: it could be taken back at once.
    if (
      only !== undefined &&
      this.captured.length === 1 &&
      around.every((near) => near === only || cells[near] === foe)
    )
      this.ko = only;
    this.captured.sort((a, b) => a - b);
    return true;
  }

  private isSafe(at: number): boolean {
    const free = this.liberties(at);
    return free > 1 || (free === 1 && this.table.scratch.used <= SMALL);
  }

  /** Take the chain that was walked over off the board. */
  private take(): void {
    const { group, used } = this.table.scratch;
    for (const point of group.subarray(0, used)) {
      this.cells[point] = EMPTY;
      this.captured.push(point);
    }
  }

  /** How many liberties the chain at a point has: 0, 1, or 2 for more. */
  private liberties(at: number): number {
    return liberties(this.table, this.cells, at, 2);
  }
}
