/**
 * A line that a person tries out: a session of its own that branches off from the game, with moves of both sides.
 *
 * The game is not changed by it; `shorten` and `playMove` leave the sessions that they are given as they are.
 */

import type { Line as Kept } from "../../engine/records/Variations";
import { beginsWith } from "../../engine/State";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";

export interface Line {
  /** After how many moves of the game it branches off. */
  readonly from: number;
  /** The game until there, and the line's moves. */
  readonly session: Session;
}

/** The line of one move from the position that is shown, or of one more. GameError if it is illegal. */
export function tryMove(game: Session, line: Line | null, action: number): Line {
  const from = line?.from ?? sessions.ply(game);
  const before = line?.session ?? sessions.shorten(game, from);
  return { from, session: sessions.playMove(before, action) };
}

/** The line without its last move, and the passes that the rules forced after it; null if nothing is left. */
export function takeBack({ from, session }: Line): Line | null {
  let moves = session.states.length - 2;
  while (moves > from && sessions.isForcedPass(session.states[moves])) moves--;
  return moves > from ? { from, session: sessions.shorten(session, moves) } : null;
}

/** How many moves the line has, forced passes counted. */
export const lengthOf = ({ from, session }: Line): number => session.states.length - 1 - from;

/** The game that goes on from what is shown. */
export const playOn = (game: Session, line: Line | null): Session =>
  line?.session ?? sessions.shorten(game, sessions.ply(game));

/** The moves of a line alone. */
export const movesOfLine = ({ from, session }: Line): readonly number[] => sessions.actions(session).slice(from);

/** A record's lines with these moves among them; the same where they are there already. */
export function withLine(lines: readonly Kept[], actions: readonly number[], from: number): readonly Kept[] {
  const beside = lines.filter((each) => each.from === from);
  if (beside.some((each) => beginsWith(each.actions, actions))) return lines;
  // A line of one's own grows; a file's stays as it was read.
  const shorter = beside.find((each) => each.own && beginsWith(actions, each.actions));
  return [...lines.filter((each) => each !== shorter), { from, actions, comments: [], own: true }];
}

/** The moves by which a record's lines continue, after `from` moves of the game and the moves `before` of a line. */
export function branches(lines: readonly Kept[], from: number, before: readonly number[]): readonly number[] {
  const next = lines
    .filter((each) => each.from === from && beginsWith(each.actions, before))
    .flatMap((each) => each.actions[before.length] ?? []);
  return [...new Set(next)];
}

/** The move by which a line goes on; null at its end. */
export const nextInLine = (lines: readonly Kept[], line: Line): number | null =>
  branches(lines, line.from, movesOfLine(line))[0] ?? null;

/** Whether a line's moves are a file's, and not tried out here. */
export const isOfFile = (lines: readonly Kept[], line: Line): boolean =>
  lines.some((each) => !each.own && each.from === line.from && beginsWith(each.actions, movesOfLine(line)));

/** What a file says of a line's last move; null if it says nothing. */
export function commentIn(lines: readonly Kept[], line: Line): string | null {
  const actions = movesOfLine(line);
  const texts = lines
    .filter((each) => each.from === line.from && beginsWith(each.actions, actions))
    .flatMap((each) => each.comments.filter(([moves]) => moves === actions.length).map(([, text]) => text));
  return texts[0] ?? null;
}
