/** What an analysis says of a session: the verdicts of its moves, as far as it has come. */

import { Connect4 } from "../../engine/games/Connect4";
import { areOpeningsRead, readOpenings } from "../../engine/games/Connect4Opening";
import { type Known, knownOf } from "../../engine/review/Known";
import { type Judged, judgeMoves, listDoubted, type Seen } from "../../engine/review/Verdicts";
import type { State } from "../../engine/State";
import type { Session } from "../Session";
import * as sessions from "../Session";

/** What is proven of positions of games that were kept. */
const PROVEN = new WeakMap<State, Known>();

/** Have at hand what is known of the opening of a game that was looked at; until then it is judged by the network alone. */
export function proveOpening({ seen, states }: Session, show: () => unknown): void {
  if (seen && states[0] instanceof Connect4 && !areOpeningsRead()) readOpenings().then(show, () => undefined);
}

function provenOf(state: State): Known {
  const known = PROVEN.get(state) ?? knownOf(state);
  if (!(state instanceof Connect4) || areOpeningsRead()) PROVEN.set(state, known);
  return known;
}

/** The positions from the first one on that were looked at without a gap. */
export function seenOf({ seen, states }: Session): readonly Seen[] {
  const found: Seen[] = [];
  for (let one = seen?.get(0); one; one = seen?.get(found.length)) {
    found.push(one.known ? one : { ...one, known: provenOf(states[found.length] as State) });
  }
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
