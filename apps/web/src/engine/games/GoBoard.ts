/** The stones of a Go board: groups, liberties, captures, area. `cells` has 0 empty, 1 black, 2 white. */

import { EMPTY } from "../State";
import { cellsBeside, once, STEPS } from "./Cells";

const NOBODY = 3;
const NOWHERE = new Uint16Array(0);

/** What is the same in every position of one board size. `limit` is the ply at which a game is stopped. */
export interface Tables {
  readonly size: number;
  readonly points: number;
  readonly limit: number;
  /** The two to four points next to each point, ascending. */
  readonly around: readonly Uint16Array[];
  /** The points across the corners of each point. */
  readonly corners: readonly (readonly number[])[];
  /** A random number for black and white on each point; a board's hash is all of them, by exclusive or. */
  readonly keys: Int32Array;
  readonly scratch: Scratch;
}

/** Memory for walks over groups: `group` has their points, and `seen` the number of the walk that visited a point last. */
class Scratch {
  readonly group: Uint16Array;
  readonly seen: Int32Array;
  walk = 0;
  /** Of the group that was walked over last, where no walk was cut short: its stones, and its last liberty. */
  used = 0;
  liberty = -1;

  constructor(points: number) {
    this.group = new Uint16Array(points);
    this.seen = new Int32Array(points);
  }
}

const ALONG = STEPS.filter(([down, right]) => down === 0 || right === 0);
const ACROSS = STEPS.filter((step) => !ALONG.includes(step));

/** The tables of a `size` by `size` board, made once. */
export const tables = once((size: number): Tables => {
  const points = size * size;
  const beside = (steps: typeof STEPS): readonly (readonly number[])[] =>
    Array.from({ length: points }, (_, at) => cellsBeside(size, at, steps));
  const around = beside(ALONG).map((near) => Uint16Array.from(near));
  const keys = Int32Array.from({ length: 3 * points }, (_, at) => scatter(at + 1));
  return { size, points, limit: 3 * points, around, corners: beside(ACROSS), keys, scratch: new Scratch(points) };
});

/** A number whose bits depend on all bits of `number` (two rounds of multiply and shift). */
function scatter(number: number): number {
  let mixed = Math.imul(number, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const neighboursOf = ({ around }: Tables, at: number): Uint16Array => around[at] ?? NOWHERE;

/** What a stone or an empty point adds to a board's hash. */
export function keyOf({ keys, points }: Tables, at: number, stone: number): number {
  return stone === EMPTY ? 0 : (keys[(stone - 1) * points + at] ?? 0);
}

/** How many liberties the group at `at` has, counted up to `enough`; `except` is not counted. */
export function liberties(table: Tables, cells: Uint8Array, at: number, enough: number, except = -1): number {
  const { group, seen } = table.scratch;
  // A new number instead of clearing the marks: this runs for every point that may be played.
  const walk = ++table.scratch.walk;
  const colour = cells[at];
  let [used, found] = [1, 0];
  group[0] = at;
  seen[at] = walk;
  for (let next = 0; next < used; next++) {
    for (const near of neighboursOf(table, group[next] ?? at)) {
      if (seen[near] === walk) continue;
      if (cells[near] === colour) group[used++] = near;
      else if (cells[near] !== EMPTY || near === except) continue;
      else {
        table.scratch.liberty = near;
        if (++found === enough) return found;
      }
      seen[near] = walk;
    }
  }
  table.scratch.used = used;
  return found;
}

/** Whether `colour` may set a stone on the empty point `at` if boards could repeat: it is no suicide. */
export function hasRoom(table: Tables, cells: Uint8Array, at: number, colour: number): boolean {
  const around = neighboursOf(table, at);
  for (const near of around) if (cells[near] === EMPTY) return true;
  for (const near of around) {
    const others = liberties(table, cells, near, 1, at);
    // Its own group keeps a liberty, or another's has none left and is captured.
    if (cells[near] === colour ? others > 0 : others === 0) return true;
  }
  return false;
}

/** Take the groups of the other colour next to `at` that have no liberty off `cells`; the points, ascending. */
export function capture(table: Tables, cells: Uint8Array, at: number): readonly number[] {
  const colour = cells[at];
  const captured: number[] = [];
  for (const near of neighboursOf(table, at)) {
    if (cells[near] === EMPTY || cells[near] === colour || liberties(table, cells, near, 1) > 0) continue;
    const group = chainOf(table.size, cells, near);
    for (const point of group) cells[point] = EMPTY;
    captured.push(...group);
  }
  return captured.sort((a, b) => a - b);
}

/** The points of the stones that are connected with the one on `at`, ascending; none where the point is empty. */
export function chainOf(size: number, cells: Uint8Array, at: number): readonly number[] {
  const { around } = tables(size);
  const colour = cells[at];
  if (colour === undefined || colour === EMPTY) return [];
  const chain = new Set([at]);
  // A set is walked over what is added to it meanwhile.
  for (const point of chain) for (const near of around[point] ?? []) if (cells[near] === colour) chain.add(near);
  return [...chain].sort((a, b) => a - b);
}

/** Whom each point counts for (Tromp-Taylor): 1 black, 2 white, 0 nobody: empty and reached by both or neither. */
export function area(table: Tables, cells: Uint8Array): Uint8Array {
  const owners = cells.slice();
  for (let at = 0; at < table.points; at++) {
    if (owners[at] !== EMPTY) continue;
    const [region, reached] = regionOf(table, cells, owners, at);
    const owner = reached === 1 || reached === 2 ? reached : NOBODY;
    for (const point of region) owners[point] = owner;
  }
  return owners.map((owner) => (owner === NOBODY ? EMPTY : owner));
}

/** The empty points connected to `at`, and the stones that they touch: 1 black, 2 white, 3 both. */
function regionOf(table: Tables, cells: Uint8Array, owners: Uint8Array, at: number): [number[], number] {
  const region = [at];
  let reached = 0;
  owners[at] = NOBODY;
  for (const point of region) {
    for (const near of neighboursOf(table, point)) {
      reached |= cells[near] ?? EMPTY;
      if (owners[near] !== EMPTY) continue;
      owners[near] = NOBODY;
      region.push(near);
    }
  }
  return [region, reached];
}
