/** Tic-tac-toe, Gomoku and Go: a button for each cell or point. */

import { Go } from "../../engine/games/Go";
import { Gomoku } from "../../engine/games/Gomoku";
import { TicTacToe } from "../../engine/games/TicTacToe";
import { mark, type State } from "../../engine/State";
import { say } from "../../texts/Speech";
import { element } from "../Dom";
import {
  annotate,
  type Board,
  hintOf,
  labelOf,
  largestOf,
  onPress,
  type Play,
  pieceClass,
  type View,
  walkable,
  warm,
} from "./Board";
import { wood } from "./Wood";

type Square = TicTacToe | Gomoku | Go;

export class GridBoard implements Board {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[] = [];

  constructor(
    private readonly start: State,
    play: Play,
  ) {
    const [rows, columns] = start.board;
    const look = start instanceof TicTacToe ? "tictactoe" : columns > 13 ? "points many" : "points";
    this.element = element("div", {
      class: `board ${look}`,
      role: "group",
    });
    this.element.style.setProperty("--size", String(columns));
    if (!(start instanceof TicTacToe)) this.element.append(...woodOf(start as Gomoku | Go));
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
    return say("move_cell", Math.floor(action / 3) + 1, (action % 3) + 1);
  }

  /** The same at the beginning of a label. */
  private labelled(at: number): string {
    if (!(this.start instanceof TicTacToe)) return this.start.label(at);
    return say("board_cell", Math.floor(at / 3) + 1, (at % 3) + 1);
  }

  describeMove(action: number, { toMove }: State): string {
    const name = this.pieceName(mark(toMove));
    if (this.start instanceof Go && action === this.start.pass) return say("board_passes", name);
    return say("board_move", name, this.labelled(action));
  }

  private pieceName(piece: number | undefined): string {
    if (this.start instanceof TicTacToe) return say(piece === 1 ? "board_x" : "board_o");
    return say(piece === 1 ? "board_black" : "board_white");
  }

  private title(): string {
    const [rows] = this.start.board;
    if (this.start instanceof TicTacToe) return say("board_tictactoe");
    return say(this.start instanceof Go ? "board_go" : "board_gomoku", rows);
  }

  show(view: View): void {
    const state = view.state as Square;
    this.element.setAttribute("aria-label", this.title());
    const line = new Set(state instanceof Go ? [] : state.winningLine());
    const forbidden = state instanceof Gomoku ? state.forbidden() : null;
    const counted = view.counted ?? null;
    const areas = counted?.areas ?? (state instanceof Go && state.isTerminal ? state.areas() : [[], []]);
    const [black, white] = areas.map((points) => new Set(points));
    const captured = new Set(state instanceof Go ? state.lastCaptured : []);
    this.buttons.forEach((button, at) => {
      const reason = forbidden?.get(at);
      const owner = state.cells[at];
      button.className = pieceClass("cell", owner);
      button.classList.toggle("last", at === view.last);
      button.classList.toggle("winning", line.has(at));
      button.classList.toggle("forbidden", reason !== undefined);
      button.classList.toggle("captured", captured.has(at) && owner === 0);
      const isDead = counted?.dead.has(at) ?? false;
      button.classList.toggle("dead", isDead);
      button.classList.toggle("area-first", Boolean(black?.has(at)));
      button.classList.toggle("area-second", Boolean(white?.has(at)));
      const content = owner
        ? this.pieceName(owner)
        : reason
          ? say("board_forbidden", say(`board_${reason}`))
          : say("board_empty");
      const dead = isDead ? say("board_dead") : null;
      const last = at === view.last ? say("board_last") : null;
      const hint = view.canPlay ? hintOf(view.heat?.get(at)) : null;
      button.setAttribute("aria-label", labelOf(this.labelled(at), content, dead, last, hint));
      const isOff = counted?.isOpen ? owner === 0 : !view.canPlay || owner !== 0 || reason !== undefined;
      button.setAttribute("aria-disabled", String(isOff));
    });
    for (const [at, each] of this.buttons.entries()) annotate(each, view.rates?.get(at), at === view.better);
    this.heat(view.heat);
  }

  heat(heat: View["heat"]): void {
    const largest = largestOf(heat);
    for (const [at, each] of this.buttons.entries()) warm(each, heat?.get(at), largest);
  }
}

/** The wood of a board, which names its points by letter and number: H8. */
function woodOf(start: Gomoku | Go): readonly Element[] {
  const [rows, columns] = start.board;
  const nameOf = (action: number): string => start.label(action);
  return wood(
    Array.from({ length: columns }, (_, at) => nameOf(at).replace(/\d+$/, "")),
    Array.from({ length: rows }, (_, at) => nameOf(at * columns).replace(/^\D+/, "")),
  );
}
