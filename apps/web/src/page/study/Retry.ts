/** A mistake that a person tries to do better: the position before it, until a move is found that is no mistake. */

import { type JudgedMove, judgeMoves, type Observation } from "../../engine/review/Verdicts";
import { count, percent, type Said, say } from "../../texts/Speech";
import * as sessions from "../game/Session";
import { seenOf } from "../review/Judgement";
import { type Line, tryMove } from "../review/Line";
import { clauseOf } from "../review/Panel";
import { simulations } from "../review/Shares";
import { solve, tryAgain } from "../sitting/Sitting";
import type { Stage } from "../sitting/Stage";
import { capital } from "../words/Words";
import "texts:study";

/** Have a person asked for a better move than `mistake`, the one after the position that is shown. */
export function askFor(stage: Stage, mistake: JudgedMove): void {
  stage.change(tryAgain, { mistake, said: asking(stage, mistake), isDone: false }, null);
}

/** Look at a move that a person has chosen: its line is kept where it is good, and taken back if it is not. */
export async function attempt(stage: Stage, action: number, keep: (line: Line) => void): Promise<void> {
  const { session, retry } = stage.now;
  if (!retry || stage.now.line) return;
  const { mistake } = retry;
  const name = (): string => capital(stage.board.nameOf(action));
  const tell = (said: Said, line: Line | null, isDone = false): void =>
    stage.change(tryAgain, { mistake, said, isDone }, line);
  if (action === mistake.action) {
    tell(() => say("retry_same", name()), null);
    return;
  }
  const before = seenOf(session)[sessions.moveShown(session)];
  const line = tryMove(session, null, action);
  tell(() => say("retry_wait", stage.board.nameOf(action)), line);
  const request = { position: stage.positionOf(line.session), simulations: simulations() };
  const after = await stage.ask(() => stage.setup.client.ask("analyse", request));
  if (!stage.now.retry || stage.now.line !== line) return;
  const judged = before && after?.seen && after.isWhole ? judge(before, after.seen, action) : null;
  const isDone = judged?.verdict === "good";
  if (isDone) {
    stage.change(solve, sessions.ply(session));
    keep(line);
    stage.keep();
  }
  tell(
    judged ? () => sentenceOf(stage, mistake, judged, name()) : asking(stage, mistake),
    isDone ? line : null,
    isDone,
  );
}

const asking =
  (stage: Stage, { action }: JudgedMove): Said =>
  () =>
    say("retry_ask", stage.board.nameOf(action));

function sentenceOf({ board }: Stage, { better }: JudgedMove, judged: JudgedMove, name: string): string {
  const { action, verdict, reason, margin, unit, loss } = judged;
  const nameOf = (each: number): string => board.nameOf(each);
  if (verdict === "good")
    return action === better || better === null ? say("retry_best", name) : say("retry_good", name, nameOf(better));
  if (reason) return say("retry_because", name, clauseOf(reason, nameOf));
  return margin ? say("retry_because", name, count(`loses_${unit}`, margin)) : say("retry_loses", name, percent(loss));
}

const judge = (before: Observation, after: Observation, action: number): JudgedMove | null =>
  judgeMoves([before, after], [action])[0] ?? null;
