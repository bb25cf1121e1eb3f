/**
 * What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy.
 *
 * A move's loss is the chance of winning that the best move had, less the chance that the played one had, both for who
 * played it. The best move's is what a search from the position before says; the played move's what a search from the
 * position after says for the other side, turned round, or the exact result where the game is over there. A loss is
 * never below 0, and it is 0 where the played move is the one that the search from the position before would have
 * played: nothing better is known then. A move that the rules force is such a one. A move that is proven to be bad has a
 * reason, and its loss is at least a mistake's, however little a network thinks was left to lose. Where the end of a
 * game of Dots and Boxes or of Reversi is solved, the boxes or discs by which a move makes the mover's margin worse have
 * a verdict of their own. The worse of both is said. In an opening of Connect4 a table has how each move ends: one that
 * gives a win or a draw away is a blunder, any other loses nothing, whatever a network thinks.
 *
 * Mistake and blunder are hard words. Unless a proof gives the reason, they need the agreement of searches of both
 * positions that are `DEEPER` times as deep. `listDoubted` has the positions that need this second search, each at most once.
 *
 * The accuracy of a move is factor * exp(-rate * L) - offset, between 0 and 100, for a loss of L percentage points (the
 * curve that lichess.org/page/accuracy gives); a player's is the mean of those of their moves that could lose something,
 * and is unknown with fewer than `FEWEST`. Nothing here searches. The numbers are in games/data/thresholds.json.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import type { Search } from "../Search";
import type { Player } from "../State";
import { candidates } from "./Candidates";
import {
  givesAway,
  isChoice,
  type Known,
  knownOf,
  marginLost,
  provenChance,
  type Reason,
  reasonOf,
  type Unit,
} from "./Known";

/** From the mildest to the worst, as the table has them. */
export const VERDICTS = ["good", "inaccuracy", "mistake", "blunder"] as const;
export type Verdict = (typeof VERDICTS)[number];

const rowOf = (verdict: Verdict): (typeof thresholds.verdicts)[number] | undefined =>
  thresholds.verdicts.find(({ name }) => name === verdict);

/** How many times as many simulations a position gets that is looked at again. */
export const DEEPER = thresholds.deeper;

/** With fewer moves that could lose something a player has no accuracy. */
export const FEWEST = thresholds.accuracy.fewest_moves;

/**
 * What is known of a position: `chance` (0 to 1) is that of `mover`, who is to move, with the action `best`; null if
 * the game is over, and `chance` is then the result, 0.5 a draw. `isSure` if it was searched twice, or the rules prove
 * it. `known` holds these proofs; absent if they were not sought.
 */
export interface Observation {
  readonly mover: Player;
  readonly chance: number;
  readonly best: number | null;
  readonly isSure?: boolean;
  readonly known?: Known;
}

/**
 * A move that was played: by whom, its `loss` (0 to 1), the verdict, and a better move if it was not good. `reason`
 * is why it is proven to be bad, null if it is not. `isChoice`: it could have lost something. `margin` is how
 * much of the solved margin it lost, in boxes or discs (`unit`); null if that is not known.
 */
export interface JudgedMove {
  readonly action: number;
  readonly player: Player;
  readonly loss: number;
  readonly verdict: Verdict;
  readonly better: number | null;
  readonly reason: Reason | null;
  readonly isChoice: boolean;
  readonly margin: number | null;
  readonly unit: Unit;
}

/**
 * What a search says of its root; null before its second simulation. What the rules prove comes first: a win at once,
 * one that cannot be stopped, a move that has to stop one, and the end of a game of Dots and Boxes or of Reversi.
 */
export function seenBy(search: Search, known = knownOf(search.state)): Observation | null {
  const { state } = search;
  const mover = state.toMove;
  if (state.isTerminal) return { mover, chance: (1 + state.returns() * (1 - 2 * mover)) / 2, best: null, known };
  const ranked = candidates(search, state.actions);
  const [[first], [lowest]] = [ranked, known.left];
  if (!first || lowest === undefined) return null;
  const proven = provenChance(known);
  if (proven !== null) return { mover, chance: proven, best: lowest, isSure: true, known };
  const best = ranked.find(({ action }) => known.left.includes(action));
  // Without it the search was so short that it has not tried the move that has to stop a win.
  return { mover, chance: (best ?? first).winRate, best: best?.action ?? lowest, known };
}

