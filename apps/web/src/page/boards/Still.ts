/** A game's own board as a picture, which nobody can press. */

import type { State } from "../../engine/State";
import { element } from "../dom/Dom";
import { moversIn, READER } from "../game/Session";
import type { Board } from "./Board";
import { presentationOf } from "./Presentation";

/** The board of a game at the last of these positions, and the place that it fills; `isMarked`: with its last move. */
export function still(
  game: string,
  states: readonly [State, ...State[]],
  isMarked = true,
): { readonly board: Board; readonly place: HTMLElement } {
  const state = states.at(-1) ?? states[0];
  const board = presentationOf(game).board(state, () => undefined);
  const last = isMarked ? state.lastAction : null;
  board.show({ state, human: READER, last, heat: null, canPlay: false, drawnBy: moversIn(states) });
  return { board, place: element("div", { class: "place", inert: true, "aria-hidden": "true" }, board.element) };
}
