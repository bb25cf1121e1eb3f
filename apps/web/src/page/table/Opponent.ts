/** The network's side of a table: it moves where it is its turn, and tells what it thinks. */

import type { Progress, Thought } from "../../worker/Messages";
import * as controls from "../Controls";
import { byId, say as put } from "../Dom";
import * as sessions from "../Session";
import type { Help } from "./Help";
import type { Scoring } from "./Scoring";
import type { Sitting } from "./Sitting";

export class Opponent {
  /** Once a person did not agree on the dead stones, the network plays until captures are real. */
  isPlayedOn = false;

  constructor(
    private readonly sitting: Sitting,
    private readonly help: Help,
    private readonly scoring: Scoring,
  ) {}

  private get isTheirTurn(): boolean {
    return sessions.phase(this.sitting.session) === "theirs";
  }

  /** Let the network move while it is its turn, it is there and somebody watches. */
  async go(): Promise<void> {
    const { sitting } = this;
    const { turn } = sitting;
    while (this.isTheirTurn) {
      sitting.show();
      if (!sitting.network || document.hidden) return;
      const thought = await this.think();
      if (!thought || turn !== sitting.turn) return;
      this.take(thought);
    }
    if (this.scoring.isOpen) this.scoring.propose();
    sitting.show();
    this.help.warmUp();
  }

  private think(): Promise<Thought | null> {
    const { sitting } = this;
    const { turn, session } = sitting;
    const position = sitting.positionOf(session, Infinity);
    const request = { position, limit: controls.limit(), passes: !this.isPlayedOn };
    const tell = (progress: Progress): void => {
      if (turn === sitting.turn) this.tell(progress);
    };
    return sitting.ask(() => sitting.setup.client.ask("think", request, tell));
  }

  /** What a thought has found so far. */
  private tell(progress: Progress): void {
    const { sitting } = this;
    sitting.displayThought(progress);
    if (!controls.isHeatWanted() || sitting.isReplay) return;
    sitting.heat = new Map(progress.shares);
    sitting.board.heat(sitting.heat);
  }

  /** Play what the network has chosen. */
  private take(thought: Thought): void {
    const { sitting } = this;
    sitting.displayThought(thought);
    sitting.heat = null;
    const { shown } = sitting.session;
    sitting.session = sessions.rated(sitting.session, thought.winRate);
    put(byId("spoken"), sitting.board.told(thought.action, sessions.latest(sitting.session)));
    sitting.move(thought.action);
    if (sitting.isReplay) sitting.session = { ...sitting.session, shown };
  }

  /** Go on after a thought was left; the one that a move has begun meanwhile begins anew. */
  resume(): void {
    this.sitting.leaveThought();
    void this.go();
  }

  /** End the thought where nobody looks, and begin it anew where somebody does again. */
  attend(isSeen: boolean): void {
    if (!this.isTheirTurn) return;
    if (isSeen) this.resume();
    else this.sitting.leaveThought();
  }
}
