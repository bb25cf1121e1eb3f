/** What an analysis says of a session: the verdicts of its moves, as far as it has come. */

import { type Judged, judgeMoves, listDoubted, type Seen } from "../../engine/review/Verdicts";
import type { Session } from "../Session";
import * as sessions from "../Session";

/** The positions from the first one on that were looked at without a gap. */
export function seenOf({ seen }: Session): readonly Seen[] {
  const found: Seen[] = [];
  for (let known = seen?.get(0); known; known = seen?.get(found.length)) found.push(known);
  return found;
}

/** The verdicts of a session's first moves, as many as are known. */
export const movesOf = (session: Session): readonly Judged[] => judgeMoves(seenOf(session), sessions.actions(session));

/** The positions that are to be looked at again before a blunder is said. */
export const doubtedOf = (session: Session): readonly number[] =>
  listDoubted(seenOf(session), sessions.actions(session));

/** The verdict of the move that leads to the position that is shown; null where there is none yet. */
export const shownMove = (session: Session): Judged | null => movesOf(session)[sessions.ply(session) - 1] ?? null;

export const isAnalysed = (session: Session): boolean => seenOf(session).length === session.states.length;

export function addSeen(session: Session, moves: number, seen: Seen): Session {
  return { ...session, seen: new Map([...(session.seen ?? []), [moves, seen]]) };
}
