/** A board on the page: labelled buttons, of which one is in the tab order and the arrow keys reach the others. */

import type { State } from "../../engine/State";
import { say } from "../../texts/Speech";
import { button, element, set } from "../dom/Dom";
import type { AreaCount } from "../game/Ending";
import type { Human } from "../game/Session";

/**
 * Everything that a board shows. `last` is the last move that was no forced pass, `heat` the share, 0 to 1, of each action
 * that is considered.
 */
export interface View {
  readonly state: State;
  readonly human: Human;
  readonly last: number | null;
  readonly heat: ReadonlyMap<number, number> | null;
  /** The win rate of each action that a search has looked at; null if there was none. */
  readonly rates?: ReadonlyMap<number, number> | null;
  /** What each of them gains or loses against the best, in points or boxes; absent or null if chances alone are known. */
  readonly points?: ReadonlyMap<number, number> | null;
  /** The moves of a hint that nothing is known to be better than; absent if those with the largest share are. */
  readonly best?: ReadonlySet<number> | null;
  /** What a review would have played in place of the last move; null if that was good. */
  readonly better?: number | null;
  readonly canPlay: boolean;
  /** Who has drawn each line of Dots and Boxes; absent if that is not known. */
  readonly drawnBy?: ReadonlyMap<number, number>;
  /** What is shown where the board is counted; null if it is not, or all stones count. */
  readonly counted?: AreaCount | null;
}

/** Hears which action a person wants, legal or not. */
export type Play = (action: number) => void;

/** A board; a game's own one puts its buttons into `element` and what its actions are shown on into `spots`. */
export abstract class Board {
  readonly element: HTMLElement;
  /** By action. */
  protected readonly spots: HTMLElement[] = [];
  /** The position that is shown, and the actions that were seen to lead there one by one: their pieces move. */
  private state: State | null = null;
  private readonly arrived = new Set<number>();

  constructor(look: string, size?: number) {
    this.element = element("div", { class: `board ${look}`, role: "group" });
    if (size !== undefined) this.element.style.setProperty("--size", String(size));
  }

  /** What a person calls an action, within a sentence. */
  abstract nameOf(action: number): string;

  /** The sentence for a screen reader about an action of the player to move in `state`. */
  abstract describeMove(action: number, state: State): string;

  protected abstract title(view: View): string;

  protected abstract draw(view: View): void;

  show(view: View): void {
    // The whole number of the screen's pixels that comes nearest to a point.
    const pixels = Math.max(1, Math.round(devicePixelRatio));
    this.element.style.setProperty("--pixel", `${pixels / devicePixelRatio}px`);
    set(this.element, { "aria-label": this.title(view) });
    this.draw(view);
    this.follow(view);
    for (const [at, each] of this.spots.entries()) {
      each.classList.toggle("new", this.arrived.has(at));
      annotate(each, figureOf(view, at), at === view.better);
    }
    this.heat(view.heat, view.best ?? null);
  }

  /** A move that leads to another position is news; after an undo, or at the first look, the last one is none. */
  private follow({ state, last }: View): void {
    if (state === this.state) return;
    if (last !== null && this.state?.whyIllegal(last) === null) this.arrived.add(last);
    else this.arrived.clear();
    this.state = state;
  }

  /** Light up the place of an action, wherever it is named; null lights none. */
  point(action: number | null): void {
    for (const [at, each] of this.spots.entries()) each.classList.toggle("pointed", at === action);
  }

  /** Colour the actions anew, and change nothing else: a thought tells what it considers many times a second. */
  heat(heat: View["heat"], best: ReadonlySet<number> | null = null): void {
    const largest = heat ? Math.max(...heat.values()) : 0;
    for (const [at, each] of this.spots.entries()) {
      const share = heat?.get(at);
      warm(each, share, largest, share !== undefined && (best ? best.has(at) : share === largest));
    }
  }

  /**
   * A button that does something at a press. The second half of a double click does nothing: where the network has
   * answered between its halves, it would be a move that nobody has chosen.
   */
  protected button(look: string, press: () => void): HTMLButtonElement {
    return button({ class: look }, ({ detail }) => detail <= 1 && press());
  }
}

