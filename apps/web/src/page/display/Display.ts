/** What the page shows of a session beside the board. */

import { Go } from "../../engine/games/Go";
import { type Figure, type Panel, type PanelFacts, panelOf } from "../../engine/review/Panel";
import { number, percent, say } from "../../texts/Speech";
import type { Playing, Progress } from "../../worker/Messages";
import { type Presentation, passOf } from "../boards/Presentation";
import { byId, put, set } from "../dom/Dom";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { canReview, factsAs, factsOf, graphOfGame } from "../review/Facts";
import { judgeAtHand, movesOf } from "../review/Judgement";
import { playerName, status, statusShown } from "../words/Outcome";
import { summary } from "../words/Words";
import { draw, drawScale, type Mark } from "./Graph";
import { displayPlayers, type Seating } from "./Players";
import { displayResult, isResultShown } from "./ResultCard";
import { displayWatch } from "./WatchBar";

/** What is shown; `network` is null until it is loaded. */
export interface DisplayState extends Seating {
  readonly session: Session;
  /** The line that a person tries out in a replay; null without one. */
  readonly line: object | null;
  /** The session whose position is shown: the game, or that line. */
  readonly shown: Session;
  /** What is known and what is said of the position that is shown. */
  readonly facts: PanelFacts;
  readonly panel: Panel;
  /** Who leads by how much, or wins if both play perfectly; null for other chances, and before its texts are loaded. */
  readonly sayCounted: (name: string, figure: Figure, result: number) => string | null;
  /** What the last thought has found; null before the first one. */
  readonly progress: Progress | null;
  readonly network: Playing | null;
  readonly isReplay: boolean;
  readonly isPaused: boolean;
  /** Whether somebody looks at it. */
  readonly isSeen: boolean;
  /** Whether the network was asked for its move and gave none. */
  readonly isStuck: boolean;
  /** Whether a hint is on its way. */
  readonly isHinting: boolean;
  /** Whether no network plays the board here. */
  readonly isAlone: boolean;
  /** Whether the game can be looked through and no more. */
  readonly isOnlyRead: boolean;
}

export function display(now: DisplayState): void {
  const { session, presentation, isReplay, isPaused, isSeen } = now;
  displayWords(now);
  displayPlayers(now.shown, now);
  displayResult(session, presentation, isReplay);
  displayWatch(session, isReplay, isPaused, isSeen);
  displayButtons(now);
  displayReplay(now);
  displayGraph(now);
}

function displayWords({ session, shown: at, presentation, isReplay, isPaused, isStuck }: DisplayState): void {
  const now = sessions.phase(session);
  put(byId("status"), isReplay ? statusShown(at, presentation) : status(at, presentation, isPaused, isStuck));
  byId("status").dataset.phase = isReplay ? "shown" : now === "theirs" && (isPaused || isStuck) ? "paused" : now;
  // While the dead stones are not agreed on there is no score yet; at the end the card says it.
  const isSaid = isReplay || (now !== "scoring" && now !== "over");
  const state = sessions.visible(at);
  put(byId("summary"), isSaid ? summary(session, state) : "");
  // The eye reads the bars: only who has passed, and the score of Go, are not in them.
  const isInBars = !(state instanceof Go && (state.isTerminal || state.lastAction === state.pass));
  byId("summary").classList.toggle("unseen", isInBars);
}

/** Show the buttons for what can be done now; nobody moves in a game that is watched. */
function displayButtons({ session, shown, network, isReplay, isStuck, isHinting, isAlone }: DisplayState): void {
  const now = sessions.phase(session);
  const state = sessions.visible(shown);
  const canPlay = now === "yours" && !isReplay;
  const [isWatched, isOver] = [!sessions.hasPerson(session), isResultShown(session, isReplay)];
  const isShared = sessions.isShared(session);
  const hide = (id: string, isHidden: boolean): void => {
    byId(id).hidden = isHidden;
  };
  hide("pass", !canPlay || passOf(state) === null);
  hide("stop", now !== "theirs" || !network || isWatched || isStuck);
  hide("ask-again", now !== "theirs" || isReplay || !isStuck);
  hide("undo", isWatched && !isShared);
  // Hints are what the policy says: without one all moves are alike.
  hide("hint", isAlone || network?.hasPolicy === false || isOver || (isWatched && !isShared && !isReplay));
  hide("resign", (isWatched && !isShared) || isOver);
  for (const id of ["agree", "play-on"]) hide(id, now !== "scoring" || isReplay);
  hide("estimate", !(state instanceof Go) || !canPlay);
  byId<HTMLButtonElement>("undo").disabled = isReplay || sessions.undoMoves(session) === session;
  byId<HTMLButtonElement>("hint").disabled = !network || (isReplay ? state.isTerminal : !canPlay);
  // A hint shows at once that it is on its way, and can be stopped.
  put(byId("hint"), say(isHinting ? "stop" : "hint"));
  set(byId("hint"), { "data-busy": isHinting });
  byId<HTMLButtonElement>("resign").disabled = isReplay || now === "scoring" || now === "over";
}

