/** A small picture of a position, by what is on its board alone; the board itself says what it is. */

import { Connect4 } from "../../../engine/games/Connect4";
import { DotsAndBoxes } from "../../../engine/games/DotsAndBoxes";
import { Go } from "../../../engine/games/Go";
import { Gomoku } from "../../../engine/games/Gomoku";
import { Hex } from "../../../engine/games/Hex";
import { Reversi } from "../../../engine/games/Reversi";
import type { State } from "../../../engine/State";
import { extentOf, middleOf } from "../../boards/HexBoard";
import type { Presentation } from "../../boards/Presentation";
import { svg } from "../../dom/Dom";
import { moversIn } from "../../game/Session";

type Pieces = Presentation["pieces"];

/** What a grid of cells shows: 0 nothing, 1 and 2 a piece. */
interface Grid extends State {
  readonly cells: ArrayLike<number>;
}

export function pictureOf(states: readonly [State, ...State[]], pieces: Pieces): SVGElement {
  const state = states.at(-1) ?? states[0];
  if (state instanceof Hex) return rhombusOf(state, pieces);
  const [rows, columns] = state instanceof DotsAndBoxes ? [state.size, state.size] : state.board;
  const frame = svg("rect", { width: columns + 1, height: rows + 1, x: -0.5, y: -0.5, rx: 0.3, class: "ground" });
  const drawn =
    state instanceof DotsAndBoxes ? boxesOf(state, moversIn(states)) : gridOf(state as Grid, rows, columns, pieces);
  return svg(
    "svg",
    { viewBox: `-0.5 -0.5 ${columns + 1} ${rows + 1}`, class: `picture ${lookOf(state)}`, "aria-hidden": "true" },
    frame,
    ...drawn,
  );
}

function lookOf(state: State): string {
  if (state instanceof Connect4) return "frame";
  if (state instanceof Reversi) return "wood felt";
  return state instanceof Go || state instanceof Gomoku ? "wood" : "plain";
}

/** Each row half a cell further to the right than the one above it. */
function rhombusOf({ cells, size }: Hex, pieces: Pieces): SVGElement {
  const [width, height] = extentOf(size);
  const middles = (piece: number): string =>
    Array.from({ length: size * size }, (_, at) => at)
      .filter((at) => cells[at] === piece)
      .map((at) => circle(...middleOf(at, size), piece === 0 ? 0.12 : 0.42))
      .join("");
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "picture plain", "aria-hidden": "true" },
    svg("rect", { width, height, rx: 0.3, class: "ground" }),
    svg("path", { d: middles(0), class: "dots" }),
    ...pieces.map((name, player) => svg("path", { d: middles(player + 1), class: `piece ${name}` })),
  );
}

function gridOf({ cells }: Grid, rows: number, columns: number, pieces: Pieces): readonly SVGElement[] {
  const middles = (piece: number): readonly (readonly [number, number])[] =>
    Array.from({ length: rows * columns }, (_, at) => at)
      .filter((at) => cells[at] === piece)
      .map((at) => [(at % columns) + 0.5, Math.floor(at / columns) + 0.5]);
  const discs = (piece: number, radius: number): string =>
    middles(piece)
      .map(([x, y]) => circle(x, y, radius))
      .join("");
  const crosses = (piece: number): string =>
    middles(piece)
      .map(([x, y]) => `M${x - 0.28} ${y - 0.28}l0.56 0.56m0 -0.56l-0.56 0.56`)
      .join("");
  const shape = (name: Pieces[number], piece: number): string =>
    name === "cross" ? crosses(piece) : discs(piece, name === "nought" ? 0.28 : 0.42);
  return [
    svg("path", { d: linesOf(rows, columns), class: "lines" }),
    svg("path", { d: discs(0, 0.38), class: "hole" }),
    ...pieces.map((name, player) => svg("path", { d: shape(name, player + 1), class: `piece ${name}` })),
  ];
}

const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

/** Lines through the middles of cells; the style sheet shows them on wood alone. */
function linesOf(rows: number, columns: number): string {
  const across = Array.from({ length: rows }, (_, at) => `M0.5 ${at + 0.5}H${columns - 0.5}`);
  const down = Array.from({ length: columns }, (_, at) => `M${at + 0.5} 0.5V${rows - 0.5}`);
  return [...across, ...down].join("");
}

function boxesOf({ size, edges, owners }: DotsAndBoxes, movers: ReadonlyMap<number, number>): readonly SVGElement[] {
  const boxes = [1, 2].map((owner) =>
    [...owners.keys()]
      .filter((at) => owners[at] === owner)
      .map((at) => `M${at % size} ${Math.floor(at / size)}h1v1h-1z`)
      .join(""),
  );
  const across = size * (size + 1);
  const lineOf = (edge: number): string =>
    edge < across
      ? `M${edge % size} ${Math.floor(edge / size)}h1`
      : `M${(edge - across) % (size + 1)} ${Math.floor((edge - across) / (size + 1))}v1`;
  const linesBy = (player: number | undefined): string =>
    [...edges.keys()]
      .filter((edge) => edges[edge] === 1 && movers.get(edge) === player)
      .map(lineOf)
      .join("");
  const dots = Array.from({ length: (size + 1) ** 2 }, (_, at) =>
    circle(at % (size + 1), Math.floor(at / (size + 1)), 0.09),
  );
  return [
    svg("path", { d: boxes[0] ?? "", class: "piece blue" }),
    svg("path", { d: boxes[1] ?? "", class: "piece orange" }),
    svg("path", { d: linesBy(0), class: "edges blue" }),
    svg("path", { d: linesBy(1), class: "edges orange" }),
    svg("path", { d: dots.join(""), class: "dots" }),
  ];
}
