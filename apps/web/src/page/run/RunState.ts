/** The state of a training run, as `azx serve --watch RUN` answers at azx/run.json: how far it is, and its last game. */

import { isCount, membersOf } from "../../engine/Data";

/** A generation in the curve: its figure, the ends of its interval, and whether it was the best in its time. */
export interface Point {
  readonly generation: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly best: boolean;
}

/** What the command is doing: playing (`games` of `of` are done), learning, judging or starting. */
export interface Now {
  readonly event: string;
  readonly generation: number;
  readonly games: number;
  readonly of: number;
}

/** What the curve counts: Elo, lines of play that are lost, or solved positions that are given away. */
export type Judge = "elo" | "lines" | "solved";

export interface RunState {
  readonly name: string;
  readonly command: string;
  readonly judge: Judge;
  readonly generations: number;
  readonly now: Now | null;
  readonly curve: readonly Point[];
  readonly speed: number | null;
  readonly game: { readonly record: string; readonly plies: number } | null;
}

/** The state in a server's answer; null if this page does not understand it. */
export function readRun(data: unknown): RunState | null {
  const { name, command, judge, generations, now, curve, games_a_second: speed, game } = membersOf(data);
  if (typeof name !== "string" || typeof command !== "string" || !isCount(generations)) return null;
  if (!isJudge(judge) || !Array.isArray(curve)) return null;
  const points = curve.map(pointOf);
  if (!points.every((each) => each !== null)) return null;
  return {
    name,
    command,
    judge,
    generations,
    now: nowOf(now),
    curve: points,
    speed: isNumber(speed) ? speed : null,
    game: gameOf(game),
  };
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isJudge = (value: unknown): value is Judge => ["elo", "lines", "solved"].includes(String(value));

function pointOf(data: unknown): Point | null {
  const { generation, value, low, high, best } = membersOf(data);
  if (!isCount(generation) || !isNumber(value)) return null;
  const ends = isNumber(low) && isNumber(high);
  return { generation, value, low: ends ? low : null, high: ends ? high : null, best: best === true };
}

function nowOf(data: unknown): Now | null {
  const { event, generation = 0, games = 0, of = 0 } = membersOf(data);
  const isWhole = typeof event === "string" && isCount(generation) && isCount(games) && isCount(of);
  return isWhole ? { event, generation, games, of } : null;
}

function gameOf(data: unknown): RunState["game"] {
  const { record, plies } = membersOf(data);
  return typeof record === "string" && isCount(plies) ? { record, plies } : null;
}
