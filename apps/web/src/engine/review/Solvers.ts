/**
 * What solvers prove of a position beyond `knownOf`: Connect4 on the usual board, and tic-tac-toe. A worker asks them, for
 * they may take a second.
 */

import { Connect4 } from "../games/Connect4";
import { Connect4Solver, type Solution } from "../games/Connect4Solver";
import { TicTacToe } from "../games/TicTacToe";
import type { State } from "../State";
import type { Known } from "./Known";

/** With at least this many discs Connect4 is always solved, which takes a second or two; with fewer often not. */
const SURE_DISCS = 12;
const [MOST_NODES, FEW_NODES] = [60_000_000, 2_000_000];
/** Positions to look at before the first question whether to go on, a fifth of a second; then twice as many, and so on. */
const FIRST_NODES = 150_000;
/** What may be spent on how many plies are left. */
const DISTANCE_NODES = 400_000;

let solver: Connect4Solver | null = null;

/**
 * What is `known` of a position with what a solver adds: nothing where the result is known, the game has no solver, it was
 * stopped or takes too long. `pause` is waited for now and then, and says whether to stop.
 */
export async function settle(state: State, known: Known, pause: () => Promise<boolean>): Promise<Known> {
  if (state.isTerminal || known.result !== null || known.margin !== null) return known;
  if (state instanceof TicTacToe) return withSolution(known, solveTicTacToe(state));
  if (!(state instanceof Connect4) || !Connect4Solver.fits(state) || known.outcome !== null) return known;
  solver ??= new Connect4Solver();
  const most = state.played >= SURE_DISCS ? MOST_NODES : FEW_NODES;
  for (let nodes = FIRST_NODES; nodes <= most; nodes *= 2) {
    const solution = solver.solve(state, nodes);
    if (solution) return withSolution(known, solver.solve(state, DISTANCE_NODES, true) ?? solution);
    if (await pause()) break;
  }
  return known;
}

function withSolution(known: Known, { outcome, kept, distance }: Solution): Known {
  return { ...known, left: known.left.filter((action) => kept.includes(action)), outcome, distance };
}

/** Tic-tac-toe from any position: what the mover gets if both play perfectly, and after how many plies. */
function solveTicTacToe(state: TicTacToe): Solution {
  const rated = new Map<string, readonly [number, number]>();
  /** The result for the mover, and the plies to it: the fewest of a win, the most of a loss. */
  const rate = (at: TicTacToe): readonly [number, number] => {
    if (at.isTerminal) return [at.winner === null ? 0 : -1, 0];
    const key = at.cells.join("");
    const known = rated.get(key);
    if (known) return known;
    let best: readonly [number, number] = [-2, 0];
    for (const action of at.legalActions()) {
      const [result, plies] = rate(at.apply(action));
      const mine = [0 - result, plies + 1] as const;
      const isBetter =
        mine[0] > best[0] || (mine[0] === best[0] && (mine[0] > 0 ? mine[1] < best[1] : mine[1] > best[1]));
      if (isBetter) best = mine;
    }
    rated.set(key, best);
    return best;
  };
  const [outcome, distance] = rate(state);
  const best = state.legalActions().filter((action) => 0 - rate(state.apply(action))[0] === outcome);
  return { outcome, kept: best, distance };
}
