/** Connect4: seven buttons, one a column; discs fall. */

import { COLUMNS, type Connect4, ROWS } from "../../engine/games/Connect4";
import { mark, type State } from "../../engine/State";
import { count, say } from "../../texts/Speech";
import { element } from "../Dom";
import { Board, hintOf, labelButton, letArrowsWalk, type Play, pieceClass, type View } from "./Board";

export class Connect4Board extends Board {
  private readonly columns: HTMLElement[] = [];
  private view: View | null = null;

  constructor(private readonly play: Play) {
    super("connect4");
    for (let column = 0; column < COLUMNS; column++) this.element.append(this.makeColumn(column));
    letArrowsWalk(this.columns, (at) => [0, at]);
  }

  private makeColumn(column: number): HTMLElement {
    const button = this.button("column", () => this.choose(column));
    for (let row = 0; row < ROWS; row++) {
      const cell = element("span", { class: "hole" });
      cell.style.setProperty("--drop", String(row + 1));
      this.spots[row * COLUMNS + column] = cell;
      button.append(cell);
    }
    this.columns.push(button);
    return button;
  }

  /** The lowest empty cell of the column; the top one, with a reason why not, where it is full. */
  private choose(column: number): void {
    const legal = this.view?.state.legalActions() ?? [];
    this.play(legal.find((action) => action % COLUMNS === column) ?? column);
  }

  protected title(): string {
    return say("board_connect4", COLUMNS);
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
    return say("move_column", (action % COLUMNS) + 1);
  }

  describeMove(action: number, { toMove }: State): string {
    return say("board_move", nameOf(mark(toMove)), say("board_column", (action % COLUMNS) + 1));
  }

  private label(button: HTMLElement, column: number, view: View, state: Connect4): void {
    const discs = [];
    for (let row = ROWS - 1; row >= 0 && state.cells[row * COLUMNS + column]; row--) {
      discs.push(nameOf(state.cells[row * COLUMNS + column]));
    }
    const open = (ROWS - 1 - discs.length) * COLUMNS + column;
    const hint = view.canPlay ? hintOf(view.heat?.get(open)) : null;
    const isOff = !view.canPlay || discs.length === ROWS;
    labelButton(button, isOff, say("board_column", column + 1), contentOf(discs), hint);
  }
}

const nameOf = (piece: number | undefined): string => say(piece === 1 ? "board_red" : "board_yellow");

/** What is in a column, by the names of its discs from below. */
function contentOf(discs: readonly string[]): string {
  if (discs.length === 0) return say("board_empty");
  const words = discs.length === ROWS ? "board_full" : "board_from_below";
  return say(words, count("board_discs", discs.length), discs.join(say("board_comma")));
}
