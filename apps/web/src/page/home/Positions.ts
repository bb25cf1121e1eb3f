/** The position that stands for a game on its card: one that shows what the game is about. */

import type { State } from "../../engine/State";
import { isForcedPass } from "../Session";

/** How each game was played until there, as its moves are called; passes that the rules force are left out. */
export const MOVES: Readonly<Record<string, string>> = {
  connect4: "3 3 3 2 2 4 4 4 1 5 5 2 1 0",
  dots_and_boxes: "0 3 1 16 14 9 12 13 22 6 11 17 20 10",
  go: "E5 E3 C4 G4 G5 F5 F6 F4 H4 H3 H5 C6 D3 D4 D5 C7 E7 D8 E8 B5 B4 E4 C5 B6 J3 G3",
  gomoku: "H8 J9 J7 G9 H9 H7 G8 J8 F7 K9 H10 H6",
  hex: "d4 e3 e4 d5 c5 c6 b6 f2 c3",
  reversi: "D3 C3 C4 E3 F4 C5",
  tictactoe: "4 0 2 6 3",
};

/** The last position of those moves, as far as the rules of this board allow them. */
export function positionFor(game: string, start: State): State {
  let state = start;
  for (const move of (MOVES[game] ?? "").split(" ")) {
    const action = state.legalActions().find((each) => state.label(each) === move);
    if (action === undefined) break;
    state = state.apply(action);
    if (isForcedPass(state)) state = state.apply(state.pass);
  }
  return state;
}
