/** A position that is looked at for as long as it is shown: what the search considers there, deeper and deeper. */

import type { State } from "../../engine/State";
import type { Analysis } from "../../worker/Messages";
import * as sessions from "../game/Session";
import { type Margins, marginsIn } from "../review/Points";
import { sharesOf } from "../review/Shares";
import { figure, shown } from "../sitting/Sitting";
import type { Stage, Watcher } from "../sitting/Stage";

export class Live implements Watcher {
  /** The position that is looked at, or was to the end; null if none is. */
  private state: State | null = null;

  constructor(private readonly stage: Stage) {}

  look(): void {
    const { now } = this.stage;
    // What a person is to find themselves is not shown to them.
    const isFree = now.isLive && now.network !== null && now.isReplay && !now.isAnalysing && now.retry === null;
    const state = isFree ? sessions.visible(shown(now)) : null;
    if (state === this.state) return;
    if (this.state) this.stage.setup.client.stop();
    this.state = state?.isTerminal ? null : state;
    if (this.state) void this.search(this.state);
  }

  private async search(state: State): Promise<void> {
    const { stage } = this;
    // Not before the search has something to tell: who walks through a game waits for nothing to be solved.
    let margins: Margins | null = null;
    const show = (found: Analysis): void => {
      if (this.state !== state) return;
      margins ??= marginsIn(state);
      const points = margins(found.candidates.map(({ action }) => action));
      stage.change(figure, state, { found, heat: sharesOf(found), points });
    };
    const request = { position: stage.positionOf(shown(stage.now)), simulations: null };
    const analysis = await stage.ask(() => stage.setup.client.ask("analyse", request, show));
    if (analysis?.candidates.length) show(analysis);
  }
}
