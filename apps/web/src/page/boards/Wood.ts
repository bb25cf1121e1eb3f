/** The board of Gomoku, Go and Reversi: lines, star points, coordinates. */

import table from "../../../../../games/data/star_points.json";
import { element, svg } from "../dom/Dom";

/**
 * What lies under the points of a board; the names of its columns come from the left, those of its rows from above.
 * `areCells`: the lines run between the places, not through them.
 */
export function wood(columns: readonly string[], rows: readonly string[], areCells = false): readonly Element[] {
  const size = columns.length;
  return [
    ...rules(areCells ? size + 1 : size),
    ...(areCells ? [] : [stars(size)]),
    ...columns.map((name, at) => mark("coordinate column-name", at, name)),
    ...rows.map((name, at) => mark("coordinate row-name", at, name)),
  ];
}

/** What lies at the place `at` of a row or a column; every point says its own name already. */
function mark(kind: string, at: number, name = ""): HTMLElement {
  const made = element("span", { class: kind, "aria-hidden": "true" }, name);
  made.style.setProperty("--at", String(at));
  return made;
}

/** `count` lines each way; where the first of them lies is the style sheet's (`--inner`). */
function rules(count: number): readonly HTMLElement[] {
  const places = Array.from({ length: count }, (_, at) => at);
  return ["across", "down"].flatMap((way) => places.map((at) => mark(`rule ${way}`, at)));
}

function stars(size: number): SVGElement {
  const circles = starPoints(size).map(([row = 0, column = 0]) =>
    svg("circle", { cx: column + 0.5, cy: row + 0.5, r: 0.1 }),
  );
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "lines", "aria-hidden": "true" }, ...circles);
}

/** Rows and columns of the star points of a board; none where a size has none. */
export function starPoints(size: number): readonly (readonly number[])[] {
  return (table as Readonly<Record<string, readonly (readonly number[])[]>>)[size] ?? [];
}
