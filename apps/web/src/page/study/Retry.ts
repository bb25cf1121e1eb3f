/** A mistake that a person tries to do better: the position before it, until a move is found that is no mistake. */

import { type Judged, judgeMoves, type Seen } from "../../engine/review/Verdicts";
import { count, percent, type Said, say } from "../../texts/Speech";
import * as sessions from "../game/Session";
import { seenOf } from "../review/Judgement";
import { type Line, tryMove } from "../review/Line";
import { capital, clauseOf, simulations } from "../review/Panel";
import type { Trial } from "../review/Study";
import type { Sitting } from "../sitting/Sitting";
import "../../texts/parts/Study";

export class Retry implements Trial {
  said: Said;
  isDone = false;

  /** `mistake` is the move after the position that is shown; `found` hears of the line that begins with a good one. */
  constructor(
    private readonly sitting: Sitting,
    private readonly mistake: Judged,
    private readonly found: (line: Line) => void,
  ) {
    this.said = this.ask;
  }

  /** Look at a move that a person has chosen: it is kept where it is good, and taken back where it is not. */
  async attempt(action: number): Promise<void> {
    const { sitting } = this;
    const name = (): string => capital(this.nameOf(action));
    if (action === this.mistake.action) {
      this.say(() => say("retry_same", name()));
      return;
    }
    const before = seenOf(sitting.session)[sessions.moveShown(sitting.session)];
    const line = tryMove(sitting.session, null, action);
    sitting.line = line;
    this.say(() => say("retry_wait", this.nameOf(action)));
    const request = { position: sitting.positionOf(line.session), simulations: simulations() };
    const after = await sitting.ask(() => sitting.setup.client.ask("analyse", request));
    if (sitting.retry !== this || sitting.line !== line) return;
    const judged = before && after?.seen && after.isWhole ? judge(before, after.seen, action) : null;
    this.isDone = judged?.verdict === "good";
    if (this.isDone) this.found(line);
    else sitting.line = null;
    this.say(judged ? () => this.sentenceOf(judged, name()) : this.ask);
  }

  private readonly ask: Said = () => say("retry_ask", this.nameOf(this.mistake.action));

  private say(said: Said): void {
    this.said = said;
    this.sitting.show();
  }

  private sentenceOf({ action, verdict, reason, margin, unit, loss }: Judged, name: string): string {
    const { better } = this.mistake;
    if (verdict === "good")
      return action === better || better === null
        ? say("retry_best", name)
        : say("retry_good", name, this.nameOf(better));
    if (reason)
      return say(
        "retry_because",
        name,
        clauseOf(reason, (each) => this.nameOf(each)),
      );
    return margin
      ? say("retry_because", name, count(`loses_${unit}`, margin))
      : say("retry_loses", name, percent(loss));
  }

  private nameOf(action: number): string {
    return this.sitting.board.nameOf(action);
  }
}

const judge = (before: Seen, after: Seen, action: number): Judged | null =>
  judgeMoves([before, after], [action])[0] ?? null;
