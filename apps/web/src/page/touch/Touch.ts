/**
 * A finger on the board: while it is down it shows where its move would go, where it is lifted that is played, and off
 * the board nothing is. Loaded at the first touch of the page; until then a tap is what the browser makes of it.
 */

import { Lens, needsLens, type Point } from "./Lens";
import "./touch.css";

/** A tap so soon after another one, and so near, is the second half of a double tap. */
const DOUBLE_MILLISECONDS = 500;
const DOUBLE_PIXELS = 32;

/** Let fingers aim on what `place` has: a board, which another one takes the place of at a new game. */
export function connectTouch(place: HTMLElement): void {
  const finger = new Finger(place);
  place.addEventListener("pointerdown", (event) => finger.press(event));
  document.addEventListener("pointermove", (event) => finger.move(event));
  document.addEventListener("pointerup", (event) => finger.lift(event));
  document.addEventListener("pointercancel", (event) => finger.leave(event));
  // A finger's move is not also a click.
  place.addEventListener("touchend", (event) => {
    if (finger.takeLifted() && event.cancelable) event.preventDefault();
  });
}

class Finger {
  /** The finger that aims; null if none does. */
  private pointer: number | null = null;
  private aimed: HTMLButtonElement | null = null;
  private lens: Lens | null = null;
  /** What shows where a move would go, on the board and in the lens. */
  private ghosts: readonly HTMLElement[] = [];
  private isLifted = false;
  private last: { readonly time: number; readonly at: Point } | null = null;

  constructor(private readonly place: HTMLElement) {}

  press(event: PointerEvent): void {
    if (event.pointerType !== "touch") return;
    this.isLifted = false;
    // Two fingers enlarge the page.
    if (this.pointer !== null) {
      this.end();
      return;
    }
    const first = this.place.querySelector("button");
    if (!first || !this.place.querySelector('button[aria-disabled="false"]')) return;
    this.pointer = event.pointerId;
    const { width } = first.getBoundingClientRect();
    if (needsLens(width)) this.lens = new Lens(this.place, width);
    this.aim(event);
  }

  move(event: PointerEvent): void {
    if (event.pointerId === this.pointer) this.aim(event);
  }

  lift(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    const { aimed } = this;
    this.end();
    this.isLifted = true;
    if (aimed) this.choose(aimed, event);
  }

  leave(event: PointerEvent): void {
    if (event.pointerId === this.pointer) this.end();
  }

  /** Whether a finger that has aimed was lifted since this was asked last. */
  takeLifted(): boolean {
    const { isLifted } = this;
    this.isLifted = false;
    return isLifted;
  }

  private aim({ clientX, clientY }: PointerEvent): void {
    const under = document.elementFromPoint(clientX, clientY)?.closest("button") ?? null;
    const aimed = under && this.place.contains(under) ? under : null;
    if (aimed !== this.aimed) {
      this.haunt(aimed);
      this.aimed = aimed;
    }
    if (aimed) this.lens?.show(aimed, [clientX, clientY]);
  }

  /** Show where a move would go, and nowhere else. */
  private haunt(aimed: HTMLElement | null): void {
    for (const each of this.ghosts) delete each.dataset.ghost;
    this.ghosts = [];
    this.cross(aimed);
    if (aimed?.getAttribute("aria-disabled") !== "false") return;
    const spot = spotOf(aimed);
    const copy = this.lens?.copyOf(spot);
    this.ghosts = [spot, ...(copy instanceof HTMLElement ? [copy] : [])];
    for (const each of this.ghosts) each.dataset.ghost = pieceToMove();
  }

  /** Two lines that meet where a finger is, which hides the place itself. */
  private cross(aimed: HTMLElement | null): void {
    const board = this.place.firstElementChild as HTMLElement | null;
    board?.classList.toggle("crossed", aimed !== null);
    if (!board || !aimed) return;
    board.style.setProperty("--aim-x", `${aimed.offsetLeft + aimed.offsetWidth / 2}px`);
    board.style.setProperty("--aim-y", `${aimed.offsetTop + aimed.offsetHeight / 2}px`);
  }

  private end(): void {
    this.haunt(null);
    this.lens?.hide();
    [this.pointer, this.aimed, this.lens] = [null, null, null];
  }

  /** Press a button as a click does, of which a double click has two. */
  private choose(button: HTMLElement, { clientX, clientY, timeStamp }: PointerEvent): void {
    const { last } = this;
    const isAgain =
      last !== null &&
      timeStamp - last.time < DOUBLE_MILLISECONDS &&
      Math.hypot(clientX - last.at[0], clientY - last.at[1]) < DOUBLE_PIXELS;
    this.last = { time: timeStamp, at: [clientX, clientY] };
    const how = { bubbles: true, cancelable: true, clientX, clientY, detail: isAgain ? 2 : 1 };
    button.dispatchEvent(new MouseEvent("click", how));
  }
}

/** What a move at a button comes to lie on: in a column the lowest hole that is open. */
function spotOf(button: HTMLElement): HTMLElement {
  return [...button.querySelectorAll<HTMLElement>(".hole:not(.first, .second)")].at(-1) ?? button;
}

/** What the player to move plays with, as the bars beside the board show it. */
const pieceToMove = (): string =>
  document.querySelector<HTMLElement>("#players [aria-current] .stone")?.dataset.piece ?? "";
