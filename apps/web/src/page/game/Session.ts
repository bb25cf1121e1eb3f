/** A game as an immutable value: its positions, who plays which side, and which position is shown. */

import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Reversi } from "../../engine/games/Reversi";
import type { Observation } from "../../engine/review/Verdicts";
import { other, type Player, type State } from "../../engine/State";
import { say } from "../../texts/Speech";
import type { Progress } from "../../worker/Messages";
import { type Clock, cut, leftAt, press, spend } from "./Clock";
import { type Ending, isUnsettled, scoreOf } from "./Ending";

/** The person of a game that is only watched: the network plays both sides. */
export const NOBODY = -1;

/** The person of a record of other people's game, which is read and not played. */
export const READER = -2;

/** The two people of a game at one device, each with a side: no network moves. */
export const BOTH = -3;

/** Whom the person plays; NOBODY where the network plays both sides, READER where others have played, BOTH where two do. */
export type Human = Player | typeof NOBODY | typeof READER | typeof BOTH;

export interface Session {
  /** All positions, the first one first. */
  readonly states: readonly [State, ...State[]];
  readonly human: Human;
  /** The chance of `sideOf` to win by the number of moves played, where the network has said it. */
  readonly rates: ReadonlyMap<number, number>;
  /** What an analysis has found of the positions, by the number of moves played. */
  readonly seen?: ReadonlyMap<number, Observation>;
  /** The number of moves after which the position is shown; null shows the last one. */
  readonly shown: number | null;
  /** How the game ended if not by the rules alone; null if it did not. */
  readonly end: Ending | null;
  /** How many first moves only place stones: no earlier position is shown. Absent is 0. */
  readonly setUp?: number;
  /** What players 0 and 1 are called, by a record or by two people here; empty if they are not. */
  readonly names?: readonly [string, string];
  /** The clock of two people; absent if they play without one. */
  readonly clock?: Clock;
  /** Whether two people take moves back only if the other one agrees. */
  readonly isUndoAsked?: boolean;
}

/**
 * Whose turn it is at the end of the game; "scoring" is after two passes in Go, until the dead stones are agreed on, and
 * "read" the end of a record of which no result is known.
 */
export type Phase = "yours" | "theirs" | "scoring" | "over" | "read";

export function beginSession(start: State, human: Human): Session {
  return { states: [start], human, rates: new Map(), shown: null, end: null };
}

export const isWatched = ({ human }: Session): boolean => human === NOBODY;

/** Whether it is a record of other people's game. */
export const isRead = ({ human }: Pick<Session, "human">): boolean => human === READER;

/** Whether two people play it at this device. */
export const isShared = ({ human }: Pick<Session, "human">): boolean => human === BOTH;

/** After how many moves of `states` the game begins. */
export const firstPly = ({ setUp = 0 }: Pick<Session, "setUp">): number => setUp;

/** Whether a person plays one of the sides, against a network. */
export const hasPerson = ({ human }: Pick<Session, "human">): boolean => human === 0 || human === 1;

/**
 * The same game, continued by a person, who gets the side to move if nobody had one. Two people continue it if no
 * network plays this board (`isAlone`).
 */
export function takeOver(session: Session, isAlone = false): Session {
  if (isShared(session)) return { ...session, end: null };
  const { names: _, ...game } = session;
  if (isAlone) return { ...game, human: BOTH };
  return { ...game, human: hasPerson(session) ? session.human : latest(session).toMove };
}

/** Whether a person here makes the move that follows a position. */
const isOwnTurn = ({ human }: Session, { toMove }: State): boolean => human === BOTH || toMove === human;

/** The side whose chances and result the page shows: the person's, or that of the player who began. */
export const sideOf = ({ human }: Session): Player => (human === 1 ? 1 : 0);

export function latest({ states }: Session): State {
  return states.at(-1) ?? states[0];
}

/** The position that is shown. */
export function visible(session: Session): State {
  return session.states[ply(session)] ?? latest(session);
}

export function ply({ states, shown }: Session): number {
  return shown ?? states.length - 1;
}

