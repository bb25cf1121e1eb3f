/** The shipped bundle of tic-tac-toe, as the page's list has it. */

import type { Entry } from "../../src/bundle/Index";

export const ENTRY: Entry = {
  name: "tictactoe",
  title: "Tic-tac-toe",
  game: "tictactoe",
  settings: {},
  artifact: null,
  format: "tfjs",
  files: [],
  problems: [],
  isGiven: false,
  isKept: true,
};
