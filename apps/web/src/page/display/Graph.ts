/** The win-rate graph of a game. */

import { element, svg } from "../dom/Dom";

const [WIDTH, HEIGHT, MARGIN] = [300, 90, 5];

// In moves: a short game does not fill the graph.
const widthOf = (moves: number): number => Math.max(moves, 8);

/** The move at a place of the graph, 0 to 1 from the left, of a game of `moves`; its ends if there is none. */
export function moveAt(place: number, moves: number): number {
  const move = Math.round(((place * WIDTH - MARGIN) / (WIDTH - 2 * MARGIN)) * widthOf(moves));
  return Math.max(0, Math.min(moves, move));
}

/** A move that is marked in the graph, by the number of the position that it leads to. */
export interface Mark {
  readonly move: number;
  readonly kind: "mistake" | "blunder";
}

/** What is drawn: the person's chances (0 to 1) by move, of `moves` in all, with a line at the move that is shown. */
export interface GraphDrawing {
  readonly points: readonly (readonly [number, number])[];
  readonly moves: number;
  readonly shown: number;
  readonly marks: readonly Mark[];
}

// How far right a move stands, in parts of the width.
const across = (move: number, moves: number): number =>
  (MARGIN + (move / widthOf(moves)) * (WIDTH - 2 * MARGIN)) / WIDTH;

/** Draw the curve, and lines at 0, 50 and 100 %. */
export function draw(target: Element, { points, moves, shown, marks }: GraphDrawing): void {
  const x = (move: number): string => (WIDTH * across(move, moves)).toFixed(1);
  const y = (rate: number): string => (MARGIN + (1 - rate) * (HEIGHT - 2 * MARGIN)).toFixed(1);
  const path = points.map(([move, rate], at) => `${at ? "L" : "M"}${x(move)} ${y(rate)}`).join("");
  // A line without a length has a round end, whatever the graph is stretched to.
  const dots = points.map(([move, rate]) => `M${x(move)} ${y(rate)}h0`).join("");
  const known = new Map(points);
  const level = (rate: number, name: string): SVGElement =>
    svg("line", { x1: 0, x2: WIDTH, y1: y(rate), y2: y(rate), class: name });
  target.replaceChildren(
    level(1, "bound"),
    level(0, "bound"),
    level(0.5, "even"),
    svg("line", { x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT, class: "now" }),
    svg("path", { d: path, class: "curve" }),
    svg("path", { d: dots, class: "dot" }),
    ...marks.flatMap(({ move, kind }) => {
      const rate = known.get(move);
      return rate === undefined ? [] : [svg("path", { d: `M${x(move)} ${y(rate)}h0`, class: kind })];
    }),
  );
}

/** Write the numbers of moves below the graph: the first position, the end, and some steps between them. */
export function drawScale(target: Element, moves: number): void {
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((each) => widthOf(moves) / each <= 6) ?? 500;
  const places = Array.from({ length: Math.floor(widthOf(moves) / step) + 1 }, (_, at) => at * step);
  target.replaceChildren(
    ...places.map((move) => {
      const label = element("span", {}, String(move));
      label.style.left = `${(100 * across(move, moves)).toFixed(1)}%`;
      return label;
    }),
  );
}

/** Tell the place that is pointed at, 0 to 1 from the left, when the pointer goes down and while it is down. */
export function connectGraph(graph: HTMLElement, point: (place: number) => void): void {
  const tell = ({ clientX }: PointerEvent): void => {
    const { left, width } = graph.getBoundingClientRect();
    point((clientX - left) / width);
  };
  graph.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    graph.setPointerCapture(event.pointerId);
    tell(event);
  });
  graph.addEventListener("pointermove", (event) => {
    if (graph.hasPointerCapture(event.pointerId)) tell(event);
  });
}
