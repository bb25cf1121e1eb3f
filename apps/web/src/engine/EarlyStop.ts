/**
 * When a search ends before its last simulation: as soon as no other move can still be visited as often as the leader.
 *
 * With r simulations left a move that is d visits behind catches up only if d <= r. Leela Zero and KataGo, among others,
 * stop thinking at that point. The move played is the one that the whole search would have played, unless what the rules
 * prove had changed what may be played.
 */

/** Whether a root's visits decide the move already (`isOver`); `visits` are the root's, kept ones counted. */
export class EarlyStop {
  isOver = false;
  // The root's visits at the end, null if unknown, and those at which the next look is worth it.
  private ends: number | null = null;
  private looksAt = 0;

  /** The root is another one. */
  forget(): void {
    [this.isOver, this.ends] = [false, null];
  }

  /** The next `simulations` belong together; null if their number is unknown. */
  begin(visits: number, simulations: number | null): void {
    [this.isOver, this.looksAt] = [false, visits];
    this.ends = simulations === null ? null : visits + simulations;
  }

  /** Find out whether the move is decided; `counts` gives the visits of the moves that may be played. */
  look(visits: number, counts: () => number[]): void {
    if (this.isOver || this.ends === null || visits < this.looksAt) return;
    const [leader = 0, second = 0] = counts().sort((one, other) => other - one);
    const left = this.ends - visits;
    this.isOver = leader - second > left;
    // Each simulation adds at most 1 to the lead and takes 1 from what is left.
    this.looksAt = visits + Math.floor((left - (leader - second)) / 2) + 1;
  }
}
