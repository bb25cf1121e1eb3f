/** The games that the engine plays: one entry each. */

import type { Encoding } from "./Encoding";
import type { Game, Numbering, Setting } from "./Game";
import * as connect4 from "./games/Connect4";
import * as dotsAndBoxes from "./games/DotsAndBoxes";
import * as go from "./games/Go";
import * as gomoku from "./games/Gomoku";
import * as tictactoe from "./games/TicTacToe";

const same = (action: number): number => action;

/** One output a cell; some networks have one more, for a pass that is never legal. */
function cells(count: number): Numbering[] {
  return [
    { name: "cell", width: count, index: same },
    { name: "cell_and_pass", width: count + 1, index: same },
  ];
}

/** The size whose encoding has planes of this shape. */
function sized(sizes: readonly number[], encoding: (size: number) => Encoding): Game["settingsOf"] {
  return (board) => {
    const size = sizes.find((each) => encoding(each).board.join() === board.join());
    return size === undefined ? {} : { size };
  };
}

function size(value: number, choices: readonly number[], about: string): Setting {
  return { name: "size", default: value, choices, about };
}

const CONNECT4: Game = {
  name: "connect4",
  title: "Connect4",
  settings: [],
  encoding: connect4.ENCODING,
  settingsOf: () => ({}),
  numberings: () => [
    { name: "cell", width: connect4.CELLS, index: same },
    { name: "column", width: connect4.COLUMNS, index: (action) => action % connect4.COLUMNS },
  ],
  start: () => new connect4.Connect4(),
};

const TICTACTOE: Game = {
  name: "tictactoe",
  title: "Tic-tac-toe",
  settings: [],
  encoding: tictactoe.ENCODING,
  settingsOf: () => ({}),
  numberings: () => cells(tictactoe.CELLS),
  start: () => new tictactoe.TicTacToe(),
};

const DOTS_AND_BOXES: Game = {
  name: "dots_and_boxes",
  title: "Dots and Boxes",
  settings: [size(dotsAndBoxes.REFERENCE_SIZE, dotsAndBoxes.SIZES, "boxes a side")],
  encoding: dotsAndBoxes.ENCODING,
  settingsOf: sized(dotsAndBoxes.SIZES, dotsAndBoxes.encoding),
  numberings: ({ actions }) => [{ name: "edge", width: actions, index: same }],
  start: (settings) => dotsAndBoxes.start(Number(settings.size)),
};

const GOMOKU: Game = {
  name: "gomoku",
  title: "Gomoku",
  settings: [
    size(gomoku.REFERENCE_SIZE, gomoku.SIZES, "points a side"),
    { name: "rule", default: "freestyle", choices: gomoku.RULES, about: "what black may not play" },
  ],
  encoding: gomoku.ENCODING,
  settingsOf: sized(gomoku.SIZES, gomoku.encoding),
  numberings: ({ actions }) => cells(actions),
  start: (settings) => gomoku.start(Number(settings.size), String(settings.rule)),
};

const GO: Game = {
  name: "go",
  title: "Go",
  settings: [
    size(go.REFERENCE_SIZE, go.SIZES, "points a side"),
    { name: "komi", default: go.KOMI, choices: [], about: "points that white gets for moving second" },
  ],
  encoding: go.ENCODING,
  settingsOf: sized(go.SIZES, go.encoding),
  numberings: ({ actions }) => [{ name: "point", width: actions, index: same }],
  start: (settings) => go.start(Number(settings.size), Number(settings.komi)),
};

export const GAMES: ReadonlyMap<string, Game> = new Map(
  [CONNECT4, TICTACTOE, DOTS_AND_BOXES, GOMOKU, GO].map((game) => [game.name, game]),
);
