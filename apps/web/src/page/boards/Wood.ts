/** The board of Gomoku, Go and Reversi: lines, star points, coordinates. */

import table from "../../../../../games/data/star_points.json";
import { element, svg } from "../Dom";

/**
 * What lies under the points of a board; the names of its columns come from the left, those of its rows from above.
 * `areCells`: the lines run between the places, not through them.
 */
export function wood(columns: readonly string[], rows: readonly string[], areCells = false): readonly Element[] {
  return [
    areCells ? borders(columns.length) : lines(columns.length),
    ...columns.map((name, at) => coordinate("column-name", name, at)),
    ...rows.map((name, at) => coordinate("row-name", name, at)),
  ];
}

/** A name beside the line `at`; every point says its own name already. */
function coordinate(kind: string, name: string, at: number): HTMLElement {
  const made = element("span", { class: `coordinate ${kind}`, "aria-hidden": "true" }, name);
  made.style.setProperty("--at", String(at));
  return made;
}

function lines(size: number): SVGElement {
  const found: SVGElement[] = [];
  for (let at = 0; at < size; at++) {
    const middle = at + 0.5;
    found.push(svg("line", { x1: 0.5, x2: size - 0.5, y1: middle, y2: middle }));
    found.push(svg("line", { y1: 0.5, y2: size - 0.5, x1: middle, x2: middle }));
  }
  for (const [row = 0, column = 0] of starPoints(size)) {
    found.push(svg("circle", { cx: column + 0.5, cy: row + 0.5, r: 0.1 }));
  }
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "lines", "aria-hidden": "true" }, ...found);
}

function borders(size: number): SVGElement {
  const found: SVGElement[] = [];
  for (let at = 0; at <= size; at++) {
    found.push(svg("line", { x1: 0, x2: size, y1: at, y2: at }), svg("line", { y1: 0, y2: size, x1: at, x2: at }));
  }
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "lines", "aria-hidden": "true" }, ...found);
}

/** Rows and columns of the star points of a board; none where a size has none. */
export function starPoints(size: number): readonly (readonly number[])[] {
  return (table as Readonly<Record<string, readonly (readonly number[])[]>>)[size] ?? [];
}
