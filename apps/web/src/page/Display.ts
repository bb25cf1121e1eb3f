/** What the page shows of a session beside the board. */

import { Go } from "../engine/games/Go";
import type { Seen } from "../engine/review/Verdicts";
import { number, percent, say } from "../texts/Speech";
import type { Analysis, Playing, Progress } from "../worker/Messages";
import { byId, put, set } from "./Dom";
import { draw, drawScale, type Mark } from "./Graph";
import { playerName, status, statusShown } from "./Outcome";
import { type Presentation, passOf } from "./Presentation";
import { judgeAtHand, movesOf } from "./review/Judgement";
import type { Session } from "./Session";
import * as sessions from "./Session";
import { displayPlayers, type Seated } from "./table/Players";
import { displayResult, isResultShown } from "./table/ResultCard";
import { displayWatch } from "./table/WatchBar";
import { summary } from "./Words";

/** What is shown; a network that has not come (null) is asked for nothing. */
export interface Displayed extends Seated {
  readonly session: Session;
  /** The line that a person tries out in a replay; null where there is none. */
  readonly line: Session | null;
  /** What a search has found of the position that is shown; null where none looked. */
  readonly found: Analysis | null;
  readonly network: Playing | null;
  readonly isReplay: boolean;
  readonly isPaused: boolean;
}

export function display(shown: Displayed): void {
  const { session, line, presentation, isReplay, isPaused } = shown;
  displayWords(shown);
  displayPlayers(line ?? session, shown);
  displayResult(session, presentation, isReplay);
  displayWatch(session, isReplay, isPaused);
  displayButtons(shown);
  displayReplay(session, isReplay);
  displayGraph(shown);
}

function displayWords({ session, line, presentation, isReplay, isPaused }: Displayed): void {
  const now = sessions.phase(session);
  const at = line ?? session;
  put(byId("status"), isReplay ? statusShown(at, presentation) : status(at, presentation, isPaused));
  byId("status").dataset.phase = isReplay ? "shown" : isPaused && now === "theirs" ? "paused" : now;
  // While the dead stones are not agreed on there is no score yet; at the end the card says it.
  const isSaid = isReplay || (now !== "scoring" && now !== "over");
  const state = sessions.visible(at);
  put(byId("summary"), isSaid ? summary(session, state) : "");
  // What the bars say is not said twice to the eye: who has passed, and the score, are not in them.
  const isInBars = !state.isTerminal && !(state instanceof Go && state.lastAction === state.pass);
  byId("summary").classList.toggle("unseen", isInBars);
}

/** Offer what can be done now; a game that is watched is nobody's to move in. */
function displayButtons({ session, line, network, isReplay }: Displayed): void {
  const now = sessions.phase(session);
  const state = sessions.visible(line ?? session);
  const canPlay = now === "yours" && !isReplay;
  const [isWatched, isOver] = [!sessions.hasPerson(session), isResultShown(session, isReplay)];
  const hide = (id: string, isHidden: boolean): void => {
    byId(id).hidden = isHidden;
  };
  hide("pass", !canPlay || passOf(state) === null);
  hide("stop", now !== "theirs" || !network || isWatched);
  hide("undo", isWatched);
  // Hints are what the policy says: without one all moves are alike.
  hide("hint", network?.hasPolicy === false || isOver || (isWatched && !isReplay));
  hide("resign", isWatched || isOver);
  for (const id of ["agree", "play-on"]) hide(id, now !== "scoring" || isReplay);
  hide("estimate", !(state instanceof Go) || !canPlay);
  byId<HTMLButtonElement>("undo").disabled = isReplay || sessions.undoMoves(session) === session;
  byId<HTMLButtonElement>("hint").disabled = !network || (isReplay ? state.isTerminal : !canPlay);
  byId<HTMLButtonElement>("resign").disabled = isReplay || now === "scoring" || now === "over";
}

