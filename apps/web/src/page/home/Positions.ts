/** The position that stands for a game on its card: one that shows what the game is about. */

import table from "../../../../../games/data/positions.json";
import type { State } from "../../engine/State";
import { isForcedPass } from "../game/Session";

/** How each game was played until there, as its moves are called; passes that the rules force are left out. */
export const MOVES: Readonly<Record<string, string>> = table;

/** The positions of those moves, as far as the rules of this board allow them. */
export function positionsFor(game: string, start: State): readonly [State, ...State[]] {
  let state = start;
  const states: [State, ...State[]] = [start];
  for (const move of (MOVES[game] ?? "").split(" ")) {
    const action = state.legalActions().find((each) => state.label(each) === move);
    if (action === undefined) break;
    state = state.apply(action);
    states.push(state);
    if (!isForcedPass(state)) continue;
    state = state.apply(state.pass);
    states.push(state);
  }
  return states;
}
