/**
 * The root of a search that shares its simulations out by sequential halving, without random draws.
 *
 * A search at the root wants to find the best move, not to visit good ones often. Of the moves that look best at first a
 * few are considered, all are visited equally often, the worse half is left, and so on until two remain. What looks best
 * is the largest logarithm of the prior plus the rescaled value. Danihelka, Guez, Schrittwieser and Silver, "Policy
 * improvement by planning with Gumbel", ICLR 2022; the numbers are those of mctx, with Gumbel's noise left out: the same
 * position always has the same search.
 *
 * Everything is arithmetic of doubles in the order written, the logarithm too, so that visits are the same in every
 * language.
 */

import type { Gumbel } from "./SearchSettings";
import { ROOT, type Tree } from "./Tree";

// If the number of simulations is unknown, this many are shared out first, then twice as many, and so on.
const FIRST_SHARE = 32;
// A smaller prior counts as this one, so that it has a logarithm.
const LEAST_PRIOR = 1e-300;
// Values that lie nearer to each other count as equal.
const LEAST_SPAN = 1e-8;

/**
 * The natural logarithm of a number above 0 and at most 1, by arithmetic that every language does alike.
 *
 * With s = (m - 1) / (m + 1) it is ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), for m between the root of 1/2 and 1.
 */
export function logarithm(number: number): number {
  let doublings = 0;
  for (; number < Math.SQRT1_2; doublings++) number *= 2;
  const s = (number - 1) / (number + 1);
  const square = s * s;
  let total = 0;
  for (let odd = 21; odd > 0; odd -= 2) total = total * square + 1 / odd;
  return 2 * s * total - doublings * Math.LN2;
}

/** Which moves are to be visited, one simulation after the other: those with as many visits as `step` says. */
export class Halving {
  private readonly halvings: number;
  private visits = 0;
  private rounds = 0;
  private toVisit = 0;

  /** `moves` is how many there are to choose from, `simulations` how many are shared out. */
  constructor(
    private moves: number,
    private readonly simulations: number,
  ) {
    this.halvings = Math.max(1, 32 - Math.clz32(moves - 1));
    this.beginPhase();
  }

  private beginPhase(): void {
    this.rounds = Math.max(1, Math.floor(this.simulations / (this.halvings * this.moves)));
    this.toVisit = this.moves;
  }

  /** The number of visits that the next simulation's move has so far, within what is shared out here. */
  step(): number {
    if (this.toVisit === 0) {
      this.visits++;
      this.rounds--;
      this.toVisit = this.moves;
      if (this.rounds === 0) {
        this.moves = Math.max(Math.min(2, this.moves), Math.floor(this.moves / 2));
        this.beginPhase();
      }
    }
    this.toVisit--;
    return this.visits;
  }
}

/** How a search's simulations at its root are shared out, and which move is the best in the end. */
export class GumbelRoot {
  private isOpen = false;
  private size = 0;
  private left = 0;
  private halving: Halving | null = null;
  // Of the root's children: their visits when the plan began, the logarithms of their priors, and their scores.
  private before: Int32Array | null = null;
  private logits: Float64Array | null = null;
  private scores = new Float64Array(0);

  constructor(private readonly settings: Gumbel) {}

  /** The root is another one. */
  forget(): void {
    [this.isOpen, this.size, this.left] = [false, 0, 0];
    [this.halving, this.before, this.logits] = [null, null, null];
  }

  /** The next `simulations` belong together; null if their number is unknown. */
  begin(simulations: number | null): void {
    this.isOpen = simulations === null;
    this.shareOut(simulations ?? FIRST_SHARE);
  }

  private shareOut(simulations: number): void {
    [this.size, this.left] = [simulations, simulations];
    [this.halving, this.before] = [null, null];
  }

  /** A simulation begins, with `toCome` more of the same run, itself counted. */
  count(toCome: number): void {
    if (this.left === 0) this.shareOut(this.isOpen ? 2 * this.size : toCome);
    this.left--;
  }

  /** The root's child that the simulation counted last visits; `value` is the network's of the root. */
  choose(tree: Tree, value: number): number {
    const [from, to] = tree.rowsBelow(ROOT);
    this.halving ??= new Halving(Math.min(this.settings.considered, to - from), this.left + 1);
    this.before ??= Int32Array.from({ length: to - from }, (_, at) => tree.visitsOf(from + at));
    const [step, before] = [this.halving.step(), this.before];
    this.score(tree, from, to, value);
    let best = -1;
    for (let at = 0; at < to - from; at++) {
      if (tree.visitsOf(from + at) - (before[at] ?? 0) !== step) continue;
      if (best < 0 || this.scoreOf(at) > this.scoreOf(best)) best = at;
    }
    return from + best;
  }

  /** The best of those children whose rows `among` lists: of the ones visited most since the plan began, by score. */
  best(tree: Tree, value: number, among: readonly number[]): number {
    const [from, to] = tree.rowsBelow(ROOT);
    const news = (row: number): number => tree.visitsOf(row) - (this.before?.[row - from] ?? 0);
    const most = Math.max(...among.map(news));
    this.score(tree, from, to, value);
    return among
      .filter((row) => news(row) === most)
      .reduce((best, row) => (this.scoreOf(row - from) > this.scoreOf(best - from) ? row : best));
  }

  private scoreOf(at: number): number {
    return this.scores[at] ?? 0;
  }

  /**
   * Score the children in the rows `from` to before `to`. One without a visit counts as worth the mean of `value` and of
   * the visited ones' values, weighted by their priors. All values are stretched to reach from 0 to 1.
   */
  private score(tree: Tree, from: number, to: number, value: number): void {
    this.logits ??= Float64Array.from({ length: to - from }, (_, at) =>
      logarithm(Math.max(LEAST_PRIOR, tree.priorOf(from + at))),
    );
    if (this.scores.length < to - from) this.scores = new Float64Array(to - from);
    const { logits, scores } = this;
    let [visits, most, priors] = [0, 0, 0];
    for (let row = from; row < to; row++) {
      const count = tree.visitsOf(row);
      visits += count;
      if (count > most) most = count;
      if (count > 0) priors += Math.max(LEAST_PRIOR, tree.priorOf(row));
    }
    let weighted = 0;
    for (let row = from; row < to; row++) {
      if (tree.visitsOf(row) > 0) weighted += (Math.max(LEAST_PRIOR, tree.priorOf(row)) * tree.meanOf(row)) / priors;
    }
    const mixed = (value + visits * weighted) / (visits + 1);
    let [low, high] = [Infinity, -Infinity];
    for (let row = from; row < to; row++) {
      const mean = tree.visitsOf(row) > 0 ? tree.meanOf(row) : mixed;
      scores[row - from] = mean;
      if (mean < low) low = mean;
      if (mean > high) high = mean;
    }
    const scale = (this.settings.visit + most) * this.settings.scale;
    const span = Math.max(high - low, LEAST_SPAN);
    for (let at = 0; at < to - from; at++) {
      scores[at] = (logits[at] ?? 0) + scale * ((this.scoreOf(at) - low) / span);
    }
  }
}