function displayReplay(session: Session, isReplay: boolean): void {
  const [first, last, at] = [sessions.firstPly(session), session.states.length - 1, sessions.ply(session)];
  byId("replay").hidden = !isReplay;
  // A thought was about the game's last position, not about the one that is shown.
  byId("thought").hidden = isReplay;
  const slider = byId<HTMLInputElement>("ply");
  [slider.min, slider.max, slider.value] = [String(first), String(last), String(at)];
  const where = say("move_of", at - first, last - first);
  set(slider, { "aria-valuetext": where });
  put(byId("ply-text"), where);
  // Other people's game is read, and gone on with as one of its own.
  byId("mode-play").parentElement?.toggleAttribute("hidden", sessions.isRead(session));
  byId("mode-play").setAttribute("aria-pressed", String(!isReplay));
  byId("mode-replay").setAttribute("aria-pressed", String(isReplay));
}

function displayGraph({ session, presentation, isReplay, found }: Displayed): void {
  const first = sessions.firstPly(session);
  const points = sessions.curve(session).map(([moves, chance]) => [moves - first, chance] as const);
  const about = sessions.hasPerson(session)
    ? chances(session, isReplay)
    : chancesOf(session, playerName(session, sessions.sideOf(session), { pieces: presentation.pieces }));
  const [moves, shown] = [sessions.countMoves(session), sessions.moveShown(session)];
  draw(byId("graph"), { points, moves, shown, marks: marksOf(session) });
  drawScale(byId("graph-moves"), moves);
  set(byId("graph"), { "aria-label": about, "aria-valuemax": moves, "aria-valuenow": shown });
  set(byId("graph"), { "aria-valuetext": say("move_of", shown, moves) });
  put(byId("chances"), about);
  displayEvaluation(session, presentation, found?.seen ?? null);
}

/** The bar above the board: how much of it is the near player's. */
function displayEvaluation(session: Session, { pieces }: Presentation, seen: Seen | null): void {
  const side = sessions.sideOf(session);
  const found = seen && (seen.mover === side ? seen.chance : 1 - seen.chance);
  const chance = found ?? sessions.chanceShown(session);
  const [near, far] = [pieces[side], pieces[side === 0 ? 1 : 0]];
  const bar = byId("evaluation");
  set(bar, { "data-piece": far, class: chance === null ? "unknown" : null });
  const share = bar.firstElementChild as HTMLElement;
  set(share, { "data-piece": near });
  share.style.width = `${Math.round(100 * (chance ?? 0.5))}%`;
}

function chances(session: Session, isReplay: boolean): string {
  const chance = sessions.chanceShown(session);
  if (chance === null) return say("chances_unknown");
  return isReplay
    ? say("chances_at", sessions.moveShown(session), percent(chance))
    : say("chances_now", percent(chance));
}

/** The same of a game that is watched, where they are those of who began. */
function chancesOf(session: Session, side: string): string {
  const chance = sessions.chanceShown(session);
  return chance === null ? say("chances_of_unknown", side) : say("chances_of_now", side, percent(chance));
}
function marksOf(session: Session): readonly Mark[] {
  return movesOf(session).flatMap((move, at) =>
    judgeAtHand()?.isMistake(move) ? [{ move: at + 1, kind: move.verdict as Mark["kind"] }] : [],
  );
}

/** What a thought has found so far; null before the first one. */
export function displayThought(progress: Progress | null): void {
  // A glance has none of either.
  const search = progress?.simulations ? progress : null;
  put(byId("simulations"), search ? number(search.simulations) : say("unknown"));
  put(byId("depth"), search ? String(search.depth) : say("unknown"));
  put(byId("rate"), progress?.winRate == null ? say("unknown") : percent(progress.winRate));
}

/** Chances are shown where the network has a value to tell them by. */
export function displayChances(hasValue: boolean): void {
  byId("rate-part").hidden = !hasValue;
  byId("graph-part").hidden = !hasValue;
  byId("evaluation").hidden = !hasValue;
}
