/** What a table does for a person who asks: a hint, the heat map of every move, an estimate of the score in Go. */

import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Reversi } from "../../engine/games/Reversi";
import type { State } from "../../engine/State";
import { percent, type Said, say } from "../../texts/Speech";
import { type Analysis, largest } from "../../worker/Messages";
import * as controls from "../choices/Controls";
import { chanceOf } from "../game/Chances";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { bestOf, sharesOf } from "../review/CandidateList";
import { simulations } from "../review/Panel";
import type { Sitting } from "../sitting/Sitting";

export class Help {
  constructor(private readonly sitting: Sitting) {}

  /**
   * Show what a search of the position considers, on the board and in a list. While it is under way the page says so, and
   * another press ends it: what it has found by then is shown as soon as it comes.
   */
  async hint(): Promise<void> {
    const { sitting } = this;
    if (!sitting.network) return;
    if (sitting.isHinting) {
      sitting.cool();
      sitting.show();
      return;
    }
    sitting.cool();
    const wait: Said = () => say("hint_wait");
    sitting.isHinting = true;
    sitting.note({ hint: wait });
    sitting.show();
    try {
      await this.find();
    } finally {
      // Nothing was found, or it was ended: nothing is waited for any more.
      if (sitting.notices.hint === wait) {
        sitting.isHinting = false;
        sitting.cool();
        sitting.show();
      }
    }
  }

  /** What a hint asks for, and shows where the position is still there. */
  private async find(): Promise<void> {
    const { sitting } = this;
    const { turn, shown } = sitting;
    const request = { position: sitting.positionOf(shown), simulations: simulations() };
    const found = await sitting.ask(
      () => sitting.setup.client.ask("analyse", request),
      (why) => this.excuse(turn, shown, why),
    );
    const points = found && (await this.measure(sessions.visible(shown), found));
    // Whoever has gone on meanwhile has ended it already.
    if (found?.candidates.length && turn === sitting.turn && this.isShown(shown)) this.showFound(shown, found, points);
  }

  private showFound(shown: Session, found: Analysis, points: Sitting["points"]): void {
    const { sitting } = this;
    const [best] = found.candidates;
    if (!best) return;
    sitting.isHinting = false;
    [sitting.found, sitting.heat, sitting.points] = [found, sharesOf(found), points];
    // What is proven rules over what the search has met on its way, in the words as in the bar.
    const rate = sessions.hasPerson(shown) ? chanceOf(shown, found.seen, null) : null;
    const equal = bestOf(found, points);
    if (equal.length > 1) this.tellEqual(equal, rate);
    else this.tell(best.action, sitting.heat.get(best.action) ?? 0, rate);
  }

  /** What the moves that were found gain or lose against the best of them, where the game is counted and that is known. */
  private async measure(state: State, { candidates }: Analysis): Promise<Sitting["points"]> {
    const isCounted = state instanceof Go || state instanceof DotsAndBoxes || state instanceof Reversi;
    if (!isCounted || !candidates.length) return null;
    // Without it the discs say chances, as in other games.
    const told = await import("../review/Points").catch(() => null);
    const actions = candidates.map(({ action }) => action);
    return told?.pointsOf(state, actions) ?? null;
  }

  /** Several moves are as good as each other, as far as the search has seen. */
  private tellEqual(actions: readonly number[], rate: number | null): void {
    const { board } = this.sitting;
    const hint = (): string => {
      const moves = actions.map((each) => board.nameOf(each)).join(say("board_comma"));
      return rate === null ? say("hint_equal", moves) : say("hint_equal_rate", moves, percent(rate));
    };
    this.sitting.note({ hint });
    this.sitting.show();
  }

  /** A hint is a help: without one the game goes on, and it can be asked for again. */
  private excuse(turn: number, shown: Session, why: Said): void {
    const { sitting } = this;
    if (turn !== sitting.turn || !this.isShown(shown)) return;
    sitting.isHinting = false;
    sitting.note({ hint: () => say("no_hint", why()) });
    sitting.show();
  }

  /** Whether the position of a session is still what is shown. */
  private isShown(session: Session): boolean {
    return sessions.visible(session) === sessions.visible(this.sitting.shown);
  }

  /** Colour the board at every move from now on, or no more. */
  heatChanged(): void {
    this.sitting.cool();
    this.sitting.show();
    this.warmUp();
  }

  /** Colour the board where a person is to move and wants it at every move. */
  warmUp(): void {
    const { network, isYours } = this.sitting;
    if (network?.hasPolicy && controls.isHeatWanted() && isYours) void this.showPolicy();
  }

  /** Colour the board by the network's policy. */
  private async showPolicy(): Promise<void> {
    const { sitting } = this;
    const { turn, shown } = sitting;
    const request = { position: sitting.positionOf(sitting.session, Infinity) };
    const advice = await sitting.ask(
      () => sitting.setup.client.ask("advise", request),
      (why) => this.excuse(turn, shown, why),
    );
    if (!advice || turn !== sitting.turn || sitting.isReplay) return;
    [sitting.heat, sitting.estimated] = [new Map(advice.policy), null];
    const { policy, best, winRate } = advice;
    this.tell(...largest(best?.length ? policy.filter(([action]) => best.includes(action)) : policy), winRate);
  }

  private tell(action: number, share: number, rate: number | null): void {
    const { board } = this.sitting;
    const hint = (): string => {
      const [move, part] = [board.nameOf(action), percent(share)];
      return rate === null ? say("hint_move", move, part) : say("hint_move_rate", move, part, percent(rate));
    };
    this.sitting.note({ hint });
    this.sitting.show();
  }

  /** Say who is ahead in Go, and show whose each point is. */
  async estimate(): Promise<void> {
    const { sitting } = this;
    const state = sessions.latest(sitting.session);
    if (!(state instanceof Go) || !sitting.isYours) return;
    sitting.leaveThought();
    const { turn } = sitting;
    const { describeEstimate } = await import("../game/Estimate");
    if (turn !== sitting.turn) return;
    const [sentence, counted] = describeEstimate(state);
    sitting.estimated = counted;
    sitting.note({ hint: sentence });
    sitting.show();
  }
}
