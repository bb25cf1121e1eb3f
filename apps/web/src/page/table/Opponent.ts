/** The network's side of a table: it moves where it is its turn, and tells what it thinks. */

import type { Said } from "../../texts/Speech";
import type { Progress, Thought } from "../../worker/Messages";
import * as controls from "../choices/Controls";
import { pace } from "../display/WatchBar";
import { complain } from "../dom/Complaint";
import * as sessions from "../game/Session";
import { attend, pause, sidesOf, stick, take } from "../sitting/Sitting";
import type { Stage } from "../sitting/Stage";
import type { Help } from "./Help";
import type { Scoring } from "./Scoring";

export class Opponent {
  private isThinking = false;

  constructor(
    private readonly stage: Stage,
    private readonly help: Help,
    private readonly scoring: Scoring,
  ) {}

  private get isTheirTurn(): boolean {
    return sessions.phase(this.stage.now.session) === "theirs";
  }

  /** Let the network move while it is its turn, it is there and somebody watches. */
  async go(): Promise<void> {
    const { stage } = this;
    const { turn } = stage.now;
    while (this.isTheirTurn) {
      if (!stage.now.network || document.hidden || stage.now.isPaused) return;
      await this.rest();
      if (turn !== stage.now.turn) return;
      const thought = await this.think();
      if (!thought || turn !== stage.now.turn) return;
      this.take(thought);
    }
    if (this.scoring.isOpen) await this.scoring.propose();
    if (turn === stage.now.turn) this.help.warmUp();
  }

  /** Let the last move of a game that is watched be seen before the next one is thought about. */
  private async rest(): Promise<void> {
    const { session } = this.stage.now;
    if (!sessions.isWatched(session) || session.states.length === 1) return;
    await new Promise((resolve) => setTimeout(resolve, pace()));
  }

  /** Let a game that is watched stand still, with the thought that is under way given up, or let it go on. */
  pause(isPaused: boolean): void {
    const { stage } = this;
    if (!sessions.isWatched(stage.now.session) || isPaused === stage.now.isPaused) return;
    stage.leaveThought();
    stage.change(pause, isPaused);
    if (!isPaused) void this.go();
  }

  /** One move of a game that is watched and stands still. */
  async step(): Promise<void> {
    const { network, isPaused, turn } = this.stage.now;
    if (!network || !isPaused || !this.isTheirTurn || this.isThinking) return;
    this.isThinking = true;
    const thought = await this.think();
    this.isThinking = false;
    if (thought && turn === this.stage.now.turn) this.take(thought);
  }

  private think(): Promise<Thought | null> {
    const { stage } = this;
    const { turn, session, identity, isPlayedOn } = stage.now;
    const state = sessions.latest(session);
    // The games of a series are the same whenever they are played.
    const { series } = identity;
    const side = sidesOf(stage.now)?.[state.toMove];
    const position = stage.positionOf(session, Infinity);
    const limit = side ? controls.limitFrom(side.level, series && series.seed + series.round) : controls.limit();
    const request = { position, limit, passes: !isPlayedOn, by: side?.bundle?.name };
    const tell = (progress: Progress): void => {
      if (turn === stage.now.turn) stage.tell(state, progress);
    };
    return stage.ask(
      async () => {
        if (side) await stage.setup.seat(side);
        return turn === stage.now.turn ? stage.setup.client.ask("think", request, tell) : null;
      },
      // A network that was on its way is not wanted any more.
      (why) => turn === stage.now.turn && this.stick(why),
    );
  }

  /** Say why the network has not moved, and let a person ask it again: nothing is under way that could be waited for. */
  private stick(why: Said): void {
    complain(why);
    this.stage.change(stick);
  }

  /** Ask the network again that has given no move. */
  askAgain(): void {
    if (!this.stage.now.isStuck) return;
    complain(null);
    this.resume();
  }

  /** Play what the network has chosen. */
  private take(thought: Thought): void {
    this.stage.move(thought.action, (now) => take(now, thought));
  }

  /** Go on after a thought was left; the one that a move has begun meanwhile begins anew. */
  resume(): void {
    this.stage.leaveThought();
    void this.go();
  }

  /** Begin a thought that is under way anew, by what is chosen now. */
  rethink(): void {
    if (this.isTheirTurn) this.resume();
  }

  /** End the thought where nobody looks, and begin it anew where somebody does again. */
  attend(isSeen: boolean): void {
    this.stage.change(attend, isSeen);
    if (isSeen) this.rethink();
    else if (this.isTheirTurn) this.stage.leaveThought();
  }
}
