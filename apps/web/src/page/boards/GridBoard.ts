/** Tic-tac-toe, Gomoku, Go and Reversi: a button for each cell or point. */

import { Go } from "../../engine/games/Go";
import { Gomoku } from "../../engine/games/Gomoku";
import { Reversi } from "../../engine/games/Reversi";
import { TicTacToe } from "../../engine/games/TicTacToe";
import { mark, type State } from "../../engine/State";
import { say } from "../../texts/Speech";
import { element } from "../dom/Dom";
import { Board, hintOf, labelButton, letArrowsWalk, type Play, pieceClass, type View } from "./Board";
import { wood } from "./Wood";

type Square = TicTacToe | Gomoku | Go | Reversi;

export class GridBoard extends Board {
  constructor(
    private readonly start: State,
    play: Play,
  ) {
    const [rows, columns] = start.board;
    super(lookOf(start), columns);
    if (!(start instanceof TicTacToe)) this.element.append(...woodOf(start));
    for (let at = 0; at < rows * columns; at++) {
      const button = this.button("cell", () => play(at));
      button.append(element("span", { class: "piece" }));
      this.spots.push(button);
    }
    this.element.append(...this.spots);
    letArrowsWalk(this.spots, (at) => [Math.floor(at / columns), at % columns]);
  }

  nameOf(action: number): string {
    if (this.start instanceof Go && action === this.start.pass) return say("move_pass");
    if (!(this.start instanceof TicTacToe)) return this.start.label(action);
    return say("move_cell", Math.floor(action / 3) + 1, (action % 3) + 1);
  }

  /** The same at the beginning of a label. */
  private labelFor(at: number): string {
    if (!(this.start instanceof TicTacToe)) return this.start.label(at);
    return say("board_cell", Math.floor(at / 3) + 1, (at % 3) + 1);
  }

  describeMove(action: number, { toMove }: State): string {
    const name = this.pieceName(mark(toMove));
    if ((this.start instanceof Go || this.start instanceof Reversi) && action === this.start.pass)
      return say("board_passes", name);
    return say("board_move", name, this.labelFor(action));
  }

  private pieceName(piece: number | undefined): string {
    if (this.start instanceof TicTacToe) return say(piece === 1 ? "board_x" : "board_o");
    return say(piece === 1 ? "board_black" : "board_white");
  }

  protected title(): string {
    const [rows] = this.start.board;
    if (this.start instanceof TicTacToe) return say("board_tictactoe");
    if (this.start instanceof Reversi) return say("board_reversi", rows);
    return say(this.start instanceof Go ? "board_go" : "board_gomoku", rows);
  }

  protected draw(view: View): void {
    const state = view.state as Square;
    const line = new Set(state instanceof Go || state instanceof Reversi ? [] : state.winningLine());
    // A person who may move sees where a disc may go.
    const open = state instanceof Reversi ? new Set(view.canPlay ? state.moves : []) : null;
    const forbidden = state instanceof Gomoku ? state.forbiddenPoints() : null;
    const counted = view.counted ?? null;
    const areas = counted?.areas ?? (state instanceof Go && state.isTerminal ? state.areas() : [[], []]);
    const [black, white] = areas.map((points) => new Set(points));
    const captured = new Set(state instanceof Go ? state.lastCaptured : []);
    for (const [at, button] of this.spots.entries()) {
      const reason = forbidden?.get(at);
      const owner = state.cells[at];
      const isDead = counted?.dead.has(at) ?? false;
      const looks: readonly (readonly [string, boolean])[] = [
        ["last", at === view.last],
        ["winning", line.has(at)],
        ["forbidden", reason !== undefined],
        ["captured", captured.has(at) && owner === 0],
        ["dead", isDead],
        ["open", Boolean(open?.has(at))],
        ["area-first", Boolean(black?.has(at))],
        ["area-second", Boolean(white?.has(at))],
      ];
      button.className = pieceClass("cell", owner);
      for (const [look, isSo] of looks) button.classList.toggle(look, isSo);
      const content = owner
        ? this.pieceName(owner)
        : reason
          ? say("board_forbidden", say(`board_${reason}`))
          : say("board_empty");
      const dead = isDead ? say("board_dead") : null;
      const last = at === view.last ? say("board_last") : null;
      const hint = view.canPlay ? hintOf(view, at) : null;
      const isOff = counted?.isOpen
        ? owner === 0
        : !view.canPlay || owner !== 0 || reason !== undefined || open?.has(at) === false;
      labelButton(button, isOff, this.labelFor(at), content, dead, last, hint);
    }
  }
}

function lookOf(start: State): string {
  if (start instanceof TicTacToe) return "tictactoe";
  if (start instanceof Reversi) return "points felt";
  return start.board[1] > 13 ? "points many" : "points";
}

/** The wood of a board, which names its points by letter and number: H8. */
function woodOf(start: State): readonly Element[] {
  const [rows, columns] = start.board;
  const nameOf = (action: number): string => start.label(action);
  return wood(
    Array.from({ length: columns }, (_, at) => nameOf(at).replace(/\d+$/, "")),
    Array.from({ length: rows }, (_, at) => nameOf(at * columns).replace(/^\D+/, "")),
    start instanceof Reversi,
  );
}
