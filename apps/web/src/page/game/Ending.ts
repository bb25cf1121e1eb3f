/** How a game ends beside what its rules say: a person gives it up, or agrees on the dead stones in Go. */

import { type Areas, Go } from "../../engine/games/Go";
import { chainOf } from "../../engine/games/GoBoard";
import type { Player, State } from "../../engine/State";
import { number, say } from "../../texts/Speech";

export type Ending =
  /** Of two people the one who has given up; absent if one person plays. */
  | { readonly kind: "resigned"; readonly by?: Player }
  /** Whose time was up. */
  | { readonly kind: "time"; readonly by: Player }
  /** The points of the stones that are dead, ascending. */
  | { readonly kind: "agreed"; readonly dead: readonly number[] }
  /** What a record tells of its result, as its text has it, and who has won by it; null is a draw. */
  | { readonly kind: "told"; readonly result: string; readonly winner: Player | null };

/** What a board shows where it is counted: the stones that are dead, and whose each point is. */
export interface AreaCount {
  readonly dead: ReadonlySet<number>;
  readonly areas: Areas;
  /** Whether a person may say which stones are dead. */
  readonly isOpen: boolean;
}

/** Whether two passes have ended a game of Go, so that there are dead stones to agree on. */
export function isUnsettled(states: readonly State[]): boolean {
  const [before, last] = states.slice(-2);
  if (!(last instanceof Go) || !(before instanceof Go)) return false;
  return last.isTerminal && last.lastAction === last.pass && before.lastAction === before.pass;
}

/** Black's lead when the dead stones are taken off. */
export function scoreOf(state: State, dead: readonly number[]): number {
  return state instanceof Go ? state.score(dead) : 0;
}

/** The dead stones with the chain on a point among them, or no more where it was. */
export function toggleChain(state: State, dead: readonly number[], at: number): readonly number[] {
  const points = state instanceof Go ? chainOf(state.size, state.cells, at) : [];
  if (dead.includes(at)) return dead.filter((point) => !points.includes(point));
  return [...dead, ...points].sort((a, b) => a - b);
}

export function countWithout(state: State, dead: readonly number[], isOpen: boolean): AreaCount | null {
  return state instanceof Go ? { dead: new Set(dead), areas: state.areas(dead), isOpen } : null;
}

/** "black wins by 3.5", within a sentence. */
export function winner(score: number): string {
  if (score === 0) return say("even");
  return say(score > 0 ? "black_wins_by" : "white_wins_by", number(Math.abs(score)));
}

export function scoringText(state: State, dead: readonly number[]): string {
  return say("scoring", winner(scoreOf(state, dead)), winner(scoreOf(state, [])));
}
