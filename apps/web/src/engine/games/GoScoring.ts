/**
 * The end of a game of Go as people play it: dead stones are taken off before the area is counted.
 *
 * The engine's rules have no dead stones: two passes end the game and all stones count. The proposals here, from random
 * playouts, are for a person to accept or to change.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import { EMPTY, mark } from "../State";
import { countPieces } from "./Cells";
import type { Areas, Go } from "./Go";
import { chainOf } from "./GoBoard";
import { blackWins, meanLead, type Ownership, ownerOf, ownership, spreadOf } from "./GoPlayouts";

// Shares of the playouts, in per cent. A chain is proposed dead where its points are the other side's in `dead`; all is
// decided where each point is the same side's in `settled`; an estimate shows a point as a side's where it is in `shown`.
// From these shares of the playouts won on an estimate is called `clear`, or `likely`.
const { dead: DEAD, settled: SETTLED, shown: SHOWN, clear: CLEAR, likely: LIKELY } = thresholds.go_scoring;
// A point that is one side's in less than this share is disputed. With more of them than this the board is unfinished;
// with fewer a move on one of them is worth playing if it gains this much in the mean of the playouts.
const { disputed: DISPUTED, most_disputed: MOST_DISPUTED, least_gain: LEAST_GAIN } = thresholds.go_scoring;
// With fewer stones of a side an estimate is called open, whatever the playouts say; on small boards a quarter of the
// points.
const FEWEST_STONES = thresholds.go_scoring.fewest_stones;

/**
 * `score` is black's mean lead less the komi, `spread` the standard deviation of the playouts' leads, both in points
 * and rounded in `points` and `pointsOfSpread`; `percent` of the playouts, 50 to 100, were won by the side it favours.
 */
export interface Estimate {
  readonly score: number;
  readonly spread: number;
  readonly points: number;
  readonly pointsOfSpread: number;
  readonly percent: number;
  readonly certainty: "clear" | "likely" | "open";
}

export function ownershipOf(state: Go): Ownership {
  return ownership(state.size, state.cells, state.toMove);
}

/** The stones that are proposed dead, ascending, whole chains. */
export function deadStones(state: Go, found: Ownership): readonly number[] {
  const visited = new Set<number>();
  const dead: number[] = [];
  for (const [at, stone] of state.cells.entries()) {
    if (stone === EMPTY || visited.has(at)) continue;
    const points = chainOf(state.size, state.cells, at);
    for (const point of points) visited.add(point);
    const theirs = stone === mark(0) ? found.white : found.black;
    const sum = points.reduce((total, point) => total + (theirs[point] ?? 0), 0);
    if (100 * sum >= DEAD * points.length * found.playouts) dead.push(...points);
  }
  return dead.sort((a, b) => a - b);
}

/** The score as the playouts see it, and how sure it is; open too while the game has hardly begun. */
export function estimate(state: Go, found: Ownership): Estimate {
  const [score, spread] = [meanLead(found) - state.komi, spreadOf(found)];
  const wins = blackWins(found, state.komi);
  const favoured = score > 0 ? wins : found.playouts - wins;
  const percent = Math.max(50, Math.floor((100 * favoured) / found.playouts));
  const certainty = !hasBegun(state) || percent < LIKELY ? "open" : percent >= CLEAR ? "clear" : "likely";
  const points = Math.floor(Math.abs(score) + 0.5) * (score > 0 ? 1 : -1);
  return { score, spread, points, pointsOfSpread: Math.floor(spread + 0.5), percent, certainty };
}

/** Whether both sides have enough stones for playouts to mean something. */
export function hasBegun({ cells }: Go): boolean {
  return Math.min(...countPieces(cells)) >= Math.min(FEWEST_STONES, Math.floor(cells.length / 4));
}

/** The points that an estimate shows as black's and as white's. */
export function areasSeen(found: Ownership): Areas {
  const all = [...found.black.keys()];
  return [all.filter((at) => ownerOf(found, at, SHOWN) === 0), all.filter((at) => ownerOf(found, at, SHOWN) === 1)];
}

/** Whether every point is one side's in most of the playouts. */
export function isSettled(found: Ownership): boolean {
  return found.black.every((_, at) => ownerOf(found, at, SETTLED) !== null);
}

/**
 * Whether nothing is left to play for, so that the player to move loses nothing by a pass. That is so if all points are
 * settled, or if few are disputed and no stone on one of them gains; the score does not matter. In the first half of a
 * game it is false, unless the other side has just passed.
 */
export function mayPass(state: Go): boolean {
  const passed = state.lastAction === state.pass;
  if (state.isTerminal || (!passed && state.played < Math.floor(state.cells.length / 2))) return false;
  const owners = ownershipOf(state);
  if (isSettled(owners)) return true;
  const disputed = [...state.cells.keys()].filter((at) => ownerOf(owners, at, DISPUTED) === null);
  const legal = new Set(state.legalActions());
  return (
    disputed.length <= MOST_DISPUTED && !disputed.some((at) => legal.has(at) && gains(state, at, meanLead(owners)))
  );
}

/** Whether a stone raises the mover's mean lead, which is `lead` for black now, by enough to play it. */
function gains(state: Go, at: number, lead: number): boolean {
  const gain = meanLead(ownershipOf(state.apply(at))) - lead;
  return (state.toMove === 0 ? gain : -gain) >= LEAST_GAIN;
}
