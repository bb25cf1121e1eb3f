/** A board on the page: labelled buttons, of which one is in the tab order and the arrow keys reach the others. */

import type { Player, State } from "../../engine/State";

/** Everything that a board shows. `last` is the last move that was no forced pass, `heat` has a share, 0 to 1, for each action that is considered. */
export interface View {
  readonly state: State;
  readonly human: Player;
  readonly last: number | null;
  readonly heat: ReadonlyMap<number, number> | null;
  readonly canPlay: boolean;
}

export interface Board {
  readonly element: HTMLElement;
  show(view: View): void;
  /** What a person calls an action, within a sentence. */
  nameOf(action: number): string;
}

/** Hears which action a person wants, legal or not. */
export type Play = (action: number) => void;

/** What a piece of `owner` (1 player 0, 2 player 1, 0 none) is called. */
export function ownerName(owner: number, human: Player): string {
  if (owner === 0) return "empty";
  return owner - 1 === human ? "you" : "AI";
}

/** A name at the beginning of a label. */
export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Let the arrow keys walk over buttons that lie at [row, column]. */
export function walkable(
  buttons: readonly HTMLButtonElement[],
  placeOf: (at: number) => readonly [number, number],
): void {
  const places = buttons.map((_, at) => placeOf(at));
  buttons.forEach((button, at) => {
    button.tabIndex = at === 0 ? 0 : -1;
    button.addEventListener("focus", () => {
      for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
    });
    button.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      buttons[nearest(places, at, step)].focus();
    });
  });
}

/** The nearest place ahead in a direction; sideways counts double. */
function nearest(
  places: readonly (readonly [number, number])[],
  from: number,
  [down, right]: readonly [number, number],
): number {
  let [found, least] = [from, Infinity];
  places.forEach(([row, column], at) => {
    const [dy, dx] = [row - places[from][0], column - places[from][1]];
    const ahead = dy * down + dx * right;
    const aside = Math.abs(dy * right) + Math.abs(dx * down);
    if (ahead > 0 && ahead + 2 * aside < least) [found, least] = [at, ahead + 2 * aside];
  });
  return found;
}

/** Show how much an action is considered: `share` of the largest colours it, the share itself is written. */
export function warm(target: HTMLElement, share: number | undefined, largest: number): void {
  target.classList.toggle("warm", share !== undefined);
  target.style.setProperty("--heat", share === undefined ? "0" : (share / (largest || 1)).toFixed(3));
  target.dataset.share = share !== undefined && share >= 0.01 ? String(Math.round(100 * share)) : "";
}

/** The largest of the shares. */
export function largestOf(heat: View["heat"]): number {
  return heat ? Math.max(...heat.values()) : 0;
}
