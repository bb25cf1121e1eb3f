/** Dots and Boxes: a button for each edge, between dots; boxes show who completed them. */

import type { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { element } from "../Dom";
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

export class DotsBoard implements Board {
  readonly element: HTMLElement;
  private readonly edges: HTMLButtonElement[] = [];
  private readonly boxes: HTMLElement[] = [];

  constructor(
    private readonly size: number,
    play: Play,
  ) {
    const label = `Dots and Boxes, ${size} by ${size} boxes`;
    this.element = element("div", { class: "board dots", role: "group", "aria-label": label });
    this.element.style.setProperty("--size", String(size));
    for (let row = 0; row <= 2 * size; row++) {
      for (let column = 0; column <= 2 * size; column++) this.element.append(this.makePart(row, column, play));
    }
    walkable(this.edges, (edge) => this.placeOf(edge));
  }

  private makePart(row: number, column: number, play: Play): HTMLElement {
    const { size } = this;
    if (row % 2 === 0 && column % 2 === 0) return element("span", { class: "dot-mark" });
    if (row % 2 === 1 && column % 2 === 1) {
      const box = element("span", { class: "box" });
      this.boxes[((row - 1) / 2) * size + (column - 1) / 2] = box;
      return box;
    }
    const isAcross = row % 2 === 0;
    const edge = isAcross
      ? (row / 2) * size + (column - 1) / 2
      : size * (size + 1) + ((row - 1) / 2) * (size + 1) + column / 2;
    const button = element("button", { type: "button", class: `edge ${isAcross ? "across" : "down"}` });
    onPress(button, () => play(edge));
    this.edges[edge] = button;
    return button;
  }

  show(view: View): void {
    const state = view.state as DotsAndBoxes;
    this.edges.forEach((button, edge) => {
      const isDrawn = state.edges[edge] === 1;
      button.classList.toggle("drawn", isDrawn);
      button.classList.toggle("last", edge === view.last);
      button.setAttribute("aria-label", `${capital(this.nameOf(edge))}: ${isDrawn ? "drawn" : "free"}`);
      button.setAttribute("aria-disabled", String(!view.canPlay || isDrawn));
    });
    this.boxes.forEach((box, at) => {
      const owner = state.owners[at];
      box.className = pieceClass("box", owner);
      box.textContent = owner ? capital(ownerName(owner, view.human)) : "";
    });
    this.heat(view.heat);
  }

  heat(heat: View["heat"]): void {
    const largest = largestOf(heat);
    for (const [at, each] of this.edges.entries()) warm(each, heat?.get(at), largest);
  }

  /** Row and column of an edge, where dots have even ones and boxes odd ones. */
  private placeOf(edge: number): readonly [number, number] {
    const { size } = this;
    const across = size * (size + 1);
    if (edge < across) return [2 * Math.floor(edge / size), 2 * (edge % size) + 1];
    return [2 * Math.floor((edge - across) / (size + 1)) + 1, 2 * ((edge - across) % (size + 1))];
  }

  nameOf(action: number): string {
    const [row, column] = this.placeOf(action);
    const [down, right] = [Math.floor(row / 2) + 1, Math.floor(column / 2) + 1];
    return `${row % 2 === 0 ? "horizontal" : "vertical"} edge, row ${down}, column ${right}`;
  }
}
