/** What the page shows of a review: the verdict of the move that is shown, counts and accuracy, how far it is. */

import type { Reason } from "../../engine/review/Known";
import type { Panel } from "../../engine/review/Panel";
import type { JudgedMove, Verdict } from "../../engine/review/Verdicts";
import { other } from "../../engine/State";
import { count, percent, say } from "../../texts/Speech";
import type { Playing } from "../../worker/Messages";
import type { Presentation } from "../boards/Presentation";
import { byId, element, put } from "../dom/Dom";
import type { Identity } from "../game/GameRecord";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { playerName } from "../words/Outcome";
import { capital } from "../words/Words";
import { canReview } from "./Facts";
import type { Trial } from "./Judgement";
import { isAnalysed, judgeAtHand, movesOf, nextMistake, seenOf, shownMove } from "./Judgement";
import { isOfFile, type Line, lengthOf } from "./Line";

/** What a review is shown of. */
export interface ReviewState {
  readonly session: Session;
  readonly game: string;
  readonly presentation: Pick<Presentation, "pieces">;
  readonly line: Line | null;
  readonly identity: Identity;
  readonly network: Playing | null;
  readonly isReplay: boolean;
  readonly isOnlyRead: boolean;
  readonly isAnalysing: boolean;
  /** Whether the position that is shown is looked at, whichever it is. */
  readonly isLive: boolean;
  readonly retry: Trial | null;
  readonly panel: Panel;
  readonly nameOf: (action: number) => string;
}

const COUNT_TEXTS = {
  inaccuracy: "inaccuracies",
  mistake: "mistakes",
  blunder: "blunders",
} as const;

export function displayReview(shown: ReviewState): void {
  const { session, presentation, isReplay } = shown;
  byId("review").hidden = !canReview(shown) || !(isReplay || sessions.phase(session) === "over");
  // In a review these stand with what can be done about the move.
  const [hint, fresh] = [byId("hint"), byId("new")];
  if (isReplay !== (hint.parentElement === byId("line"))) {
    if (isReplay) byId("line").append(hint, fresh);
    else {
      byId("undo").after(hint);
      byId("moves").append(fresh);
    }
  }
  if (isReplay) fresh.classList.toggle("primary", shown.panel.act === "rematch");
  displayVerdict(shown);
  displayLine(shown);
  displayAnalysis(shown);
  displayCounts(session, presentation.pieces);
}

function displayVerdict({ session, line, isReplay, nameOf, retry }: ReviewState): void {
  const move = isReplay && !line && !retry ? shownMove(session) : null;
  const target = byId("verdict");
  target.hidden = !isReplay || seenOf(session).length === 0;
  target.dataset.verdict = move?.verdict ?? "";
  put(target, retry ? retry.said() : move ? sentenceOf(move, nameOf) : "");
  byId("retry").hidden = !move || move.better === null;
}

/** "Column 4: blunder, 45 % lost. Better: column 3.", or the reason in place of the loss, or boxes or discs, where proven. */
export function sentenceOf(judged: JudgedMove, nameOf: (action: number) => string): string {
  const { action, loss, verdict, better, reason, margin, unit } = judged;
  const [name, called] = [capital(nameOf(action)), say(`verdict_${verdict}`)];
  if (better === null) return say("verdict_move", name, called);
  const why = reason ? clauseOf(reason, nameOf) : margin ? count(`loses_${unit}`, margin) : null;
  if (why !== null) return say("verdict_reason", name, called, why, nameOf(better));
  return say("verdict_better", name, called, percent(loss), nameOf(better));
}

export const clauseOf = ({ code, action }: Reason, nameOf: (action: number) => string): string =>
  code === "not_blocked" || code === "allows_win" ? say(`because_${code}`, nameOf(action)) : say(`because_${code}`);

/** Whether a mistake is tried again, and no good move is found yet. */
const isTried = (retry: Trial | null): boolean => retry !== null && !retry.isDone;

/** The buttons of a review, by the act that makes each the primary one. */
const ACTS: Readonly<Record<string, Panel["act"]>> = {
  retry: "try_again",
  "next-mistake": "next_mistake",
  "to-game": "to_game",
  analyse: "analyse",
};

function displayLine({ session, line, identity, isReplay, isOnlyRead, retry, panel }: ReviewState): void {
  const [hasMistake, act] = [nextMistake(session, 0) !== null, panel.act];
  byId("line").hidden = !isReplay && !hasMistake;
  byId("next-mistake").hidden = !hasMistake || isTried(retry);
  for (const [id, wanted] of Object.entries(ACTS)) byId(id).classList.toggle("primary", act === wanted);
  const at = line?.session ?? session;
  const isShort = sessions.moveShown(session) < sessions.countMoves(session);
  const isChanged = line !== null || isShort || isOnlyRead;
  byId("take-back").hidden = line === null || isTried(retry);
  byId("to-game").hidden = line === null && !isTried(retry);
  byId("play-from-here").hidden = !isReplay || !isChanged || sessions.visible(at).isTerminal;
  const name = line && isOfFile(identity.lines, line) ? "variation_of" : "line_of";
  if (line) put(byId("ply-text"), say(name, lengthOf(line), line.from - sessions.firstPly(session)));
}

function displayAnalysis({ session, isReplay, isAnalysing, isLive }: ReviewState): void {
  const [done, all] = [seenOf(session).length, sessions.countMoves(session) + 1];
  const moves = movesOf(session);
  const isDone = isAnalysed(session);
  byId("analyse").hidden = isAnalysing || isDone;
  byId("analysis-stop").hidden = !isAnalysing;
  byId("live").hidden = !isReplay;
  byId("live").setAttribute("aria-pressed", String(isLive));
  byId<HTMLFieldSetElement>("analysis-simulations").disabled = isAnalysing;
  const progress = byId<HTMLProgressElement>("analysis-progress");
  progress.hidden = !isAnalysing;
  [progress.max, progress.value] = [all, done];
  const noMistakes = isDone && moves.length > 0 && nextMistake(session, 0) === null;
  put(byId("analysis"), noMistakes ? say("no_mistakes") : done && !isDone ? say("analysed_of", done, all) : "");
}

/** A row for each verdict but "good", and one for the accuracy; a column for each player. */
function displayCounts(session: Session, pieces: Presentation["pieces"]): void {
  const [moves, judge] = [movesOf(session), judgeAtHand()];
  byId("verdicts").hidden = moves.length === 0;
  if (!judge) return;
  const side = sessions.sideOf(session);
  const players = [side, other(side)] as const;
  const heads = sessions.hasPerson(session)
    ? [say("you"), say("ai")]
    : players.map((player) => playerName(session, player, { pieces }));
  const row = (name: string, figures: readonly (string | number)[]): HTMLElement =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...figures.map((figure) => element("td", {}, String(figure))),
    );
  const counts = players.map((player) => judge.counts(moves, player));
  const rates = players.map((player) => judge.accuracy(moves, player));
  const verdicts = judge.VERDICTS.filter((verdict): verdict is Exclude<Verdict, "good"> => verdict !== "good");
  byId("verdicts").replaceChildren(
    element("tr", {}, element("td", {}), ...heads.map((head) => element("th", { scope: "col" }, head))),
    ...verdicts.map((verdict) =>
      row(
        say(COUNT_TEXTS[verdict]),
        counts.map((each) => each[verdict]),
      ),
    ),
    row(
      say("accuracy"),
      rates.map((rate) => (rate === null ? say("unknown") : percent(rate / 100))),
    ),
  );
}
