/** What an analysis says of a session: the verdicts of its moves, as far as they are known. */

import { Connect4 } from "../../engine/games/Connect4";
import type { Known } from "../../engine/review/Known";
import type { JudgedMove, Observation } from "../../engine/review/Verdicts";
import type { State } from "../../engine/State";
import type { Said } from "../../texts/Speech";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";

/** A mistake that a person tries to do better. */
export interface Trial {
  /** The move after the position that is shown. */
  readonly mistake: JudgedMove;
  /** What is said of it now. */
  readonly said: Said;
  /** Whether a good move was found. */
  readonly isDone: boolean;
}

type Judge = typeof import("./Judge");

/** What is proven of positions of games that were kept. */
const PROVEN = new WeakMap<State, Known>();

let judge: Judge | null = null;

/** The functions that judge moves; null until they are loaded, which is when a person looks at a game. */
export const judgeAtHand = (): Judge | null => judge;

/** Load the functions that judge moves: without them there are no verdicts. */
export async function callJudge(): Promise<Judge> {
  judge ??= await import("./Judge");
  return judge;
}

/**
 * Have a game that was looked at judged, and shown again. Until what is known of its opening has come, that is judged by
 * the network alone.
 */
export async function judgeGame({ seen, states }: Session, show: () => unknown): Promise<void> {
  if (!seen) return;
  const { areOpeningsRead, readOpenings } = await callJudge();
  show();
  if (!(states[0] instanceof Connect4) || areOpeningsRead()) return;
  await readOpenings();
  show();
}

function provenOf(state: State, { knownOf, areOpeningsRead }: Judge): Known {
  const known = PROVEN.get(state) ?? knownOf(state);
  if (!(state instanceof Connect4) || areOpeningsRead()) PROVEN.set(state, known);
  return known;
}

/** The positions from the first one on that were looked at without a gap: before it no more than stones were placed. */
export function seenOf(session: Session): readonly Observation[] {
  const looks: Observation[] = [];
  const { seen, states } = session;
  for (let at = sessions.firstPly(session), one = seen?.get(at); one; one = seen?.get(++at)) {
    looks.push(one.known || !judge ? one : { ...one, known: provenOf(states[at] as State, judge) });
  }
  return judge?.withOutcomes(looks, states.slice(sessions.firstPly(session)), played(session)) ?? looks;
}

/** The moves that were played, and not those that place stones before them. */
const played = (session: Session): readonly number[] => sessions.actions(session).slice(sessions.firstPly(session));

/** The verdicts of a session's first moves, as many as are known. */
export const movesOf = (session: Session): readonly JudgedMove[] =>
  judge?.judgeMoves(seenOf(session), played(session)) ?? [];

/** The positions that are to be looked at again before a blunder is said. */
export const doubtedOf = (session: Session): readonly number[] =>
  judge?.listDoubted(seenOf(session), played(session)).map((at) => sessions.firstPly(session) + at) ?? [];

/** The next mistake behind the position that is `shown`, of moves that were judged; null if there is none. */
export function nextMistake(session: Session, shown: number): number | null {
  const first = sessions.firstPly(session);
  const next = judge?.nextMistake(movesOf(session), shown - first) ?? null;
  return next === null ? null : first + next;
}

/** The verdict of the move that leads to the position that is shown; null if there is none yet. */
export const shownMove = (session: Session): JudgedMove | null =>
  movesOf(session)[sessions.moveShown(session) - 1] ?? null;

export const isAnalysed = (session: Session): boolean => seenOf(session).length === sessions.countMoves(session) + 1;

export function addSeen(session: Session, moves: number, seen: Observation): Session {
  return { ...session, seen: new Map([...(session.seen ?? []), [moves, seen]]) };
}
