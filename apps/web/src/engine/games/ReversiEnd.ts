/** The end of a game of Reversi, solved: by how many discs the player to move wins if both play perfectly. */

import thresholds from "../../../../../games/data/thresholds.json";
import { mark, other, type Player } from "../State";
import type { EndSolution } from "./EndSolution";
import { cellsOf, type Reversi, withDisc } from "./Reversi";

/** With more empty cells than this a position is not solved. */
const MOST_EMPTY = thresholds.solved_cells;

/** More discs than a board has. */
const BEYOND = 1_000;

/** How the game ends; null if it is not over and has more than `MOST_EMPTY` empty cells. */
export function solveEnd(state: Reversi): EndSolution | null {
  const { kind, cells, toMove } = state;
  if (!state.isTerminal && cells.filter((disc) => disc === 0).length > MOST_EMPTY) return null;
  if (state.moves.length === 0) {
    return { margin: leadOf(kind, cells, toMove, -BEYOND, BEYOND), best: state.legalActions() };
  }
  let [margin, best] = [-BEYOND, [] as number[]];
  for (const at of state.moves) {
    const [after] = withDisc(kind, cells, at, toMove);
    // From one below the best on, so that a move that is as good is known to be.
    const lead = -leadOf(kind, after, other(toMove), -BEYOND, 1 - margin);
    if (lead > margin) [margin, best] = [lead, []];
    if (lead === margin) best.push(at);
  }
  return { margin, best };
}

/** The margin for `player`, who is to move: exact between `low` and `high`, else a bound. */
function leadOf(kind: Reversi["kind"], cells: Uint8Array, player: Player, low: number, high: number): number {
  const moves = cellsOf(kind, cells, player);
  if (moves.length === 0) {
    if (cellsOf(kind, cells, other(player)).length > 0) return -leadOf(kind, cells, other(player), -high, -low);
    return cells.reduce((sum, disc) => sum + (disc === 0 ? 0 : disc === mark(player) ? 1 : -1), 0);
  }
  let best = -BEYOND;
  for (const at of moves) {
    const [after] = withDisc(kind, cells, at, player);
    best = Math.max(best, -leadOf(kind, after, other(player), -high, -Math.max(low, best)));
    if (best >= high) break;
  }
  return best;
}
