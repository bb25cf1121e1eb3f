/** What a finger hides, enlarged above it: for boards whose points are smaller than a finger. */

import { element } from "../dom/Dom";

/** A board whose points are closer than these pixels has a lens. */
const NEEDED_BELOW = 32;
const RADIUS = 72;

/** Between a finger's middle and the lens. */
const GAP = 28;

/** What two points of the board are apart in the lens. */
const PITCH = 44;
const LEAST_ZOOM = 1.5;

/** A point of the window, in pixels. */
export type Point = readonly [number, number];

/** Whether a board with places of this width has a lens. */
export const needsLens = (pitch: number): boolean => pitch < NEEDED_BELOW;

export const zoomOf = (pitch: number): number => Math.max(LEAST_ZOOM, PITCH / pitch);

/** The lens's middle: above a finger, or beside it where the window ends, within a window of this width. */
export function middleOf([x, y]: Point, width: number): Point {
  const far = RADIUS + GAP;
  const above = y - far;
  const beside = x - far >= RADIUS ? x - far : x + far;
  const within = Math.min(above >= RADIUS ? x : beside, Math.max(RADIUS, width - RADIUS));
  return [Math.max(within, RADIUS), Math.max(above, RADIUS)];
}

/** A round magnifier over a board, of which it shows a copy; it is nothing to a screen reader. */
export class Lens {
  private readonly ground: HTMLElement;
  private readonly made: HTMLElement;
  /** What is in the board, and its copies. */
  private readonly parts: readonly Element[];
  private readonly copies: readonly Element[];

  constructor(
    private readonly board: HTMLElement,
    private readonly pitch: number,
  ) {
    this.ground = element("div", { class: "lens-ground" });
    this.ground.style.width = `${board.clientWidth}px`;
    this.ground.append(...[...board.children].map((each) => each.cloneNode(true)));
    [this.parts, this.copies] = [board, this.ground].map((each) => [...each.querySelectorAll("*")]) as [
      Element[],
      Element[],
    ];
    this.made = element("div", { class: "lens", "aria-hidden": "true", inert: "" }, this.ground);
    document.body.append(this.made);
  }

  /** What stands for a part of the board. */
  copyOf(part: Element): Element | undefined {
    return this.copies[this.parts.indexOf(part)];
  }

  /** Show the surroundings of a place, for a finger at a point of the window. */
  show(place: Element, finger: Point): void {
    const [whole, { left, top, width, height }] = [this.board.getBoundingClientRect(), place.getBoundingClientRect()];
    const zoom = zoomOf(this.pitch);
    const [x, y] = [left + width / 2 - whole.left, top + height / 2 - whole.top];
    this.ground.style.transform = `translate(${RADIUS - x * zoom}px, ${RADIUS - y * zoom}px) scale(${zoom})`;
    const [middleX, middleY] = middleOf(finger, innerWidth);
    this.made.style.translate = `${middleX - RADIUS}px ${middleY - RADIUS}px`;
  }

  hide(): void {
    this.made.remove();
  }
}
