/** The end of a game of Go after two passes: the dead stones are proposed, changed by a person, and agreed on. */

import { Go } from "../../engine/games/Go";
import type { State } from "../../engine/State";
import { scoringText, toggleChain } from "../game/Ending";
import * as sessions from "../game/Session";
import type { Sitting } from "../sitting/Sitting";

export class Scoring {
  constructor(private readonly sitting: Sitting) {}

  get isOpen(): boolean {
    return sessions.phase(this.sitting.session) === "scoring";
  }

  /** Mark the stones that are proposed dead, for a person to agree with. */
  async propose(): Promise<void> {
    const { sitting } = this;
    const [state, { turn }] = [sessions.latest(sitting.session), sitting];
    if (!(state instanceof Go)) return;
    const { proposeDead } = await import("../game/Estimate");
    if (turn === sitting.turn && this.isOpen) this.mark(state, proposeDead(state));
  }

  /** Take a chain for dead, or for alive where it was dead. */
  toggle(at: number): void {
    const state = sessions.latest(this.sitting.session);
    this.mark(state, toggleChain(state, this.sitting.dead, at));
    this.sitting.show();
  }

  private mark(state: State, dead: readonly number[]): void {
    this.sitting.dead = dead;
    this.sitting.note({ scoring: () => scoringText(state, dead) });
  }

  /** The dead stones are those that are marked. */
  agree(): void {
    const { sitting } = this;
    if (!this.isOpen) return;
    sitting.notices = {};
    sitting.session = sessions.agreeOn(sitting.session, sitting.dead);
    sitting.keep();
    sitting.show();
  }

  /** Take both passes back. */
  reopen(): void {
    const { sitting } = this;
    sitting.leaveThought();
    sitting.notices = {};
    sitting.session = sessions.takePassesBack(sitting.session);
    sitting.displayThought(null);
    sitting.keep();
  }
}
