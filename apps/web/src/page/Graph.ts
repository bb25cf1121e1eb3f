/** The win-rate graph of a game. */

import { svg } from "./Dom";

const [WIDTH, HEIGHT] = [300, 90];

/** Draw the person's chances (0 to 1) by move, of `moves` in all, with a line at the move that is shown. */
export function draw(target: Element, points: readonly (readonly [number, number])[], moves: number, shown: number): void {
  const width = Math.max(moves, 8);
  const x = (move: number): number => (move / width) * WIDTH;
  const y = (rate: number): number => 4 + (1 - rate) * (HEIGHT - 8);
  const path = points.map(([move, rate], at) => `${at ? "L" : "M"}${x(move).toFixed(1)} ${y(rate).toFixed(1)}`).join("");
  const dots = points.map(([move, rate]) => svg("circle", { cx: x(move).toFixed(1), cy: y(rate).toFixed(1), r: 2.5, class: "dot" }));
  target.replaceChildren(
    svg("line", { x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5), class: "even" }),
    svg("line", { x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT, class: "now" }),
    svg("path", { d: path || "M0 0", class: "curve" }),
    ...dots,
  );
  const last = points[points.length - 1];
  target.setAttribute("aria-label", last ? `Your chances by move, now ${percent(last[1])}` : "Your chances by move, none known yet");
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
