/** What a file says beside the moves of a game, as far as the rules allow it: nothing of a file is believed. */

import { GameError } from "../../engine/GameError";
import type { Line } from "../../engine/records/Variations";
import type { State } from "../../engine/State";
import { type GameRecord, sessionOf } from "../game/GameRecord";
import { firstPly } from "../game/Session";

/** The record without what is of no position of its game; null if the rules forbid the game itself. */
export function lawful(record: GameRecord): GameRecord | null {
  const session = sessionOf(record);
  if (!session) return null;
  const at = (moves: number): State | undefined => (moves < firstPly(session) ? undefined : session.states[moves]);
  return {
    ...record,
    rates: record.rates.filter(([moves]) => at(moves)),
    seen: record.seen.filter(([moves, , best]) => isBestOf(at(moves), best)),
    comments: record.comments.filter(([moves]) => at(moves)),
    lines: record.lines.flatMap((line) => lawfulLine(line, at(line.from))),
  };
}

/** Whether `best` can be the best move of a position: a game that is over has none. */
function isBestOf(state: State | undefined, best: number | null): boolean {
  if (!state) return false;
  return best === null ? state.isTerminal : !state.isTerminal && state.whyIllegal(best) === null;
}

/** A line until the first move that the rules forbid; none if that is its first one. */
function lawfulLine(line: Line, from: State | undefined): readonly Line[] {
  if (!from) return [];
  const moves = countLegal(from, line.actions);
  const comments = line.comments.filter(([after]) => after <= moves);
  return moves === 0 ? [] : [{ ...line, actions: line.actions.slice(0, moves), comments }];
}

function countLegal(from: State, actions: readonly number[]): number {
  let state = from;
  for (const [at, action] of actions.entries()) {
    try {
      state = state.apply(action);
    } catch (error) {
      if (error instanceof GameError) return at;
      throw error;
    }
  }
  return actions.length;
}