/** Say what a button stands for, and whether pressing it does something. */
export function labelButton(target: HTMLElement, isOff: boolean, ...parts: readonly (string | null)[]): void {
  set(target, { "aria-label": labelOf(...parts), "aria-disabled": String(isOff) });
}

export function pieceClass(base: string, owner: number | undefined): string {
  if (owner === 1) return `${base} first`;
  return owner === 2 ? `${base} second` : base;
}

export const labelOf = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(say("board_comma"));

/** What a hint says of an action, as its disc does; null if it says nothing. */
export function hintOf({ heat, rates, points }: View, at: number): string | null {
  const [share, rate, gained] = [heat?.get(at), rates?.get(at), points?.get(at)];
  if (share !== undefined && gained !== undefined) return say("board_against", signed(gained));
  if (share !== undefined && rate !== undefined) return say("board_rate", Math.round(100 * rate));
  const percent = Math.round(100 * (share ?? 0));
  return percent > 0 ? say("board_share", percent) : null;
}

/** What a hint's disc says where a search has looked: points against the best, else the chance in per cent. */
function figureOf({ rates, points }: View, at: number): string | null {
  const [rate, gained] = [rates?.get(at), points?.get(at)];
  if (gained !== undefined) return signed(gained);
  return rate === undefined ? null : String(Math.round(100 * rate));
}

/** "+2", "0", "−3". */
export const signed = (points: number): string => `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points)}`;

/** A row and a column, or how far to go of each. */
type Place = readonly [number, number];

const STEPS: Readonly<Record<string, Place>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Let the arrow keys walk over buttons that lie at [row, column]. */
export function letArrowsWalk(buttons: readonly HTMLElement[], placeOf: (at: number) => Place): void {
  for (const [at, own] of buttons.entries()) {
    own.tabIndex = at === 0 ? 0 : -1;
    own.addEventListener("focus", () => {
      for (const each of buttons) each.tabIndex = each === own ? 0 : -1;
    });
    own.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      nearest(buttons, placeOf, placeOf(at), step)?.focus();
    });
  }
}

/** The nearest button ahead of a place in a direction, if there is one; sideways counts double. */
function nearest(
  buttons: readonly HTMLElement[],
  placeOf: (at: number) => Place,
  [fromRow, fromColumn]: Place,
  [down, right]: Place,
): HTMLElement | undefined {
  let [found, least]: [HTMLElement | undefined, number] = [undefined, Infinity];
  for (const [at, each] of buttons.entries()) {
    const [row, column] = placeOf(at);
    const [dy, dx] = [row - fromRow, column - fromColumn];
    const ahead = dy * down + dx * right;
    const aside = Math.abs(dy * right) + Math.abs(dx * down);
    if (ahead > 0 && ahead + 2 * aside < least) [found, least] = [each, ahead + 2 * aside];
  }
  return found;
}

/**
 * Show how much an action is considered: its share of the `largest` is the size of its disc, the share itself is written.
 * What is as it was is not touched.
 */
function warm(target: HTMLElement, share: number | undefined, largest: number, isBest: boolean): void {
  const strength = share === undefined ? "0" : (share / (largest || 1)).toFixed(2);
  const text = share !== undefined && (isBest || share >= 0.01) ? String(Math.round(100 * share)) : "";
  if (target.classList.contains("warm") !== (share !== undefined)) target.classList.toggle("warm");
  if (target.classList.contains("best") !== isBest) target.classList.toggle("best");
  if (target.style.getPropertyValue("--heat") !== strength) target.style.setProperty("--heat", strength);
  if (target.dataset.share !== text) target.dataset.share = text;
}

/** Write what a search has found of an action in place of its share, and mark what a review would have played. */
function annotate(target: HTMLElement, figure: string | null, isBetter: boolean): void {
  target.classList.toggle("better", isBetter);
  if (figure === null) delete target.dataset.rate;
  else target.dataset.rate = figure;
}