/** What a table or a solver knows rules over what a search has found; the same where it knows nothing. */
export function sureOf(seen: Observation, { outcome, left }: Known): Observation {
  if (outcome === null) return seen;
  const best = seen.best !== null && left.includes(seen.best) ? seen.best : (left[0] ?? null);
  return { ...seen, chance: (1 + outcome) / 2, best, isSure: true };
}

export function verdictOf(loss: number): Verdict {
  return VERDICTS.filter((verdict) => loss >= (rowOf(verdict)?.least_loss ?? Infinity)).at(-1) ?? "good";
}

/** The verdict on a loss of `lost` boxes or discs. */
export const verdictOfMargin = (lost: number, unit: Unit): Verdict =>
  VERDICTS.filter((verdict) => lost >= (rowOf(verdict)?.[`least_${unit}`] ?? Infinity)).at(-1) ?? "good";

/** Whether "Next mistake" stops at it. */
export const isMistake = ({ verdict }: JudgedMove): boolean => rowOf(verdict)?.is_mistake ?? false;

/** Verdicts of the moves that lead from each position that was seen to the next; `actions[k]` from `seen[k]`. */
export function judgeMoves(seen: readonly Observation[], actions: readonly number[]): readonly JudgedMove[] {
  return actions.slice(0, Math.max(0, seen.length - 1)).map((action, at) => {
    const [before, after] = [seen[at] as Observation, seen[at + 1] as Observation];
    const own = after.mover === before.mover ? after.chance : 1 - after.chance;
    const known = before.known && after.known ? ([before.known, after.known] as const) : null;
    const [reason, margin] = known ? [reasonOf(...known, action), marginLost(...known)] : [null, null];
    const unit = before.known?.unit ?? "boxes";
    const proven = reason ? "mistake" : verdictOfMargin(margin ?? 0, unit);
    const least = rowOf(isGivenAway(before, action) ? "blunder" : proven)?.least_loss ?? 0;
    const isKept = before.known?.outcome != null && before.known.left.includes(action);
    const loss = Math.max(least, isKept || action === before.best ? 0 : before.chance - own);
    const verdict = verdictOf(loss);
    const better = verdict === "good" ? null : before.best;
    const isFree = !before.known || isChoice(before.known, action);
    return { action, player: before.mover, loss, verdict, better, reason, isChoice: isFree, margin, unit };
  });
}

const isGivenAway = ({ known }: Observation, action: number): boolean =>
  known !== undefined && givesAway(known, action);

/**
 * The positions beside mistakes and blunders that were searched only once, ascending. Proven positions need no second
 * search. Nor does a mistake with a reason; a blunder with one may turn out to be a mistake.
 */
export function listDoubted(seen: readonly Observation[], actions: readonly number[]): readonly number[] {
  const beside = judgeMoves(seen, actions).flatMap((move, at) =>
    isDoubted(seen[at] as Observation, move) ? [at, at + 1] : [],
  );
  return [...new Set(beside)].filter((at) => !(seen[at]?.isSure || seen[at]?.best === null));
}

function isDoubted(before: Observation, move: JudgedMove): boolean {
  if (move.verdict === "blunder") return !isGivenAway(before, move.action);
  return isMistake(move) && move.reason === null;
}

/** How many moves of a player have each verdict. */
export function counts(moves: readonly JudgedMove[], player: Player): Readonly<Record<Verdict, number>> {
  const tally = { good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const move of moves) if (move.player === player) tally[move.verdict]++;
  return tally;
}

/** A player's accuracy, 0 to 100; null if fewer than `FEWEST` of their moves could lose something. */
export function accuracy(moves: readonly JudgedMove[], player: Player): number | null {
  const own = moves.filter((move) => move.player === player && move.isChoice);
  if (own.length < FEWEST) return null;
  return own.reduce((sum, { loss }) => sum + accuracyOf(loss), 0) / own.length;
}

function accuracyOf(loss: number): number {
  const { factor, rate, offset } = thresholds.accuracy;
  return Math.min(100, Math.max(0, factor * Math.exp(-rate * 100 * loss) - offset));
}

/**
 * The next position, counted in moves, that a mistake or a blunder leads to; after the last one the first. `shown` is
 * the present position. null if there are no mistakes.
 */
export function nextMistake(moves: readonly JudgedMove[], shown: number): number | null {
  const places = moves.flatMap((move, at) => (isMistake(move) ? [at + 1] : []));
  return places.find((place) => place > shown) ?? places[0] ?? null;
}
