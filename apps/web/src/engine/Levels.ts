/**
 * How strong the network plays, in eight levels: a level's move is drawn among those that a search, or the policy
 * alone, thinks nearly as good as the best.
 *
 * Every language computes it alike, to the last bit (azx.games.levels): chances come from integers, and temperatures
 * are powers of two, so that a weight is only squared or its root drawn. The table was measured with the shipped
 * networks (docs/strength.md); how strong another network of the same game plays the levels is not known.
 */

import table from "../../../../games/data/levels.json";
import { GameError } from "./GameError";
import type { State } from "./State";

/**
 * `simulations` of a search from an empty tree, 0 for the policy alone. Of the moves with a weight those remain that
 * have at least `threshold` of the largest; one is drawn in proportion to weight^(1/temperature), at 0 the best.
 */
export interface Level {
  readonly simulations: number;
  readonly threshold: number;
  readonly temperature: number;
}

/** For games that were not measured, and for networks without a policy. */
export const UNMEASURED: readonly Level[] = table.unmeasured;

/** By the game's name, weak to strong. */
export const LEVELS: Readonly<Record<string, readonly Level[]>> = table.games;

/** The levels of a game for a network with a policy or without, weak to strong. */
export function levelsOf(game: string, hasPolicy: boolean): readonly Level[] {
  return (hasPolicy ? LEVELS[game] : undefined) ?? UNMEASURED;
}

const WORD = 0xffffffffffffffffn;

/**
 * The number at place `ply`, 0 the first, of the splitmix64 sequence that begins at `seed`; 64 bits. (Steele, Lea and
 * Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
 */
export function splitmix64(seed: number, ply: number): bigint {
  let mixed = (BigInt(seed) + BigInt(ply + 1) * 0x9e3779b97f4a7c15n) & WORD;
  mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return mixed ^ (mixed >> 31n);
}

/** A number from 0 to below 1, of the upper 53 bits of `splitmix64`. */
export function chance(seed: number, ply: number): number {
  return Number(splitmix64(seed, ply) >> 11n) * 2 ** -53;
}

/** The action that passes; null if there is none, or if it is the only legal one. */
export function passing(state: State): number | null {
  const legal = state.legalActions();
  const last = legal.at(-1);
  return last !== undefined && legal.length > 1 && state.label(last) === "pass" ? last : null;
}

/**
 * The action that a level plays. `weights` has each legal action, ascending, with its visits, or with its prior if there
 * was no search; `ply` is the number of moves before. `pass`, the action that passes, is played only if it alone has the
 * largest weight. GameError if there are no actions.
 */
export function chooseAction(
  weights: readonly (readonly [number, number])[],
  { threshold, temperature }: Level,
  seed: number,
  ply: number,
  pass: number | null = null,
): number {
  const [first] = weights;
  if (!first) throw new GameError("level: the game is over, there is no move to choose.");
  const [best, most] = weights.reduce((found, next) => (next[1] > found[1] ? next : found), first);
  if (temperature === 0 || best === pass || most <= 0) return best;
  const choices = weights.filter(([action, weight]) => weight > 0 && weight >= threshold * most && action !== pass);
  let total = 0;
  const ends = choices.map(([, weight]) => {
    total += power(weight / most, temperature);
    return total;
  });
  const drawn = chance(seed, ply) * total;
  const at = ends.findIndex((end) => drawn < end);
  return choices.at(at)?.[0] ?? best;
}

/** weight^(1/temperature) by squares and roots alone. */
function power(weight: number, temperature: number): number {
  let result = weight;
  for (let left = temperature; left > 1; left /= 2) result = Math.sqrt(result);
  for (let left = temperature; left < 1; left *= 2) result *= result;
  return result;
}
