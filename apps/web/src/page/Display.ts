/** What the page shows of a session beside the board. */

import { Go } from "../engine/games/Go";
import { isMistake } from "../engine/review/Verdicts";
import { other } from "../engine/State";
import { number, percent, say as text } from "../texts/Speech";
import type { Progress } from "../worker/Messages";
import { byId, say, set } from "./Dom";
import { draw, drawScale, type Mark } from "./Graph";
import { type Presentation, passOf } from "./Presentation";
import { movesOf } from "./review/Judgement";
import type { Session } from "./Session";
import * as sessions from "./Session";
import { summary } from "./Words";

/** Bring the texts, buttons and graph in line with the session; a network that has not come is asked for nothing. */
export function display(
  session: Session,
  presentation: Presentation,
  isReplay: boolean,
  hasNetwork: boolean,
  line: Session | null = null,
): void {
  const now = sessions.phase(session);
  const state = sessions.visible(line ?? session);
  const canPlay = now === "yours" && !isReplay;
  const status = isReplay ? sessions.statusShown : sessions.status;
  say(byId("status"), status(line ?? session, presentation.prompt));
  byId("status").dataset.phase = isReplay ? "shown" : now;
  // While the dead stones are not agreed on there is no score yet.
  say(byId("summary"), now === "scoring" && !isReplay ? "" : summary(session, state));
  say(byId("you"), text(presentation.pieces[session.human]));
  say(byId("ai"), text(presentation.pieces[other(session.human)]));
  byId("pass").hidden = !canPlay || passOf(state) === null;
  byId("stop").hidden = now !== "theirs" || !hasNetwork;
  byId<HTMLButtonElement>("undo").disabled = isReplay || sessions.undone(session) === session;
  byId<HTMLButtonElement>("hint").disabled = !hasNetwork || (isReplay ? state.isTerminal : !canPlay);
  for (const id of ["agree", "play-on"]) byId(id).hidden = now !== "scoring" || isReplay;
  byId("estimate").hidden = !(state instanceof Go) || !canPlay;
  byId<HTMLButtonElement>("resign").disabled = isReplay || now === "scoring" || now === "over";
  displayReplay(session, isReplay);
  displayGraph(session, isReplay);
}

function displayReplay(session: Session, isReplay: boolean): void {
  const [last, at] = [session.states.length - 1, sessions.ply(session)];
  byId("replay").hidden = !isReplay;
  const slider = byId<HTMLInputElement>("ply");
  [slider.max, slider.value] = [String(last), String(at)];
  say(byId("ply-text"), text("move_of", at, last));
  byId("mode-play").setAttribute("aria-pressed", String(!isReplay));
  byId("mode-replay").setAttribute("aria-pressed", String(isReplay));
}

function displayGraph(session: Session, isReplay: boolean): void {
  const points = sessions.curve(session);
  const chance = sessions.chanceShown(session);
  const about =
    chance === null
      ? text("chances_unknown")
      : isReplay
        ? text("chances_at", sessions.ply(session), percent(chance))
        : text("chances_now", percent(chance));
  const [moves, shown] = [session.states.length - 1, sessions.ply(session)];
  draw(byId("graph"), { points, moves, shown, marks: marksOf(session) });
  drawScale(byId("graph-moves"), moves);
  set(byId("graph"), { "aria-label": about, "aria-valuemax": moves, "aria-valuenow": shown });
  set(byId("graph"), { "aria-valuetext": text("move_of", shown, moves) });
  say(byId("chances"), about);
}

/** The moves that an analysis has found to be mistakes or blunders. */
function marksOf(session: Session): readonly Mark[] {
  return movesOf(session).flatMap((move, at) =>
    isMistake(move) ? [{ move: at + 1, kind: move.verdict as Mark["kind"] }] : [],
  );
}

/** What a thought has found so far; null before the first one. */
export function displayThought(progress: Progress | null): void {
  say(byId("simulations"), progress ? number(progress.simulations) : text("unknown"));
  say(byId("depth"), progress ? String(progress.depth) : text("unknown"));
  say(byId("rate"), progress?.winRate == null ? text("unknown") : percent(progress.winRate));
}

/** Chances are shown where the network has a value to tell them by. */
export function displayChances(hasValue: boolean): void {
  byId("rate-part").hidden = !hasValue;
  byId("graph-part").hidden = !hasValue;
}

/** Hints are what the policy says: without one all moves are alike. */
export function displayHints(hasPolicy: boolean): void {
  byId("hint").hidden = !hasPolicy;
}
