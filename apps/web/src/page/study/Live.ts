/** A position that is looked at for as long as it is shown: what the search considers there, deeper and deeper. */

import type { State } from "../../engine/State";
import type { Analysis } from "../../worker/Messages";
import * as sessions from "../game/Session";
import { sharesOf } from "../review/CandidateList";
import { type Margins, marginsIn } from "../review/Points";
import type { Watcher } from "../review/Study";
import type { Sitting } from "../sitting/Sitting";

export class Live implements Watcher {
  /** The position that is looked at, or was to the end; null where none is. */
  private state: State | null = null;

  constructor(private readonly sitting: Sitting) {}

  look(): void {
    const { sitting } = this;
    const { isReplay, isAnalysing, network, retry } = sitting;
    // What a person is to find themselves is not shown to them.
    const isFree = network !== null && isReplay && !isAnalysing && retry === null;
    const state = isFree ? sessions.visible(sitting.shown) : null;
    if (state === this.state) return;
    this.end();
    if (!state || state.isTerminal) return;
    this.state = state;
    void this.search(state);
  }

  end(): void {
    if (this.state) this.sitting.setup.client.stop();
    this.state = null;
  }

  private async search(state: State): Promise<void> {
    const { sitting } = this;
    // Not before the search has something to tell: who walks through a game waits for nothing to be solved.
    let margins: Margins | null = null;
    const show = (found: Analysis): void => {
      if (this.state !== state) return;
      margins ??= marginsIn(state);
      const points = margins(found.candidates.map(({ action }) => action));
      [sitting.found, sitting.heat, sitting.points] = [found, sharesOf(found), points];
      sitting.show();
    };
    const request = { position: sitting.positionOf(sitting.shown), simulations: null };
    const found = await sitting.ask(() => sitting.setup.client.ask("analyse", request, show));
    if (found?.candidates.length) show(found);
  }
}
