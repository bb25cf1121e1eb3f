/** The games that the engine plays: one entry each. */

import type { Game } from "../Game";
import * as connect4 from "../games/Connect4";
import * as dotsAndBoxes from "../games/DotsAndBoxes";
import * as go from "../games/Go";
import * as gomoku from "../games/Gomoku";
import * as hex from "../games/Hex";
import * as reversi from "../games/Reversi";
import * as ticTacToe from "../games/TicTacToe";
import { Shapes } from "../Tables";

/** A game whose positions no moves lead to: a position that a person sets up is one of its settings. */
const withPosition = (game: Game): Game => ({
  ...game,
  settings: [...game.settings, { name: "position", default: "", choices: [], about: "" }],
});

function gameOf(name: string, start: Game["start"]): Game {
  const shapes = Shapes.of(name);
  return {
    name,
    title: shapes.title,
    settings: shapes.settings,
    encoding: shapes.reference,
    settingsOf: (board) => shapes.board(board)?.settings ?? {},
    numberings: ({ board }) => shapes.board(board)?.numberings ?? [],
    start,
  };
}

export const GAMES: ReadonlyMap<string, Game> = new Map(
  [
    gameOf("connect4", ({ rows, columns }) => connect4.start(Number(rows), Number(columns))),
    gameOf("tictactoe", ticTacToe.start),
    gameOf("dots_and_boxes", ({ size }) => dotsAndBoxes.start(Number(size))),
    gameOf("gomoku", ({ size, rule }) => gomoku.start(Number(size), String(rule))),
    gameOf("go", ({ size, komi }) => go.start(Number(size), Number(komi))),
    withPosition(gameOf("reversi", ({ size, position }) => reversi.start(Number(size), String(position)))),
    gameOf("hex", ({ size, rule }) => hex.start(Number(size), String(rule))),
  ].map((game) => [game.name, game]),
);
