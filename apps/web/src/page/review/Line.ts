/**
 * A line that a person tries out: a session of its own that branches off from the game, with moves of both sides.
 *
 * The game is not changed by it; `shorten` and `playMove` leave the sessions that they are given as they are.
 */

import type { Session } from "../Session";
import * as sessions from "../Session";

export interface Line {
  /** After how many moves of the game it branches off. */
  readonly from: number;
  /** The game until there, and the line's moves. */
  readonly session: Session;
}

/** The line of one move from the position that is shown, or of one more. GameError where it is illegal. */
export function tryMove(game: Session, line: Line | null, action: number): Line {
  const from = line?.from ?? sessions.ply(game);
  const before = line?.session ?? sessions.shorten(game, from);
  return { from, session: sessions.playMove(before, action) };
}

/** The line without its last move, and the passes that the rules forced after it; null where nothing is left. */
export function takeBack({ from, session }: Line): Line | null {
  let moves = session.states.length - 2;
  while (moves > from && sessions.isForcedPass(session.states[moves])) moves--;
  return moves > from ? { from, session: sessions.shorten(session, moves) } : null;
}

/** How many moves the line has, forced passes counted. */
export const lengthOf = ({ from, session }: Line): number => session.states.length - 1 - from;

/** The game that goes on from what is shown, and how many moves of the present one it leaves out. */
export function playOn(game: Session, line: Line | null): { readonly session: Session; readonly lost: number } {
  const from = line?.from ?? sessions.ply(game);
  return { session: line?.session ?? sessions.shorten(game, from), lost: game.states.length - 1 - from };
}
