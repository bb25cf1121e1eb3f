/** The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly. */

import thresholds from "../../../../../games/data/thresholds.json";
import { other } from "../State";
import type { DotsAndBoxes } from "./DotsAndBoxes";
import type { EndSolution } from "./EndSolution";

/** With more open edges than this a position is not solved: of twenty there are a million sets. */
const MOST_OPEN = thresholds.solved_edges;

/** How the game ends; null with more than `MOST_OPEN` open edges. */
export function solveEnd(state: DotsAndBoxes): EndSolution | null {
  const edges = [...state.edges.keys()].filter((at) => state.edges[at] === 0);
  if (edges.length > MOST_OPEN) return null;
  const { scores, toMove } = state;
  const lead = scores[toMove] - scores[other(toMove)];
  const numbers = new Map(edges.map((edge, number) => [edge, number]));
  // By each open edge, numbered from the first one, the boxes that it is a side of, as sets of their open edges.
  const boxes = edges.map((edge) =>
    state.boxesBy(edge).map((box) => setOf(state.sidesOf(box).flatMap((side) => numbers.get(side) ?? []))),
  );
  const byEdge = leadsByEdge(boxes);
  const ahead = edges.length === 0 ? 0 : Math.max(...byEdge);
  if (state.mustPass) return { margin: lead - ahead, best: state.legalActions() };
  return { margin: lead + ahead, best: edges.filter((_, at) => byEdge[at] === ahead) };
}

const setOf = (numbers: readonly number[]): number => numbers.reduce((set, at) => set | (1 << at), 0);

/** For each open edge, by how many boxes its player gets ahead, over all sets of edges; a completed box moves again. */
function leadsByEdge(boxes: readonly (readonly number[])[]): Int8Array {
  // An edge of the border has one box: its other one is of all edges and one more, so that it is never completed.
  const never = 1 << boxes.length;
  const one = Int32Array.from(boxes, ([box]) => box ?? never);
  const two = Int32Array.from(boxes, ([, box]) => box ?? never);
  const leads = new Int8Array(never);
  const byEdge = new Int8Array(boxes.length);
  for (let left = 1; left < never; left++) {
    let most = -128;
    for (let open = left; open > 0; open &= open - 1) {
      const at = 31 - Math.clz32(open & -open);
      const rest = left ^ (1 << at);
      const after = leads[rest] as number;
      const reach = rest | never;
      const completed = ((one[at] as number) & reach ? 0 : 1) + ((two[at] as number) & reach ? 0 : 1);
      const ahead = completed > 0 ? completed + after : -after;
      byEdge[at] = ahead;
      if (ahead > most) most = ahead;
    }
    leads[left] = most;
  }
  return byEdge;
}
