/**
 * The end of a game of Go as people play it: dead stones are taken off before the area is counted.
 *
 * The rules of the engine know of no dead stones: two passes end the game and all stones count. What is proposed here,
 * from random playouts, is for a person to agree with or to change.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import { EMPTY, mark } from "../State";
import type { Areas, Go } from "./Go";
import { chainOf } from "./GoBoard";
import { blackWins, type Ownership, ownerOf, ownership } from "./GoPlayouts";

// Shares of the playouts, in per cent. A chain is proposed dead where its points are the other side's in `dead`; all is
// decided where each point is the same side's in `settled`; an estimate shows a point as a side's where it is in `shown`.
// From these shares of the playouts won on an estimate is called `clear`, or `likely`.
const { dead: DEAD, settled: SETTLED, shown: SHOWN, clear: CLEAR, likely: LIKELY } = thresholds.go_scoring;

/** `score` is black's lead less the komi; `percent` of the playouts, 50 to 100, were won by the side it favours. */
export interface Estimate {
  readonly score: number;
  readonly percent: number;
  readonly certainty: "clear" | "likely" | "open";
}

export function ownershipOf(state: Go): Ownership {
  return ownership(state.size, state.cells, state.toMove);
}

/** The chain that has a stone on a point, ascending; none where the point is empty. */
export function chain(state: Go, at: number): readonly number[] {
  return chainOf(state.size, state.cells, at);
}

/** The stones that are proposed dead, ascending, whole chains. */
export function deadStones(state: Go, found: Ownership): readonly number[] {
  const seen = new Set<number>();
  const dead: number[] = [];
  for (const [at, stone] of state.cells.entries()) {
    if (stone === EMPTY || seen.has(at)) continue;
    const points = chain(state, at);
    for (const point of points) seen.add(point);
    const theirs = stone === mark(0) ? found.white : found.black;
    const sum = points.reduce((total, point) => total + (theirs[point] ?? 0), 0);
    if (100 * sum >= DEAD * points.length * found.playouts) dead.push(...points);
  }
  return dead.sort((a, b) => a - b);
}

/** The score as the playouts see it, each point its more frequent owner's, and how sure it is. */
export function estimate(state: Go, found: Ownership): Estimate {
  const lead = found.black.reduce((sum, black, at) => sum + Math.sign(black - (found.white[at] ?? 0)), 0);
  const score = lead - state.komi;
  const wins = blackWins(found, state.komi);
  const favoured = score > 0 ? wins : found.playouts - wins;
  const percent = Math.max(50, Math.floor((100 * favoured) / found.playouts));
  return { score, percent, certainty: percent >= CLEAR ? "clear" : percent >= LIKELY ? "likely" : "open" };
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
 * Whether the player to move loses nothing by a pass: the other side has just passed and the score without dead stones
 * is won, or all is settled. A game that is not half over is not asked.
 */
export function mayPass(state: Go): boolean {
  const passed = state.lastAction === state.pass;
  if (state.isTerminal || (!passed && state.played < Math.floor(state.cells.length / 2))) return false;
  const found = ownershipOf(state);
  if (isSettled(found)) return true;
  const score = state.score(deadStones(state, found));
  return passed && (state.toMove === 0 ? score > 0 : score < 0);
}
