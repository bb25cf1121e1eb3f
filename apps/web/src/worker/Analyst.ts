/** Looks at one position after the other, for hints and reviews: each by a search of its own, begun anew. */

import type { Evaluator } from "../engine/Evaluator";
import type { Reading } from "../engine/Game";
import { candidates } from "../engine/review/Candidates";
import { seenBy } from "../engine/review/Verdicts";
import { Search } from "../engine/Search";
import type { Analysis, Requests } from "./Messages";
import { turn } from "./Thinker";

// As a thought's: often enough that a stop is heard at once.
const SLICE_SECONDS = 0.05;

export class Analyst {
  constructor(
    private readonly reading: Reading,
    private readonly network: Evaluator & { readonly hasValue: boolean },
  ) {}

  /**
   * What a search of so many simulations says of a position, the result where the game is over. `isWhole` is false
   * where it was stopped before its end.
   */
  async analyse({ position, simulations }: Requests["analyse"], isStopped: () => boolean): Promise<Analysis> {
    const start = this.reading.start(position.settings);
    const search = new Search(
      position.actions.reduce((state, action) => state.apply(action), start),
      this.network,
    );
    let made = 0;
    while (made < simulations && !isStopped() && !search.state.isTerminal) {
      made += await search.run(simulations - made, SLICE_SECONDS);
      await turn();
    }
    const visits = search.children().reduce((sum, child) => sum + child.visits, 0);
    const isWhole = search.state.isTerminal || made >= simulations;
    const seen = this.network.hasValue || search.state.isTerminal ? seenBy(search) : null;
    return { seen, candidates: candidates(search), visits, isWhole };
  }
}
