/** The network's side of a table: it moves where it is its turn, and tells what it thinks. */

import type { Said } from "../../texts/Speech";
import type { Progress, Thought } from "../../worker/Messages";
import * as controls from "../choices/Controls";
import { keepAwake, pace } from "../display/WatchBar";
import { complain } from "../dom/Complaint";
import * as sessions from "../game/Session";
import type { Sitting } from "../sitting/Sitting";
import type { Help } from "./Help";
import type { Scoring } from "./Scoring";

export class Opponent {
  /** Once a person did not agree on the dead stones, the network plays until captures are real. */
  isPlayedOn = false;
  private isThinking = false;

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
      if (!sitting.network || document.hidden || sitting.isPaused) return;
      await this.rest();
      if (turn !== sitting.turn) return;
      const thought = await this.think();
      if (!thought || turn !== sitting.turn) return;
      this.take(thought);
    }
    if (this.scoring.isOpen) await this.scoring.propose();
    if (turn !== sitting.turn) return;
    sitting.show();
    this.help.warmUp();
  }

  /** Let the last move of a game that is watched be seen before the next one is thought about. */
  private async rest(): Promise<void> {
    const { session } = this.sitting;
    if (!sessions.isWatched(session) || session.states.length === 1) return;
    await new Promise((resolve) => setTimeout(resolve, pace()));
  }

  /** Let a game that is watched stand still, with the thought that is under way given up, or let it go on. */
  pause(isPaused: boolean): void {
    const { sitting } = this;
    if (!sessions.isWatched(sitting.session) || isPaused === sitting.isPaused) return;
    sitting.leaveThought();
    sitting.isPaused = isPaused;
    sitting.show();
    if (!isPaused) void this.go();
  }

  /** One move of a game that is watched and stands still. */
  async step(): Promise<void> {
    const { sitting } = this;
    const { turn } = sitting;
    if (!sitting.network || !sitting.isPaused || !this.isTheirTurn || this.isThinking) return;
    this.isThinking = true;
    const thought = await this.think();
    this.isThinking = false;
    if (!thought || turn !== sitting.turn) return;
    this.take(thought);
    sitting.show();
  }

  private think(): Promise<Thought | null> {
    const { sitting } = this;
    const { turn, session, sides, identity } = sitting;
    // The games of a series are the same whenever they are played.
    const { series } = identity;
    const side = sides?.[sessions.latest(session).toMove];
    const position = sitting.positionOf(session, Infinity);
    const limit = side ? controls.limitFrom(side.level, series && series.seed + series.round) : controls.limit();
    const request = { position, limit, passes: !this.isPlayedOn, by: side?.bundle?.name };
    const tell = (progress: Progress): void => {
      if (turn === sitting.turn) this.tell(progress);
    };
    return sitting.ask(
      async () => {
        if (side) await sitting.setup.seat(side);
        return turn === sitting.turn ? sitting.setup.client.ask("think", request, tell) : null;
      },
      // A network that was on its way is not wanted any more.
      (why) => turn === sitting.turn && this.stick(why),
    );
  }

  /** Say why the network has not moved, and let a person ask it again: nothing is under way that could be waited for. */
  private stick(why: Said): void {
    complain(why);
    this.sitting.isStuck = true;
    this.sitting.show();
  }

  /** Ask the network again that has given no move. */
  askAgain(): void {
    if (!this.sitting.isStuck) return;
    complain(null);
    this.resume();
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
    sitting.session = sessions.rateMove(sitting.session, thought.winRate);
    sitting.move(thought.action);
    if (sitting.isReplay) sitting.session = { ...sitting.session, shown };
  }

  /** Go on after a thought was left; the one that a move has begun meanwhile begins anew. */
  resume(): void {
    this.sitting.leaveThought();
    void this.go();
  }

  /** Begin a thought that is under way anew, by what is chosen now. */
  rethink(): void {
    if (this.isTheirTurn) this.resume();
  }

  /** End the thought where nobody looks, and begin it anew where somebody does again. */
  attend(isSeen: boolean): void {
    if (isSeen) this.rethink();
    else {
      keepAwake(false);
      if (this.isTheirTurn) this.sitting.leaveThought();
    }
  }
}
