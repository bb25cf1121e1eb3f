/** The clock of two people at one device: what each has left after each move. Nothing changes one. */

import { other, type Player } from "../../engine/State";

/** Milliseconds that player 0 and player 1 have left. */
export type Left = readonly [number, number];

export interface Clock {
  /** Seconds at the beginning of the game, and those that each move adds. */
  readonly base: number;
  readonly increment: number;
  /** By the number of moves played. */
  readonly left: ReadonlyMap<number, Left>;
}

/** The clock of a game whose first move comes after `moves` that place stones. */
export const wind = (base: number, increment: number, moves = 0): Clock => ({
  base,
  increment,
  left: new Map([[moves, [1000 * base, 1000 * base]]]),
});

/** What is left after `moves` moves: the last figure noted by then. */
export function leftAt({ base, left }: Clock, moves: number): Left {
  const known = [...left.keys()].filter((each) => each <= moves);
  return left.get(Math.max(...known)) ?? [1000 * base, 1000 * base];
}

/** The clock once `player` has thought for `milliseconds` about the position after `moves` moves. */
export function spend(clock: Clock, moves: number, player: Player, milliseconds: number): Clock {
  const before = leftAt(clock, moves);
  return noted(clock, moves, player, Math.max(0, before[player] - milliseconds));
}

/** The clock once `player` has made the last of `moves` moves. */
export function press(clock: Clock, moves: number, player: Player): Clock {
  return noted(clock, moves, player, leftAt(clock, moves)[player] + 1000 * clock.increment);
}

/** The clock of the game's first moves alone. */
export const cut = (clock: Clock, moves: number): Clock => ({
  ...clock,
  left: new Map([...clock.left].filter(([after]) => after <= moves)),
});

function noted(clock: Clock, moves: number, player: Player, milliseconds: number): Clock {
  const theirs = leftAt(clock, moves)[other(player)];
  const left: Left = player === 0 ? [milliseconds, theirs] : [theirs, milliseconds];
  return { ...clock, left: new Map([...clock.left, [moves, left]]) };
}

/** "4:07", "1:02:03": what is left, in seconds that have begun. */
export function faceOf(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (number: number): string => String(number % 60).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
