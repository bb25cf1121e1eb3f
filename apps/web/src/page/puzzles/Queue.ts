/** The blunders of the person's own games that a review has found, until a better move was found for each. */

import type { JudgedMove } from "../../engine/review/Verdicts";
import type { State } from "../../engine/State";
import { type GameRecord, sessionOf } from "../game/GameRecord";
import * as sessions from "../game/Session";
import { movesOf } from "../review/Judgement";

/** A position in which a better move is to be found. */
export interface Puzzle {
  readonly record: GameRecord;
  /** The number of moves before it, those that place stones counted. */
  readonly ply: number;
  /** The positions of the game until there. */
  readonly states: readonly [State, ...State[]];
  readonly mistake: JudgedMove;
}

/** The puzzles that wait, those of the game that was changed last first. The judge has to be at hand. */
export function puzzlesIn(records: readonly GameRecord[]): readonly Puzzle[] {
  return records.filter(({ seen }) => seen.length > 1).flatMap(puzzlesOf);
}

/** Those of one game: of a person's own moves, of two people's of both. */
export function puzzlesOf(record: GameRecord): readonly Puzzle[] {
  const session = sessionOf(record);
  if (!session || sessions.isRead(session) || sessions.isWatched(session)) return [];
  const first = sessions.firstPly(session);
  return movesOf(session).flatMap((mistake, at) => {
    const ply = first + at;
    const isOwn = sessions.isShared(session) || mistake.player === session.human;
    const [start, ...others] = session.states;
    if (ply > others.length || !isOwn || mistake.verdict !== "blunder" || record.solved?.includes(ply)) return [];
    return [{ record, ply, states: [start, ...others.slice(0, ply)] as const, mistake }];
  });
}