function displayReplay({ session, isReplay, isAlone, isOnlyRead }: DisplayState): void {
  const [first, last, at] = [sessions.firstPly(session), session.states.length - 1, sessions.ply(session)];
  byId("replay").hidden = !isReplay;
  // A thought was about the game's last position, not about the one that is shown.
  byId("thought").hidden = isReplay || isAlone;
  const slider = byId("ply");
  const [moves, all] = [at - first, last - first];
  const where = say("move_of", moves, all);
  set(slider, { "aria-valuemin": 0, "aria-valuemax": all, "aria-valuenow": moves, "aria-valuetext": where });
  slider.style.setProperty("--at", String(all ? moves / all : 0));
  put(byId("ply-text"), where);
  // Playing on from a game that is only read begins another game.
  byId("mode-play").parentElement?.toggleAttribute("hidden", isOnlyRead);
  byId("mode-play").setAttribute("aria-pressed", String(!isReplay));
  byId("mode-replay").setAttribute("aria-pressed", String(isReplay));
}

function displayGraph(now: DisplayState): void {
  const { session } = now;
  const facts = factsOfGame(now);
  const { unit, shares } = graphOfGame(session, facts);
  const points = shares.flatMap((share, move) => (share === null ? [] : [[move, share] as const]));
  // The graph of a solved game waits for a review; no network tells its chances.
  if (now.network && !now.network.hasValue && canReview(now))
    for (const id of ["graph-part", "evaluation"]) byId(id).hidden = !now.isReplay;
  displayLevels(unit, facts.scale);
  const [moves, at] = [sessions.countMoves(session), sessions.moveShown(session)];
  draw(byId("graph"), { points, moves, shown: at, marks: marksOf(session) });
  drawScale(byId("graph-moves"), moves);
  set(byId("graph"), { "aria-valuemax": moves, "aria-valuenow": at, "aria-valuetext": say("move_of", at, moves) });
  displayFigures(now);
}

/**
 * All that tells the chances in the position that is shown: the words at the graph, the bar, the network's win rate; and how
 * far the last thought has come.
 */
export function displayFigures(now: DisplayState): void {
  const { session, presentation, isReplay, panel, progress } = now;
  displayThought(progress);
  const side = sessions.sideOf(session);
  const name = sessions.hasPerson(session) ? say("you") : playerName(session, side, { pieces: presentation.pieces });
  // The graph is the game's, and so are its words while a line is tried out.
  const ofGame = panelOf(factsOfGame(now));
  const counted = ofGame.figure && now.sayCounted(name, ofGame.figure, ofGame.proven?.result ?? 0);
  const chance = ofGame.figure?.unit === "chance" ? ofGame.figure.value : null;
  const about = counted ?? (sessions.hasPerson(session) ? chances(session, chance, isReplay) : chancesOf(chance, name));
  set(byId("graph"), { "aria-label": about });
  put(byId("chances"), about);
  displayEvaluation(session, presentation, panel.share);
  const own = panel.proven
    ? (1 + panel.proven.result) / 2
    : panel.figure?.unit === "chance"
      ? panel.figure.value
      : null;
  const rate = sessions.rateOf(session, own, progress);
  put(byId("rate"), rate === null ? say("unknown") : percent(rate));
}

/** What is known of the position of the game that is shown, whatever line is tried out from it. */
const factsOfGame = ({ session, line, facts }: DisplayState): PanelFacts =>
  line ? factsAs(session, { ...factsOf(session), moment: { phase: "over" } }) : facts;

/** What the lines of the graph stand for: chances in per cent, or the largest leads; one in Go may be larger yet. */
function displayLevels(unit: Figure["unit"], scale: number): void {
  const most = (sign: string): string => (unit === "points" ? sign : "");
  const levels = unit === "chance" ? [1, 0.5, 0].map(percent) : [`${most("≥")}+${scale}`, "0", `${most("≤")}−${scale}`];
  for (const [at, level] of levels.entries()) put(byId("graph-levels").children[at] as HTMLElement, level);
}

/** The bar above the board: how much of it is the near player's. */
function displayEvaluation(session: Session, { pieces }: Presentation, chance: number | null): void {
  const side = sessions.sideOf(session);
  const [near, far] = [pieces[side], pieces[side === 0 ? 1 : 0]];
  const bar = byId("evaluation");
  set(bar, { "data-piece": far, class: chance === null ? "unknown" : null });
  const share = bar.firstElementChild as HTMLElement;
  set(share, { "data-piece": near });
  share.style.width = `${Math.round(100 * (chance ?? 0.5))}%`;
}

function chances(session: Session, chance: number | null, isReplay: boolean): string {
  if (chance === null) return say("chances_unknown");
  return isReplay
    ? say("chances_at", sessions.moveShown(session), percent(chance))
    : say("chances_now", percent(chance));
}

/** The chances in a game that is watched: those of the player who began. */
function chancesOf(chance: number | null, side: string): string {
  return chance === null ? say("chances_of_unknown", side) : say("chances_of_now", side, percent(chance));
}
function marksOf(session: Session): readonly Mark[] {
  return movesOf(session).flatMap((move, at) =>
    judgeAtHand()?.isMistake(move) ? [{ move: at + 1, kind: move.verdict as Mark["kind"] }] : [],
  );
}

function displayThought(progress: Progress | null): void {
  // A glance has none of either.
  const search = progress?.simulations ? progress : null;
  put(byId("simulations"), search ? number(search.simulations) : say("unknown"));
  put(byId("depth"), search ? String(search.depth) : say("unknown"));
}

/** Chances are shown where the network has a value to tell them by. */
export function displayChances(hasValue: boolean): void {
  byId("rate-part").hidden = !hasValue;
  byId("graph-part").hidden = !hasValue;
  byId("evaluation").hidden = !hasValue;
}
