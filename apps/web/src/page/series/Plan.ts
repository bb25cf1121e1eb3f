/** The plan of a series between two sides, and its tally: who begins which game, by which opening, who has won how many. */

import type { Player } from "../../engine/State";

/** How many games a series may have; one is a game alone. */
export const COUNTS = [1, 2, 10, 20] as const;

/** A game of a series. */
export interface Round {
  /** Which of the two sides is player 0: each has that in every other game. */
  readonly first: Player;
  /** The number of its opening, which two games share, one for each side; null for a game alone, which has none. */
  readonly opening: number | null;
}

export const roundsOf = (count: number): readonly Round[] =>
  Array.from({ length: count }, (_, at) => ({
    first: at % 2 === 0 ? 0 : 1,
    opening: count === 1 ? null : Math.floor(at / 2),
  }));

/** After how few moves a game is still open; tic-tac-toe has nine of them in all. */
export const pliesOf = (game: string): number => (game === "tictactoe" ? 2 : 4);

/** What the two sides have won until now. */
export interface Tally {
  readonly won: readonly [number, number];
  readonly drawn: number;
}

export const NOTHING_PLAYED: Tally = { won: [0, 0], drawn: 0 };

export const playedIn = ({ won: [one, two], drawn }: Tally): number => one + two + drawn;

/** The tally after another game, which `winner` has won; null for a draw. */
export function countIn({ won: [one, two], drawn }: Tally, { first }: Round, winner: Player | null): Tally {
  if (winner === null) return { won: [one, two], drawn: drawn + 1 };
  return sideAt(first, winner) === 0 ? { won: [one + 1, two], drawn } : { won: [one, two + 1], drawn };
}

/** What each player of a game has won until now, player 0 first. */
export const byPlayer = ({ won }: Tally, { first }: Round): readonly [number, number] => [
  won[sideAt(first, 0)],
  won[sideAt(first, 1)],
];

/** Which side a player is, and which player a side. */
export const sideAt = (first: Player, player: Player): Player => (first === player ? 0 : 1);
