/** Tic-tac-toe, Gomoku and Go: a button for each cell or point. */

import { Go } from "../../engine/games/Go";
import { Gomoku } from "../../engine/games/Gomoku";
import { TicTacToe } from "../../engine/games/TicTacToe";
import type { State } from "../../engine/State";
import { element, svg } from "../Dom";
import {
  type Board,
  capital,
  largestOf,
  onPress,
  ownerName,
  type Play,
  pieceClass,
  type View,
  walkable,
  warm,
} from "./Board";

type Square = TicTacToe | Gomoku | Go;

export class GridBoard implements Board {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[] = [];

  constructor(
    private readonly start: State,
    title: string,
    play: Play,
  ) {
    const [rows, columns] = start.board;
    const look = start instanceof TicTacToe ? "tictactoe" : "points";
    this.element = element("div", {
      class: `board ${look}`,
      role: "group",
      "aria-label": `${title} board, ${rows} by ${columns}`,
    });
    this.element.style.setProperty("--size", String(columns));
    if (look === "points") this.element.append(lines(columns));
    for (let at = 0; at < rows * columns; at++) this.element.append(this.makeCell(at, play));
    walkable(this.buttons, (at) => [Math.floor(at / columns), at % columns]);
  }

  private makeCell(at: number, play: Play): HTMLButtonElement {
    const button = element("button", { type: "button", class: "cell" }, element("span", { class: "piece" }));
    onPress(button, () => play(at));
    this.buttons.push(button);
    return button;
  }

  nameOf(action: number): string {
    if (!(this.start instanceof TicTacToe)) return this.start.label(action);
    return `row ${Math.floor(action / 3) + 1}, column ${(action % 3) + 1}`;
  }

  show(view: View): void {
    const state = view.state as Square;
    const line = new Set(state instanceof Go ? [] : state.winningLine());
    const forbidden = state instanceof Gomoku ? state.forbidden() : null;
    const [black, white] = (state instanceof Go && state.isTerminal ? state.areas() : [[], []]).map(
      (points) => new Set(points),
    );
    const captured = new Set(state instanceof Go ? state.lastCaptured : []);
    const largest = largestOf(view.heat);
    this.buttons.forEach((button, at) => {
      const reason = forbidden?.get(at);
      const owner = state.cells[at];
      button.className = pieceClass("cell", owner);
      button.classList.toggle("last", at === view.last);
      button.classList.toggle("winning", line.has(at));
      button.classList.toggle("forbidden", reason !== undefined);
      button.classList.toggle("captured", captured.has(at) && owner === 0);
      button.classList.toggle("area-first", Boolean(black?.has(at)));
      button.classList.toggle("area-second", Boolean(white?.has(at)));
      warm(button, view.heat?.get(at), largest);
      button.setAttribute(
        "aria-label",
        `${capital(this.nameOf(at))}: ${reason ? `forbidden, ${reason}` : ownerName(owner, view.human)}`,
      );
      button.setAttribute("aria-disabled", String(!view.canPlay || owner !== 0 || reason !== undefined));
    });
  }
}

/** The lines of a board of points, and its star points. */
function lines(size: number): SVGElement {
  const found: SVGElement[] = [];
  for (let at = 0; at < size; at++) {
    const middle = at + 0.5;
    found.push(svg("line", { x1: 0.5, x2: size - 0.5, y1: middle, y2: middle }));
    found.push(svg("line", { y1: 0.5, y2: size - 0.5, x1: middle, x2: middle }));
  }
  for (const [row, column] of starPoints(size)) {
    found.push(svg("circle", { cx: column + 0.5, cy: row + 0.5, r: 0.1 }));
  }
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "lines", "aria-hidden": "true" }, ...found);
}

/** Rows and columns of the star points: on the third lines from the edge (the fourth from 12 on) and in the middle. */
function starPoints(size: number): readonly (readonly [number, number])[] {
  if (size % 2 === 0 || size < 7) return [];
  const near = size > 11 ? 3 : 2;
  const marked = [near, (size - 1) / 2, size - 1 - near];
  return marked.flatMap((row) => marked.map((column) => [row, column] as const));
}
