/** How each game is presented on the page: what is particular to it. */

import type { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import type { Hex } from "../../engine/games/Hex";
import type { State } from "../../engine/State";
import type { TextKey } from "../../texts/Fill";
import type { Board, Play } from "./Board";
import { Connect4Board } from "./Connect4Board";
import { DotsBoard } from "./DotsBoard";
import { GridBoard } from "./GridBoard";
import { HexBoard } from "./HexBoard";

export interface Presentation {
  /** Asks a person for a move. */
  readonly prompt: TextKey & `tap_${string}`;
  /** What players 0 and 1 play with. */
  readonly pieces: readonly [Piece, Piece];
  board(start: State, play: Play): Board;
}

type Piece = "red" | "yellow" | "cross" | "nought" | "blue" | "orange" | "black" | "white";

/** By the game's name. A game's entry adds its own here, as it adds its rules to the engine's catalogue. */
export const PRESENTATIONS: Readonly<Record<string, Presentation>> = {
  connect4: {
    prompt: "tap_column",
    pieces: ["red", "yellow"],
    board: (state, play) => new Connect4Board(state, play),
  },
  tictactoe: grid("tap_cell", ["cross", "nought"]),
  dots_and_boxes: {
    prompt: "tap_edge",
    pieces: ["blue", "orange"],
    board: (start, play) => new DotsBoard((start as DotsAndBoxes).size, play),
  },
  gomoku: grid("tap_point", ["black", "white"]),
  go: grid("tap_point_or_pass", ["black", "white"]),
  reversi: grid("tap_cell", ["black", "white"]),
  hex: { prompt: "tap_cell", pieces: ["red", "blue"], board: (start, play) => new HexBoard(start as Hex, play) },
};

function grid(prompt: Presentation["prompt"], pieces: Presentation["pieces"]): Presentation {
  return { prompt, pieces, board: (start, play) => new GridBoard(start, play) };
}

/** The presentation of a game; Error with a sentence if this page has none. */
export function presentationOf(game: string): Presentation {
  const presentation = PRESENTATIONS[game];
  if (presentation) return presentation;
  throw new Error(`This page has no board for '${game}': it has ${Object.keys(PRESENTATIONS).join(", ")}.`);
}

/** The pass that a person may choose; null if there is none. */
export function passOf(state: State): number | null {
  return state instanceof Go && !state.isTerminal ? state.pass : null;
}
