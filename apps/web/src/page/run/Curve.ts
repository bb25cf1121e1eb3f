/** The curve of a run over its generations: where its lines, its band and its dots lie in a drawing. */

import type { Point } from "./RunState";

export const [WIDTH, HEIGHT] = [360, 150];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 10, 10, 132];
// The most lines across.
const LINES = 5;
const MOST_DOTS = 60;

export interface CurveDrawing {
  readonly path: string;
  /** The intervals as one shape; empty if there are not two of them. */
  readonly band: string;
  readonly dots: readonly { readonly x: number; readonly y: number; readonly isBest: boolean }[];
  readonly levels: readonly { readonly y: number; readonly value: number }[];
  /** Generations that are named below, and where. */
  readonly steps: readonly { readonly x: number; readonly generation: number }[];
}

/** The drawing of at least one point; the figure's own 0 is in it where it is `fromZero`. */
export function curveOf(points: readonly Point[], fromZero: boolean): CurveDrawing {
  const ends = points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const [low, high, step] = scaleOf(Math.min(...ends), Math.max(...ends), fromZero);
  const [first, last] = [points[0]?.generation ?? 1, points.at(-1)?.generation ?? 1];
  const span = WIDTH - LEFT - RIGHT;
  const x = (generation: number): number =>
    round(LEFT + span * (last > first ? (generation - first) / (last - first) : 0.5));
  const y = (value: number): number => round(BOTTOM - (BOTTOM - TOP) * ((value - low) / (high - low)));
  const place = ({ generation, value }: Point): string => `${x(generation)} ${y(value)}`;
  const known = points.flatMap((each) =>
    each.low === null || each.high === null ? [] : [{ ...each, low: each.low, high: each.high }],
  );
  const there = known.map(({ generation, high: top }) => `${x(generation)} ${y(top)}`);
  const back = known.map(({ generation, low: bottom }) => `${x(generation)} ${y(bottom)}`).reverse();
  const middle = points[Math.floor((points.length - 1) / 2)]?.generation ?? first;
  return {
    path: points.length ? `M${points.map(place).join("L")}` : "",
    band: known.length > 1 ? `M${[...there, ...back].join("L")}Z` : "",
    dots: points
      .filter(({ best }) => best || points.length <= MOST_DOTS)
      .map(({ generation, value, best }) => ({ x: x(generation), y: y(value), isBest: best })),
    levels: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => {
      const value = Number((low + at * step).toPrecision(12));
      return { y: y(value), value };
    }),
    steps: [...new Set([first, middle, last])].map((generation) => ({ x: x(generation), generation })),
  };
}

const round = (value: number): number => Math.round(10 * value) / 10;

/** The ends of an axis and its step: 1, 2 or 5 times a power of ten. */
function scaleOf(least: number, most: number, fromZero: boolean): readonly [number, number, number] {
  const [low, high] = fromZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
  const smallest = (high - low || Math.abs(high) || 1) / (LINES - 1);
  const power = 10 ** Math.floor(Math.log10(smallest));
  const step = [1, 2, 5].map((times) => times * power).find((each) => each >= smallest * (1 - 1e-9)) ?? 10 * power;
  const bottom = Math.floor(low / step) * step;
  return [bottom, Math.max(Math.ceil(high / step) * step, bottom + step), step];
}
