/** Connect4: a button a column; discs fall. */

import type { Connect4 } from "../../engine/games/Connect4";
import { mark, type State } from "../../engine/State";
import { count, say } from "../../texts/Speech";
import { element } from "../dom/Dom";
import { Board, hintOf, labelButton, letArrowsWalk, type Play, pieceClass, type View } from "./Board";

export class Connect4Board extends Board {
  private readonly rows: number;
  private readonly width: number;
  private readonly columns: HTMLElement[] = [];
  private view: View | null = null;

  constructor(
    { board }: State,
    private readonly play: Play,
  ) {
    super("connect4");
    [this.rows, this.width] = board;
    this.element.style.setProperty("--rows", String(this.rows));
    this.element.style.setProperty("--columns", String(this.width));
    for (let column = 0; column < this.width; column++) this.element.append(this.makeColumn(column));
    letArrowsWalk(this.columns, (at) => [0, at]);
  }

  private makeColumn(column: number): HTMLElement {
    const button = this.button("column", () => this.choose(column));
    button.dataset.number = String(column + 1);
    for (let row = 0; row < this.rows; row++) {
      const cell = element("span", { class: "hole" });
      cell.style.setProperty("--drop", String(row + 1));
      this.spots[row * this.width + column] = cell;
      button.append(cell);
    }
    this.columns.push(button);
    return button;
  }

  /** The lowest empty cell of the column; the top one, with a reason why not, where it is full. */
  private choose(column: number): void {
    const legal = this.view?.state.legalActions() ?? [];
    this.play(legal.find((action) => action % this.width === column) ?? column);
  }

  protected title(): string {
    return say("board_connect4", this.width);
  }

  protected draw(view: View): void {
    this.view = view;
    const state = view.state as Connect4;
    const line = new Set(state.winningLine());
    for (const [at, cell] of this.spots.entries()) {
      cell.className = pieceClass("hole", state.cells[at]);
      cell.classList.toggle("last", at === view.last);
      cell.classList.toggle("winning", line.has(at));
    }
    for (const [column, button] of this.columns.entries()) this.label(button, column, view, state);
  }

  nameOf(action: number): string {
    return say("move_column", (action % this.width) + 1);
  }

  describeMove(action: number, { toMove }: State): string {
    return say("board_move", nameOf(mark(toMove)), say("board_column", (action % this.width) + 1));
  }

  private label(button: HTMLElement, column: number, view: View, state: Connect4): void {
    const discs = [];
    for (let row = this.rows - 1; row >= 0 && state.cells[row * this.width + column]; row--) {
      discs.push(nameOf(state.cells[row * this.width + column]));
    }
    const open = (this.rows - 1 - discs.length) * this.width + column;
    const hint = view.canPlay ? hintOf(view, open) : null;
    const isOff = !view.canPlay || discs.length === this.rows;
    labelButton(button, isOff, say("board_column", column + 1), contentOf(discs, this.rows), hint);
  }
}

const nameOf = (piece: number | undefined): string => say(piece === 1 ? "board_red" : "board_yellow");

/** What is in a column, by the names of its discs from below. */
function contentOf(discs: readonly string[], rows: number): string {
  if (discs.length === 0) return say("board_empty");
  const words = discs.length === rows ? "board_full" : "board_from_below";
  return say(words, count("board_discs", discs.length), discs.join(say("board_comma")));
}