export function phase(session: Session): Phase {
  const state = latest(session);
  if (session.end) return "over";
  if (isRead(session)) return state.isTerminal && !isUnsettled(session.states) ? "over" : "read";
  if (state.isTerminal) return !isWatched(session) && isUnsettled(session.states) ? "scoring" : "over";
  return isOwnTurn(session, state) ? "yours" : "theirs";
}

export function actions({ states }: Session): readonly number[] {
  return states.slice(1).map((state) => state.lastAction as number);
}

/** Whether the only move is a pass that the rules force. */
export function isForcedPass(state: State | undefined): state is DotsAndBoxes | Reversi {
  return (state instanceof DotsAndBoxes || state instanceof Reversi) && state.mustPass;
}

/** The session after `action`, and after the forced pass that may follow it. GameError if it is illegal. */
export function playMove(session: Session, action: number): Session {
  const before = latest(session);
  let state = before.apply(action);
  const states: [State, ...State[]] = [...session.states, state];
  const clock = session.clock && { clock: press(session.clock, session.states.length, before.toMove) };
  while (isForcedPass(state)) {
    state = state.apply(state.pass);
    states.push(state);
  }
  return { ...session, states, shown: null, ...clock };
}

/** The session before the person's last move; the same if there was none. */
export function undoMoves(session: Session): Session {
  if (session.end?.kind === "resigned") return { ...session, end: null };
  if (session.end?.kind === "time") return session;
  const at = lastChoice(session);
  if (at < 0) return session;
  return shorten(session, at);
}

/** The session cut after `moves` moves, with what is known of the positions that stay. */
export function shorten(session: Session, moves: number): Session {
  const [start, ...others] = session.states;
  const until = <Known>(known: ReadonlyMap<number, Known>): ReadonlyMap<number, Known> =>
    new Map([...known].filter(([after]) => after <= moves));
  const shortened = { ...session, states: [start, ...others.slice(0, moves)] as const, rates: until(session.rates) };
  const clock = session.clock && { clock: cut(session.clock, moves) };
  return { ...shortened, ...(session.seen && { seen: until(session.seen) }), ...clock, shown: null, end: null };
}

/** Whether the person has made a move of their own choice. */
export function hasMoved(session: Session): boolean {
  return lastChoice(session) >= 0;
}

/** Whether a person would lose something if the game ended here. */
export function isUnderWay(session: Session): boolean {
  return hasMoved(session) && phase(session) !== "over";
}

/** Whether a game has begun and is not over, so that a person may return to it. */
export function isGoingOn(session: Session): boolean {
  return isUnderWay(session) || (isWatched(session) && session.states.length > 1 && phase(session) !== "over");
}

/** How many moves came before the last one that the person chose; -1 if they chose none. */
function lastChoice(session: Session): number {
  const played = session.states.slice(0, -1);
  const at = played.map((state) => isOwnTurn(session, state) && !isForcedPass(state)).lastIndexOf(true);
  return at < firstPly(session) ? -1 : at;
}

/** Who has made each move of a game's positions, of moves that are not on the board twice. */
export const moversIn = (states: readonly State[]): ReadonlyMap<number, Player> =>
  new Map(states.slice(1).map((state, at) => [state.lastAction ?? 0, states[at]?.toMove ?? 0]));

/** How many moves were played, those left out that place stones before the first one. */
export const countMoves = (session: Session): number => session.states.length - 1 - firstPly(session);

/** After which of those moves the position is that is shown. */
export const moveShown = (session: Session): number => ply(session) - firstPly(session);

/** The session that shows the position after `moves` moves; the last position is shown as it changes. */
export function showMove(session: Session, moves: number): Session {
  const last = session.states.length - 1;
  const at = Math.max(firstPly(session), Math.min(last, Math.round(moves)));
  return { ...session, shown: at === last ? null : at };
}

/** The session in which the network gives its mover's chance `winRate` for the last position. */
export function rateMove(session: Session, winRate: number | null): Session {
  if (winRate === null) return session;
  const own = latest(session).toMove === sideOf(session) ? winRate : 1 - winRate;
  return { ...session, rates: new Map([...session.rates, [session.states.length - 1, own]]) };
}

