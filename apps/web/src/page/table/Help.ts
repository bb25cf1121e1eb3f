/** Help that a person asks for: a hint, the heat map of every move, an estimate of the score in Go. */

import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Reversi } from "../../engine/games/Reversi";
import type { State } from "../../engine/State";
import { percent, type Said, say } from "../../texts/Speech";
import { type Analysis, largest } from "../../worker/Messages";
import * as controls from "../choices/Controls";
import * as sessions from "../game/Session";
import { LEADS } from "../review/Facts";
import { sharesOf, simulations } from "../review/Shares";
import { type Figures, figure, figuresOf, isYours, panelOfSitting, shown } from "../sitting/Sitting";
import type { Stage } from "../sitting/Stage";
import { sayEqual } from "../words/Equal";

export class Help {
  constructor(private readonly stage: Stage) {}

  /**
   * Show what a search of the position considers, on the board and in a list. While it is under way the page says so, and
   * another press ends it: what it has found by then is shown as soon as it comes.
   */
  async hint(): Promise<void> {
    const { stage } = this;
    if (!stage.now.network) return;
    const { isHinting } = figuresOf(stage.now);
    stage.cool();
    if (isHinting) return;
    const wait: Said = () => say("hint_wait");
    stage.change(figure, sessions.visible(shown(stage.now)), { isHinting: true, hint: wait });
    try {
      await this.find();
    } finally {
      // Nothing was found, or it was ended: nothing is waited for any more.
      if (figuresOf(stage.now).hint === wait) stage.cool();
    }
  }

  /** What a hint asks for, and shows where the position is still there. */
  private async find(): Promise<void> {
    const { stage } = this;
    const { turn } = stage.now;
    const at = shown(stage.now);
    const state = sessions.visible(at);
    const request = { position: stage.positionOf(at), simulations: simulations() };
    const analysis = await stage.ask(
      () => stage.setup.client.ask("analyse", request),
      (why) => this.excuse(turn, state, why),
    );
    const points = analysis && (await this.measure(state, analysis));
    const [best] = analysis?.candidates ?? [];
    // A person who has gone on meanwhile has ended it already.
    if (!analysis || !best || turn !== stage.now.turn) return;
    const heat = sharesOf(analysis);
    const panel = panelOfSitting(figure(stage.now, state, { found: analysis, points }));
    // What is proven rules over what the search has met on its way, in the words as in the bar.
    const isTold = sessions.hasPerson(at) && analysis.seen && panel.figure?.unit === "chance";
    const rate = isTold ? panel.figure.value : null;
    const { equal } = panel;
    const isLost = equal.length === 0 && panel.options.length > 1;
    const one = this.words(best.action, heat.get(best.action) ?? 0, rate);
    const hint = isLost
      ? this.lost(best.action)
      : equal.length > 1
        ? this.equal(state, equal, panel.proven !== null, rate)
        : one;
    stage.change(figure, state, { isHinting: false, found: analysis, heat, points, hint });
  }

  /** What the moves that were found gain or lose against the best of them, where the game is counted and that is known. */
  private async measure(state: State, { candidates }: Analysis): Promise<NonNullable<Figures["points"]> | null> {
    const isCounted = state instanceof Go || state instanceof DotsAndBoxes || state instanceof Reversi;
    if (!isCounted || !candidates.length) return null;
    // Without it the discs say chances, as in other games.
    const measuring = await import("../review/Points").catch(() => null);
    const actions = candidates.map(({ action }) => action);
    return measuring?.pointsOf(state, actions) ?? null;
  }

  /** Every move loses if the opponent plays perfectly. */
  private lost(action: number): Said {
    return () => say("hint_lost", this.stage.board.nameOf(action));
  }

  /** Several moves are as good as each other. */
  private equal(state: State, actions: readonly number[], isProven: boolean, rate: number | null): Said {
    const isAll = actions.length === state.legalActions().length;
    return () =>
      sayEqual(
        actions.map((each) => this.stage.board.nameOf(each)),
        { isAll, isProven, rate },
      );
  }

  private words(action: number, share: number, rate: number | null): Said {
    return () => {
      const [move, part] = [this.stage.board.nameOf(action), percent(share)];
      return rate === null ? say("hint_move", move, part) : say("hint_move_rate", move, part, percent(rate));
    };
  }

  /** A hint is a help: without one the game goes on, and it can be asked for again. */
  private excuse(turn: number, state: State, why: Said): void {
    const { stage } = this;
    if (turn !== stage.now.turn) return;
    stage.change(figure, state, { isHinting: false, hint: () => say("no_hint", why()) });
  }

  /** Colour the board at every move from now on, or no more. */
  heatChanged(): void {
    this.stage.cool();
    this.warmUp();
  }

  /** Colour the board where a person is to move and wants it at every move. */
  warmUp(): void {
    const { now } = this.stage;
    if (now.network?.hasPolicy && controls.isHeatWanted() && isYours(now)) void this.showPolicy();
  }

  /** Colour the board by the network's policy. */
  private async showPolicy(): Promise<void> {
    const { stage } = this;
    const { turn, session } = stage.now;
    const state = sessions.latest(session);
    const advice = await stage.ask(
      () => stage.setup.client.ask("advise", { position: stage.positionOf(session, Infinity) }),
      (why) => this.excuse(turn, state, why),
    );
    if (!advice || turn !== stage.now.turn || stage.now.isReplay) return;
    const { policy, best, winRate } = advice;
    const [move, share] = largest(best?.length ? policy.filter(([action]) => best.includes(action)) : policy);
    stage.change(figure, state, { heat: new Map(policy), estimated: null, hint: this.words(move, share, winRate) });
  }

  /** Say who is ahead in Go, and show whose each point is. */
  async estimate(): Promise<void> {
    const { stage } = this;
    const state = sessions.latest(stage.now.session);
    if (!(state instanceof Go) || !isYours(stage.now)) return;
    stage.leaveThought();
    const { turn } = stage.now;
    const { describeEstimate } = await import("../game/Estimate");
    if (turn !== stage.now.turn) return;
    const [hint, estimated, lead] = describeEstimate(state);
    LEADS.set(state, lead);
    stage.change(figure, state, { estimated, hint });
  }
}
