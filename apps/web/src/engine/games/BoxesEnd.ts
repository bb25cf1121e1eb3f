/** The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly. */

import thresholds from "../../../../../games/data/thresholds.json";
import { other } from "../State";
import type { DotsAndBoxes } from "./DotsAndBoxes";

/** With more open edges than this a position is not solved: of twelve there are 4,096 sets. */
const MOST_OPEN = thresholds.solved_edges;

/**
 * The `margin` with which a game ends for the player to move, in boxes, and the actions that are `best`, ascending; none
 * once the game is over.
 */
export interface Solved {
  readonly margin: number;
  readonly best: readonly number[];
}

/** How the game ends; null with more than `MOST_OPEN` open edges. */
export function solveEnd(state: DotsAndBoxes): Solved | null {
  const edges = [...state.edges.keys()].filter((at) => state.edges[at] === 0);
  if (edges.length > MOST_OPEN) return null;
  const { scores, toMove } = state;
  const lead = scores[toMove] - scores[other(toMove)];
  // By each open edge, numbered from the first one, the boxes that it is a side of, as sets of their open edges.
  const boxes = edges.map((edge) =>
    state.boxesBeside(edge).map((sides) => setOf(sides.map((at) => edges.indexOf(at)).filter((at) => at >= 0))),
  );
  const leads = leadsOf(boxes);
  const whole = leads.length - 1;
  const ahead = leads[whole] ?? 0;
  if (state.mustPass) return { margin: lead - ahead, best: state.legalActions() };
  return { margin: lead + ahead, best: edges.filter((_, at) => play(at, whole, boxes, leads) === ahead) };
}

const setOf = (numbers: readonly number[]): number => numbers.reduce((set, at) => set | (1 << at), 0);

/** By each set of the open edges: the boxes by which who moves there gets ahead. */
function leadsOf(boxes: readonly (readonly number[])[]): Int8Array {
  const leads = new Int8Array(1 << boxes.length);
  for (let left = 1; left < leads.length; left++) {
    let best = -Infinity;
    for (let at = 0; at < boxes.length; at++) {
      if ((left >> at) & 1) best = Math.max(best, play(at, left, boxes, leads));
    }
    leads[left] = best;
  }
  return leads;
}

/** By how many boxes who plays edge `at` of those that are `left` gets ahead; who completes one moves again. */
function play(at: number, left: number, boxes: readonly (readonly number[])[], leads: Int8Array): number {
  const rest = left ^ (1 << at);
  let completed = 0;
  for (const box of boxes[at] ?? []) if ((box & rest) === 0) completed++;
  const next = leads[rest] ?? 0;
  return completed > 0 ? completed + next : -next;
}
