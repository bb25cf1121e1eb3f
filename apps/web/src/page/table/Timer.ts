/** Lets the time of two people go by: while their board is there, somebody sees it, and a move is waited for. */

import { faceOf, leftAt } from "../game/Clock";
import * as sessions from "../game/Session";
import { passTime } from "../sitting/Sitting";
import type { Stage } from "../sitting/Stage";

/** How often the clock is looked at, and how much of its time a page that is killed may lose, in milliseconds. */
const OFTEN = 200;
const KEPT = 5000;

export class Timer {
  /** When it was looked at last while time went by; null while it does not. */
  private since: number | null = null;
  /** What has gone by and is not in the sitting yet, and what is there and is not kept yet. */
  private pending = 0;
  private unkept = 0;

  constructor(private readonly stage: Stage) {
    const ticking = setInterval(() => {
      if (stage.board.element.isConnected) this.look();
      else clearInterval(ticking);
    }, OFTEN);
    addEventListener("pagehide", () => this.flush(true));
  }

  /** Bring the sitting in line with the time, as soon as its clock shows another second. */
  look(): void {
    const { stage } = this;
    const { session, isReplay, isSeen } = stage.now;
    const at = performance.now();
    if (this.since !== null) this.pending += at - this.since;
    const isOn = sessions.isTimed(session) && isSeen && !isReplay && stage.board.element.isConnected;
    this.since = isOn ? at : null;
    if (!session.clock || !this.pending) return;
    const left = leftAt(session.clock, session.states.length - 1)[sessions.latest(session).toMove];
    if (!isOn || faceOf(left) !== faceOf(left - this.pending) || left <= this.pending) this.flush();
  }

  /** The same now, and `isWanted` in the library. */
  flush(isWanted = false): void {
    const { stage, pending } = this;
    const at = performance.now();
    const spent = pending + (this.since === null ? 0 : at - this.since);
    if (this.since !== null) this.since = at;
    this.pending = 0;
    if (spent <= 0 || !sessions.isTimed(stage.now.session)) return;
    stage.change(passTime, spent);
    this.unkept += spent;
    if (!isWanted && this.unkept < KEPT && stage.now.session.end === null) return;
    this.unkept = 0;
    stage.keep();
  }
}
