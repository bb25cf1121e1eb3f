/** Hex: a button for each hexagon of a rhombus, around it the four sides in the colours of the players. */

import type { Hex } from "../../engine/games/Hex";
import { mark, type State } from "../../engine/State";
import { say } from "../../texts/Speech";
import { element, svg } from "../dom/Dom";
import { Board, hintOf, labelButton, letArrowsWalk, type Play, pieceClass, type View } from "./Board";

// In widths of a hexagon that stands on a corner: its side, and the margin around the rhombus for the coordinates.
const SIDE = 1 / Math.sqrt(3);
const MARGIN = 0.85;

type Point = readonly [number, number];

export class HexBoard extends Board {
  constructor(
    private readonly start: Hex,
    play: Play,
  ) {
    const { size } = start;
    super("hex", size);
    const [width, height] = extentOf(size);
    this.element.style.aspectRatio = `${width} / ${height}`;
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.append(sidesOf(size), ...coordinates(start));
    for (let at = 0; at < start.actions; at++) {
      const button = this.button("hexagon", () => play(at));
      place(button, middleOf(at, size), size);
      button.style.width = `${(100 / width).toFixed(4)}%`;
      button.style.height = `${((200 * SIDE) / height).toFixed(4)}%`;
      button.append(element("span", { class: "piece" }));
      this.spots.push(button);
    }
    this.element.append(...this.spots);
    letArrowsWalk(this.spots, (at) => [Math.floor(at / size), (at % size) + Math.floor(at / size) / 2]);
  }

  nameOf(action: number): string {
    return this.start.label(action);
  }

  describeMove(action: number, { toMove }: State): string {
    return say("board_move", this.pieceName(mark(toMove)), this.start.label(action));
  }

  private pieceName(piece: number): string {
    return say(piece === 1 ? "board_red" : "board_blue");
  }

  protected title(): string {
    return say("board_hex", this.start.size);
  }

  protected draw(view: View): void {
    const state = view.state as Hex;
    const chain = new Set(state.winningLine());
    // A stone that was taken over stands on another cell than was pressed.
    const last = view.last !== null && view.last === state.lastAction ? state.lastStone : view.last;
    for (const [at, button] of this.spots.entries()) {
      const owner = state.cells[at] ?? 0;
      button.className = pieceClass("hexagon", owner);
      button.classList.toggle("last", at === last);
      button.classList.toggle("winning", chain.has(at));
      const takes = owner !== 0 && state.isSwapOpen && view.canPlay;
      const content = owner ? this.pieceName(owner) : say("board_empty");
      const more = takes ? say("board_take_over") : at === last ? say("board_last") : null;
      const hint = view.canPlay ? hintOf(view, at) : null;
      labelButton(button, !view.canPlay || (owner !== 0 && !takes), this.start.label(at), content, more, hint);
    }
  }
}

/** Width and height of the drawing, in widths of a hexagon. */
export function extentOf(size: number): Point {
  return [1.5 * size - 0.5 + 2 * MARGIN, (1.5 * size + 0.5) * SIDE + 2 * MARGIN];
}

/** The middle of a cell, in widths of a hexagon from the drawing's upper left. */
export function middleOf(at: number, size: number): Point {
  const [row, column] = [Math.floor(at / size), at % size];
  return [MARGIN + column + row / 2 + 0.5, MARGIN + (1.5 * row + 1) * SIDE];
}

/** The corners of a cell, clockwise from the one on top. */
export function cornersOf(at: number, size: number): readonly Point[] {
  const [x, y] = middleOf(at, size);
  const [half, low] = [0.5, SIDE / 2];
  return [
    [x, y - SIDE],
    [x + half, y - low],
    [x + half, y + low],
    [x, y + SIDE],
    [x - half, y + low],
    [x - half, y - low],
  ];
}

function place(target: HTMLElement, [x, y]: Point, size: number): void {
  const [width, height] = extentOf(size);
  target.style.left = `${((100 * x) / width).toFixed(4)}%`;
  target.style.top = `${((100 * y) / height).toFixed(4)}%`;
}

/** The border of the rhombus: the sides that the first player joins, top and bottom, and those of the second. */
function sidesOf(size: number): SVGElement {
  const [width, height] = extentOf(size);
  const steps = Array.from({ length: size }, (_, at) => at);
  const line = (player: string, cellAt: (step: number) => number, corners: readonly number[]): SVGElement => {
    const points = steps.flatMap((step) => corners.map((corner) => cornersOf(cellAt(step), size)[corner] ?? [0, 0]));
    return svg("polyline", {
      class: `side ${player}`,
      points: points.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" "),
    });
  };
  return svg(
    "svg",
    { viewBox: `0 0 ${width.toFixed(3)} ${height.toFixed(3)}`, class: "sides", "aria-hidden": "true" },
    line("first", (step) => step, [5, 0, 1]),
    line("first", (step) => (size - 1) * size + step, [4, 3, 2]),
    line("second", (step) => step * size, [5, 4]),
    line("second", (step) => step * size + size - 1, [1, 2]),
  );
}

/** The letters above the first row, and the numbers beside the first column; every cell says its own name already. */
function coordinates(start: Hex): readonly HTMLElement[] {
  const { size } = start;
  const name = (at: number, text: string, [dx, dy]: Point): HTMLElement => {
    const made = element("span", { class: "coordinate", "aria-hidden": "true" }, text);
    const [x, y] = middleOf(at, size);
    place(made, [x + dx, y + dy], size);
    return made;
  };
  const steps = Array.from({ length: size }, (_, at) => at);
  return [
    ...steps.map((column) => name(column, start.label(column).slice(0, 1), [-0.25, -0.95])),
    ...steps.map((row) => name(row * size, start.label(row * size).slice(1), [-1.05, 0])),
  ];
}
