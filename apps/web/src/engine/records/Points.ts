/** Points of SGF by the names that the board gives them. */

import type { Player, State } from "../State";
import type { Move } from "./Record";
import { type Properties, plain, strip } from "./Sgf";

// The boards on which SGF has no point `tt`, so that it is a pass.
const TT_IS_PASS = 19;
const CORNERS = /^([a-z])([a-z]):([a-z])([a-z])$/;
const FIRST_LETTER = "a".charCodeAt(0);

/** What SGF calls the moves of player 0 and player 1. */
export const SIDES: readonly string[] = ["B", "W"];

/** A property's first value; empty if there is none. */
export const firstValue = (node: Properties, key: string): string => strip(plain(node.get(key)?.[0] ?? ""));

/** The moves of a node by the names that the board has for them: one at most, in sound files. */
export const movesIn = (node: Properties, start: State): readonly Move[] =>
  SIDES.flatMap((key, player) =>
    node.has(key) ? [{ name: nameOf(start, firstValue(node, key)), player: player as Player }] : [],
  );

/** The board's name of a point of SGF; the text itself if it is no point, as some programs write H8 for `hh`. */
export function nameOf(start: State, point: string): string {
  const [rows, columns] = start.board;
  if (start.actions > rows * columns && (point === "" || (point === "tt" && columns <= TT_IS_PASS)))
    return start.label(rows * columns);
  const [column = -1, row = -1, more] = [...point].map((letter) => letter.charCodeAt(0) - FIRST_LETTER);
  const isPoint = more === undefined && [column, row].every((at) => at >= 0 && at < columns);
  return isPoint ? start.label(row * columns + column) : point;
}

/** The names of all points that a property lists: one a value, or a rectangle by two corners, `aa:cc`. */
export function* namesOf(start: State, nodes: readonly Properties[], key: string): Generator<string> {
  for (const value of nodes.flatMap((node) => node.get(key) ?? []).map((each) => strip(plain(each)))) {
    const corners = CORNERS.exec(value);
    if (!corners) {
      yield nameOf(start, value);
      continue;
    }
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.slice(1).map((letter) => letter.charCodeAt(0));
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) yield nameOf(start, String.fromCharCode(column, row));
  }
}
