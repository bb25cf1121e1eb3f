/** How each game is presented on the page: what is particular to it. */

import { DotsAndBoxes } from "../engine/games/DotsAndBoxes";
import { Go } from "../engine/games/Go";
import { other, type State } from "../engine/State";
import { type Board, capital, type Play } from "./boards/Board";
import { Connect4Board } from "./boards/Connect4Board";
import { DotsBoard } from "./boards/DotsBoard";
import { GridBoard } from "./boards/GridBoard";
import { nameOf, type Session } from "./Session";

export interface Presentation {
  /** Asks a person for a move. */
  readonly prompt: string;
  /** What players 0 and 1 play with. */
  readonly pieces: readonly [string, string];
  board(start: State, play: Play): Board;
}

const PRESENTATIONS: Readonly<Record<string, Presentation>> = {
  connect4: {
    prompt: "Tap the column for your move",
    pieces: ["red", "yellow"],
    board: (_, play) => new Connect4Board(play),
  },
  tictactoe: grid("Tap the cell for your move", ["X", "O"], "Tic-tac-toe"),
  dots_and_boxes: {
    prompt: "Tap the edge for your move",
    pieces: ["blue", "orange"],
    board: (start, play) => new DotsBoard((start as DotsAndBoxes).size, play),
  },
  gomoku: grid("Tap the point for your move", ["black", "white"], "Gomoku"),
  go: grid("Tap the point for your move, or pass", ["black", "white"], "Go"),
};

function grid(prompt: string, pieces: readonly [string, string], title: string): Presentation {
  return { prompt, pieces, board: (start, play) => new GridBoard(start, title, play) };
}

/** The presentation of a game; Error with a sentence where this page has none. */
export function presentationOf(game: string): Presentation {
  const found = PRESENTATIONS[game];
  if (found) return found;
  throw new Error(`This page has no board for '${game}': it has ${Object.keys(PRESENTATIONS).join(", ")}.`);
}

/** The pass that a person may choose; null where there is none. */
export function passOf(state: State): number | null {
  return state instanceof Go && !state.isTerminal ? state.pass : null;
}

/** The score, or what was captured; empty where a game has nothing to count. */
export function summary(session: Session, state: State): string {
  if (state instanceof DotsAndBoxes) {
    const [own, theirs] = [state.scores[session.human], state.scores[other(session.human)]];
    return `Boxes: you ${own}, AI ${theirs}`;
  }
  return state instanceof Go ? goSummary(session, state) : "";
}

function goSummary(session: Session, state: Go): string {
  if (state.isTerminal) {
    const score = state.score();
    const [black, white] = state.areas().map((points) => points.length);
    const winner = score === 0 ? "even" : `${score > 0 ? "black" : "white"} wins by ${Math.abs(score)}`;
    return `Score: black ${black}, white ${white} and ${state.komi} komi; ${winner}`;
  }
  const [black, white] = state.prisoners;
  const passed = state.lastAction === state.pass ? ` ${capital(nameOf(session, other(state.toMove)))} passed.` : "";
  return `Captured: by black ${black}, by white ${white}.${passed}`;
}