/** The chances of `sideOf` by move, an analysis' where there are some, the result last where the game is over. */
export function curve(session: Session): readonly (readonly [number, number])[] {
  const known = new Map(session.rates);
  for (const [moves, { mover, chance }] of session.seen ?? []) {
    known.set(moves, mover === sideOf(session) ? chance : 1 - chance);
  }
  const isOver = phase(session) === "over";
  if (isOver) known.delete(session.states.length - 1);
  const points = [...known].sort(([a], [b]) => a - b);
  if (!isOver) return points;
  return [...points, [session.states.length - 1, (result(session) + 1) / 2]];
}

/** +1 where `sideOf` has won, -1 where the other one has, 0 otherwise. */
export function result(session: Session): number {
  const { end } = session;
  if (end?.kind === "resigned" || end?.kind === "time") return (end.by ?? sideOf(session)) === sideOf(session) ? -1 : 1;
  if (end?.kind === "told") return end.winner === null ? 0 : end.winner === 0 ? 1 : -1;
  const returns = end ? Math.sign(scoreOf(latest(session), end.dead)) : latest(session).returns();
  return sideOf(session) === 0 ? returns : -returns;
}

export function winner(session: Session): Player | null {
  const won = result(session);
  if (won === 0) return null;
  return won > 0 ? sideOf(session) : other(sideOf(session));
}

/** The chance of `sideOf` at the position that is shown, or the last one known before it; null if there is none. */
export function chanceShown(session: Session): number | null {
  const known = curve(session).filter(([moves]) => moves <= ply(session));
  return known.at(-1)?.[1] ?? null;
}

/** A sentence on who had to pass since the person's last move; null if nobody had to. */
export function passNotice(session: Session): string | null {
  // Only a person has to know.
  if (!hasPerson(session)) return null;
  const passes = session.states.slice(lastChoice(session) + 1, -1).filter(isForcedPass);
  const own = passes.filter(({ toMove }) => toMove === session.human).length;
  if (passes.length && latest(session) instanceof Reversi) return say(own ? "you_cannot_move" : "ai_cannot_move");
  if (own > 1) return say("you_pass_times", own);
  if (own === 1) return say("you_pass");
  return passes.length ? say("ai_passes") : null;
}

/** The session after a person has given up; of two people, the one to move. */
export function resign(session: Session): Session {
  const by = isShared(session) ? { by: latest(session).toMove } : {};
  return { ...session, shown: null, end: { kind: "resigned", ...by } };
}

/** Whether time goes by: from the first move on, until the game is over. */
export const isTimed = (session: Session): boolean =>
  session.clock !== undefined && countMoves(session) > 0 && phase(session) === "yours";

/** The session once its mover has thought for some milliseconds; it ends where no time is left. */
export function passTime(session: Session, milliseconds: number): Session {
  if (!session.clock || !isTimed(session)) return session;
  const [{ toMove }, moves] = [latest(session), session.states.length - 1];
  const clock = spend(session.clock, moves, toMove, milliseconds);
  if (leftAt(clock, moves)[toMove] > 0) return { ...session, clock };
  return { ...session, clock, shown: null, end: { kind: "time", by: toMove } };
}

/** The session in which both sides agreed that the stones on `dead` are dead. */
export function agreeOn(session: Session, dead: readonly number[]): Session {
  return { ...session, shown: null, end: { kind: "agreed", dead } };
}

/** The session before the two passes that have ended it. */
export function takePassesBack(session: Session): Session {
  const [start, ...others] = session.states;
  const left = Math.max(firstPly(session), others.length - 2);
  return { ...session, states: [start, ...others.slice(0, left)], shown: null, end: null };
}

/** The last move that leads to the position shown, forced passes left out; null before the first one. */
export function lastMove(session: Session): number | null {
  let at = ply(session);
  while (isForcedPass(session.states[at - 1])) at--;
  return at > firstPly(session) ? (session.states[at]?.lastAction ?? null) : null;
}

/**
 * The win rate of the network: of one that plays against a person what their chance leaves, so that both make a hundred
 * in whole percents; of one that plays itself what it thinks, while the game goes on.
 */
export function rateOf(session: Session, chance: number | null, thought: Progress | null): number | null {
  if (hasPerson(session)) return chance === null ? null : 1 - Math.round(100 * chance) / 100;
  return phase(session) === "over" ? null : (thought?.winRate ?? null);
}
