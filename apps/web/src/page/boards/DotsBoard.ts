/** Dots and Boxes: a button for each edge, between dots; boxes show who completed them. */

import type { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { other } from "../../engine/State";
import { say } from "../../texts/Speech";
import { element } from "../dom/Dom";
import { hasPerson, NOBODY } from "../game/Session";
import { Board, hintOf, labelButton, letArrowsWalk, type Play, pieceClass, type View } from "./Board";

export class DotsBoard extends Board {
  private readonly boxes: HTMLElement[] = [];

  constructor(
    private readonly size: number,
    play: Play,
  ) {
    super("dots", size);
    for (let row = 0; row <= 2 * size; row++) {
      for (let column = 0; column <= 2 * size; column++) this.element.append(this.makePart(row, column, play));
    }
    letArrowsWalk(this.spots, (edge) => this.placeOf(edge));
  }

  private makePart(row: number, column: number, play: Play): HTMLElement {
    const { size } = this;
    if (row % 2 === 0 && column % 2 === 0) return element("span", { class: "dot-mark", ...nameOfDot(row, column) });
    if (row % 2 === 1 && column % 2 === 1) {
      const box = element("span", { class: "box" });
      this.boxes[((row - 1) / 2) * size + (column - 1) / 2] = box;
      return box;
    }
    const isAcross = row % 2 === 0;
    const edge = isAcross
      ? (row / 2) * size + (column - 1) / 2
      : size * (size + 1) + ((row - 1) / 2) * (size + 1) + column / 2;
    const button = this.button(`edge ${isAcross ? "across" : "down"}`, () => play(edge));
    this.spots[edge] = button;
    return button;
  }

  protected draw(view: View): void {
    const state = view.state as DotsAndBoxes;
    for (const [edge, button] of this.spots.entries()) {
      const isDrawn = state.edges[edge] === 1;
      button.classList.toggle("drawn", isDrawn);
      const owner = view.drawnBy?.get(edge);
      for (const player of [0, 1]) button.classList.toggle(`by-${player}`, isDrawn && owner === player);
      button.classList.toggle("last", edge === view.last);
      const gain = completes(state, edge) ? say("board_completes") : null;
      const hint = view.canPlay ? hintOf(view, edge) : null;
      const about = say(isDrawn ? "board_drawn" : "board_free");
      labelButton(button, !view.canPlay || isDrawn, this.labelFor(edge), about, gain, hint);
    }
    for (const [at, box] of this.boxes.entries()) {
      const owner = state.owners[at];
      box.className = pieceClass("box", owner);
      box.textContent = owner ? initialOf(owner - 1, view.human) : "";
    }
  }

  /** With its score; in a game that is watched the colours are the names. */
  protected title({ state, human }: View): string {
    const { scores } = state as DotsAndBoxes;
    if (!hasPerson({ human })) return say("board_dots_watched", this.size, ...scores);
    const side = human === 1 ? 1 : 0;
    return say("board_dots", this.size, scores[side], scores[other(side)]);
  }

  /** Row and column of an edge, where dots have even ones and boxes odd ones. */
  private placeOf(edge: number): readonly [number, number] {
    const { size } = this;
    const across = size * (size + 1);
    if (edge < across) return [2 * Math.floor(edge / size), 2 * (edge % size) + 1];
    return [2 * Math.floor((edge - across) / (size + 1)) + 1, 2 * ((edge - across) % (size + 1))];
  }

  nameOf(action: number): string {
    if (action >= this.spots.length) return say("move_pass");
    const [row, column] = this.placeOf(action);
    const [down, right] = row % 2 === 0 ? [0, 1] : [1, 0];
    return `${dotAt(row - down, column - right)}–${dotAt(row + down, column + right)}`;
  }

  /** The same at the beginning of a label. */
  private labelFor(edge: number): string {
    const [row, column] = this.placeOf(edge);
    return say(row % 2 === 0 ? "board_across" : "board_down", ...numbersOf(row, column));
  }

  describeMove(action: number): string {
    return action < this.spots.length ? say("board_edge_drawn", this.labelFor(action)) : "";
  }
}

/** Whose box it is; in a record of other people's game its colour says so. */
function initialOf(player: number, human: View["human"]): string {
  if (!hasPerson({ human }) && human !== NOBODY) return "";
  return say(player === human ? "board_you" : "board_ai");
}

const letter = (column: number): string => String.fromCharCode(65 + column / 2);

/** "B2": a dot by its column's letter and its row's number, from the upper left. */
const dotAt = (row: number, column: number): string => `${letter(column)}${row / 2 + 1}`;

/** What stands beside the dots of the first row and the first column. */
const nameOfDot = (row: number, column: number): Readonly<Record<string, string | null>> => ({
  "data-column": row === 0 ? letter(column) : null,
  "data-row": column === 0 ? String(row / 2 + 1) : null,
});

/** A place among dots and boxes as people count: from 1, each dot and each box. */
function numbersOf(row: number, column: number): readonly [number, number] {
  return [Math.floor(row / 2) + 1, Math.floor(column / 2) + 1];
}

/** Whether a box lacks this edge alone. */
function completes(state: DotsAndBoxes, edge: number): boolean {
  if (state.whyIllegal(edge) !== null) return false;
  const boxes = ({ scores: [first, second] }: DotsAndBoxes): number => first + second;
  return boxes(state.apply(edge)) > boxes(state);
}
