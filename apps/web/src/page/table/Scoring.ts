/** The end of a game of Go after two passes: the dead stones are proposed, changed by a person, and agreed on. */

import { Go } from "../../engine/games/Go";
import { toggleChain } from "../game/Ending";
import * as sessions from "../game/Session";
import { agree, mark, reopen } from "../sitting/Sitting";
import type { Stage } from "../sitting/Stage";

export class Scoring {
  constructor(private readonly stage: Stage) {}

  get isOpen(): boolean {
    return sessions.phase(this.stage.now.session) === "scoring";
  }

  /** Mark the stones that are proposed dead, for a person to agree with. */
  async propose(): Promise<void> {
    const { session, turn } = this.stage.now;
    const state = sessions.latest(session);
    if (!(state instanceof Go)) return;
    const { proposeDead } = await import("../game/Estimate");
    if (turn === this.stage.now.turn && this.isOpen) this.stage.change(mark, proposeDead(state));
  }

  /** Take a chain for dead, or for alive where it was dead. */
  toggle(at: number): void {
    const { session, dead } = this.stage.now;
    this.stage.change(mark, toggleChain(sessions.latest(session), dead, at));
  }

  /** The dead stones are those that are marked. */
  agree(): void {
    if (!this.isOpen) return;
    this.stage.change(agree);
    this.stage.keep();
  }

  /** Take both passes back. */
  reopen(): void {
    this.stage.leaveThought();
    this.stage.change(reopen);
    this.stage.keep();
  }
}
