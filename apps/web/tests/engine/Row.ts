/** A tiny game, as docs/adding-a-game.md adds one: three in a row on one row of cells. Python's tests add the same one. */

import type { Encoding } from "../../src/engine/Encoding";
import type { Game } from "../../src/engine/Game";
import {
  illegal,
  mark,
  ownerOf,
  type Player,
  type Refusal,
  refusal,
  refuseOutside,
  type State,
  unknownPlane,
} from "../../src/engine/State";

const SIZES = [6, 8];

const encodingOf = (size: number): Encoding => ({
  layout: "channels_first",
  board: [1, size],
  planes: ["mover", "opponent"],
});

export class Row implements State {
  /** Of each cell 0 if it is empty, otherwise the mark of its owner. */
  constructor(
    readonly cells: readonly number[],
    readonly lastAction: number | null = null,
    private readonly winner: Player | null = null,
  ) {}

  get actions(): number {
    return this.cells.length;
  }

  get board(): readonly [number, number] {
    return [1, this.cells.length];
  }

  get encoding(): Encoding {
    return encodingOf(this.cells.length);
  }

  get toMove(): Player {
    return this.cells.filter((piece) => piece !== 0).length % 2 === 0 ? 0 : 1;
  }

  get isTerminal(): boolean {
    return this.winner !== null || !this.cells.includes(0);
  }

  legalActions(): readonly number[] {
    return this.isTerminal ? [] : [...this.cells.keys()].filter((at) => this.cells[at] === 0);
  }

  whyIllegal(action: number): Refusal | null {
    return refuseOutside(this, action) ?? (this.cells[action] === 0 ? null : refusal("occupied"));
  }

  apply(action: number): Row {
    if (this.whyIllegal(action)) throw illegal("row", action, this.legalActions());
    const { toMove } = this;
    const cells = this.cells.map((piece, at) => (at === action ? mark(toMove) : piece));
    const isRow = (first: number): boolean => [0, 1, 2].every((more) => cells[first + more] === mark(toMove));
    return new Row(cells, action, [...cells.keys()].some(isRow) ? toMove : null);
  }

  returns(): number {
    return this.winner === null ? 0 : 1 - 2 * this.winner;
  }

  plane(name: string): Float32Array {
    if (name !== "mover" && name !== "opponent") throw unknownPlane("row", name, ["mover", "opponent"]);
    const owner = name === "mover" ? this.toMove : ownerOf("opponent", this.toMove);
    return Float32Array.from(this.cells, (each) => (each === mark(owner) ? 1 : 0));
  }

  encode(): Float32Array {
    return Float32Array.from([...this.plane("mover"), ...this.plane("opponent")]);
  }

  label(action: number): string {
    return String(action);
  }
}

export const ROW: Game = {
  name: "row",
  title: "Three in a row",
  settings: [{ name: "size", default: 6, choices: SIZES, about: "cells" }],
  encoding: encodingOf(6),
  settingsOf: ([rows, size = 0]) => (rows === 1 && SIZES.includes(size) ? { size } : {}),
  numberings: ({ actions }) => [{ name: "cell", width: actions, index: (action) => action }],
  start: ({ size }) => new Row(Array.from({ length: Number(size) }, () => 0)),
};
