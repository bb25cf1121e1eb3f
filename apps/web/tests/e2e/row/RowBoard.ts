/** The board of the tiny game: a button for each cell. */

import { mark, type State } from "../../../src/engine/State";
import { Board, labelButton, letArrowsWalk, type Play, pieceClass, type View } from "../../../src/page/boards/Board";
import type { Presentation } from "../../../src/page/boards/Presentation";
import { element } from "../../../src/page/dom/Dom";
import { say } from "../../../src/texts/Speech";
import { ROW, type Row } from "../../engine/Row";

class RowBoard extends Board {
  constructor({ board: [, columns] }: State, play: Play) {
    super("row", columns);
    for (let at = 0; at < columns; at++) this.spots.push(this.button("cell", () => play(at)));
    for (const each of this.spots) each.append(element("span", { class: "piece" }));
    this.element.append(...this.spots);
    letArrowsWalk(this.spots, (at) => [0, at]);
  }

  nameOf(action: number): string {
    return say("move_cell", 1, action + 1);
  }

  describeMove(action: number, { toMove }: State): string {
    return say("board_move", nameOfPiece(mark(toMove)), say("board_cell", 1, action + 1));
  }

  protected title(): string {
    return ROW.title;
  }

  protected draw({ state, last, canPlay }: View): void {
    for (const [at, button] of this.spots.entries()) {
      const piece = (state as Row).cells[at];
      button.className = pieceClass("cell", piece);
      const content = piece ? nameOfPiece(piece) : say("board_empty");
      labelButton(
        button,
        !canPlay || piece !== 0,
        say("board_cell", 1, at + 1),
        content,
        at === last ? say("board_last") : null,
      );
    }
  }
}

const nameOfPiece = (piece: number): string => say(piece === 1 ? "board_red" : "board_blue");

/** What the entry of the game adds to the page's list of boards. */
export const PRESENTATION: Presentation = {
  prompt: "tap_cell",
  pieces: ["red", "blue"],
  board: (start, play) => new RowBoard(start, play),
};
