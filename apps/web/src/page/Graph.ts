/** The win-rate graph of a game. */

import { svg } from "./Dom";

const [WIDTH, HEIGHT, MARGIN] = [300, 90, 5];

// In moves: a short game does not fill the graph.
const widthOf = (moves: number): number => Math.max(moves, 8);

/** The move at a place of the graph, 0 to 1 from the left, of a game of `moves`; its ends where there is none. */
export function moveAt(place: number, moves: number): number {
  const move = Math.round(((place * WIDTH - MARGIN) / (WIDTH - 2 * MARGIN)) * widthOf(moves));
  return Math.max(0, Math.min(moves, move));
}

/** Draw the person's chances (0 to 1) by move, of `moves` in all, with a line at the move that is shown. */
export function draw(
  target: Element,
  points: readonly (readonly [number, number])[],
  moves: number,
  shown: number,
): void {
  const width = widthOf(moves);
  const x = (move: number): string => (MARGIN + (move / width) * (WIDTH - 2 * MARGIN)).toFixed(1);
  const y = (rate: number): string => (MARGIN + (1 - rate) * (HEIGHT - 2 * MARGIN)).toFixed(1);
  const path = points.map(([move, rate], at) => `${at ? "L" : "M"}${x(move)} ${y(rate)}`).join("");
  // A line without a length has a round end, whatever the graph is stretched to.
  const dots = points.map(([move, rate]) => `M${x(move)} ${y(rate)}h0`).join("");
  target.replaceChildren(
    svg("line", { x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5), class: "even" }),
    svg("line", { x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT, class: "now" }),
    svg("path", { d: path, class: "curve" }),
    svg("path", { d: dots, class: "dot" }),
  );
}
