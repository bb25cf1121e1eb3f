/**
 * A sitting at a table, as a value: the game and what is shown of it. Nothing changes one; each function here that has a
 * `now` gives the next one.
 *
 * What a search has found is of one position, and stands beside that one alone: `viewOf` has it where the board shows that
 * position, so that no change has to remember to take it away.
 */

import type { Settings } from "../../engine/Game";
import { type Moment, type Panel, type PanelFacts, type PlayedMove, panelOf } from "../../engine/review/Panel";
import type { Observation } from "../../engine/review/Verdicts";
import type { State } from "../../engine/State";
import type { Said } from "../../texts/Speech";
import type { Analysis, Playing, Progress, Thought } from "../../worker/Messages";
import type { Notices } from "../dom/Notices";
import { type AreaCount, countWithout, scoringText } from "../game/Ending";
import type { Identity, Sides } from "../game/GameRecord";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { canReview, factsAs, factsOf } from "../review/Facts";
import type { Trial } from "../review/Judgement";
import { addSeen, isAnalysed, nextMistake, shownMove } from "../review/Judgement";
import { type Line, movesOfLine, playOn, withLine } from "../review/Line";

/** A game on its way to the library and back: what was played, by which settings, and what makes it this one. */
export interface ShelvedGame {
  readonly session: Session;
  /** Those that were chosen beside the network's own. */
  readonly settings: Settings;
  readonly identity: Identity;
}

/** What is known of one position; absent is what nobody has asked for. */
export interface Figures {
  /** The share of each action, 0 to 1. */
  readonly heat?: ReadonlyMap<number, number>;
  /** What a hint has found. */
  readonly found?: Analysis;
  /** What its moves gain or lose against the best of them, where the game is counted. */
  readonly points?: ReadonlyMap<number, number> | null;
  readonly estimated?: AreaCount | null;
  /** Whether a hint is on its way. */
  readonly isHinting?: boolean;
  /** What is said of it beside the board. */
  readonly hint?: Said;
}

export interface Sitting extends ShelvedGame {
  readonly game: string;
  /** Whether no network here plays the board: a game is read, or two people go on with it. */
  readonly isAlone: boolean;
  /** null until it has come: a person's move waits for nobody. */
  readonly network: Playing | null;
  readonly figures: (Figures & { readonly of: State }) | null;
  /** What the last thought has found, and of which position. */
  readonly thought: { readonly of: State; readonly progress: Progress } | null;
  /** What a person tries out in a replay. */
  readonly line: Line | null;
  /** A mistake that a person tries to do better in a replay. */
  readonly retry: Trial | null;
  readonly isReplay: boolean;
  /** Whether whatever position a replay shows is looked at. */
  readonly isLive: boolean;
  /** Whether somebody looks at it. */
  readonly isSeen: boolean;
  /** Whether a game that is watched stands still until `step` or `pause`. */
  readonly isPaused: boolean;
  readonly isAnalysing: boolean;
  /** Whether the network was asked for its move and gave none, so that it has to be asked again. */
  readonly isStuck: boolean;
  /** Once a person did not agree on the dead stones, the network plays until captures are real. */
  readonly isPlayedOn: boolean;
  readonly notices: Notices;
  /** The stones that are marked as dead while they are to be agreed on. */
  readonly dead: readonly number[];
  /** How many games of a series each player of this one has won; null outside of a series. */
  readonly wins: readonly [number, number] | null;
  /** Goes up whenever an answer that is under way is no longer wanted. */
  readonly turn: number;
}

const NOTHING = { figures: null, line: null, retry: null, isLive: false, isAnalysing: false, isStuck: false } as const;

/** The first sitting with a game, or the next one: `before` says who plays on which board. */
export function begin(
  before: Pick<Sitting, "game" | "isAlone" | "network" | "turn">,
  game: ShelvedGame,
  notices: Notices,
  isKept: boolean,
): Sitting {
  const isReplay = isOnlyRead({ ...before, ...game });
  // Who comes back to a game that went on by itself looks at it first.
  const isPaused = isKept && sessions.isWatched(game.session);
  const own = { thought: null, isReplay, isSeen: true, isPaused, isPlayedOn: false, notices, dead: [], wins: null };
  return { ...before, ...game, ...NOTHING, ...own };
}

/** Whether the game can be looked through and no more: it is other people's, or its opponent cannot come. */
export const isOnlyRead = ({ session, isAlone }: Pick<Sitting, "session" | "isAlone">): boolean =>
  sessions.isRead(session) || (isAlone && !sessions.isShared(session));

/** The session whose position is shown: the game, or a line that branches off from it. */
export const shown = ({ session, line }: Pick<Sitting, "session" | "line">): Session => line?.session ?? session;

export const isYours = ({ session, isReplay }: Sitting): boolean => sessions.phase(session) === "yours" && !isReplay;

/** Who play against each other; null but of a game between networks that were chosen for each side. */
export const sidesOf = ({ session, identity }: ShelvedGame): Sides | null =>
  (sessions.isWatched(session) && identity.sides) || null;

/** What is known of the position that is shown. */
export function figuresOf(now: Sitting): Figures {
  return now.figures?.of === sessions.visible(shown(now)) ? now.figures : {};
}

/** What the page shows: the board, and the figures of the very position that is on it. */
export type View = ReturnType<typeof viewOf>;

export function viewOf(now: Sitting) {
  const { session, isReplay, thought, notices } = now;
  const at = shown(now);
  const state = sessions.visible(at);
  const { heat = null, found = null, points = null, isHinting = false, estimated, hint } = figuresOf(now);
  const { refused } = notices;
  const facts = factsOfSitting(now);
  const panel = panelOf(facts);
  const isChance = panel.figure?.unit === "chance" && found?.seen;
  return {
    ...now,
    shown: at,
    state,
    human: at.human,
    last: sessions.lastMove(at),
    drawnBy: sessions.moversIn(at.states.slice(0, sessions.ply(at) + 1)),
    canPlay: isReplay ? !state.isTerminal : sessions.phase(at) === "yours",
    facts,
    panel,
    better: panel.better?.action ?? null,
    heat,
    found,
    points,
    rates: isChance ? new Map(panel.options.map(({ action, value }) => [action, value ?? 0])) : null,
    best: found && new Set(panel.equal),
    isHinting,
    counted: countedOf(now, state) ?? estimated ?? null,
    // Of a game that is not there any more, or of moves that were taken back, nothing was thought.
    progress: thought && session.states.includes(thought.of) ? thought.progress : null,
    /** What is thought of the very position that is shown. */
    thinking: thought?.of === state ? thought.progress : null,
    sides: sidesOf(now),
    isOnlyRead: isOnlyRead(now),
    // What is said of the game's end is not so of what is shown of it.
    notices: { ...(isReplay ? refused && { refused } : notices), ...(hint && { hint }) },
  };
}

/** The one value from which the page draws what it says of the position that is shown. */
export const panelOfSitting = (now: Sitting): Panel => panelOf(factsOfSitting(now));

function factsOfSitting(now: Sitting): PanelFacts {
  const { line, isReplay, retry, thought } = now;
  const at = shown(now);
  const { found = null, points = null } = figuresOf(now);
  const thinking = thought?.of === sessions.visible(at) ? thought.progress : null;
  const played = isReplay && !line && !retry ? playedIn(at) : null;
  return factsAs(at, { ...factsOf(at, { found, points, thinking }), played, moment: momentOf(now) });
}

function playedIn(session: Session): PlayedMove | null {
  const judged = shownMove(session);
  return judged && { ...judged, line: [] };
}

function momentOf(now: Sitting): Moment {
  const { session, isReplay, retry, network, isAnalysing, isStuck, isPaused } = now;
  return {
    phase: sessions.phase(session),
    hasNetwork: network !== null,
    isReplay,
    isBusy: isAnalysing || (figuresOf(now).isHinting ?? false),
    isStuck,
    isWatched: sessions.isWatched(session),
    isPaused,
    isTrying: retry !== null && !retry.isDone,
    canReview: canReview(now),
    isReviewed: isAnalysed(session),
    hasMistakes: isReplay && nextMistake(session, 0) !== null,
  };
}

/** What the board shows of dead stones and areas. */
function countedOf({ session, dead, isReplay }: Sitting, state: State): AreaCount | null {
  if (state !== sessions.latest(session)) return null;
  if (session.end?.kind === "agreed") return countWithout(state, session.end.dead, false);
  return sessions.phase(session) === "scoring" ? countWithout(state, dead, !isReplay) : null;
}

/** Nothing that is under way is wanted any more. */
export const leave = (now: Sitting): Sitting => ({ ...now, ...NOTHING, line: now.line, turn: now.turn + 1 });

/** Take away what is known of the position that is shown. */
export const cool = (now: Sitting): Sitting => ({ ...now, figures: null });

/** With `more` figures of a position; the same sitting if that position is no longer shown. */
export function figure(now: Sitting, of: State, more: Figures): Sitting {
  return of === sessions.visible(shown(now)) ? { ...now, figures: { ...figuresOf(now), ...more, of } } : now;
}

export const note = (now: Sitting, more: Notices): Sitting => ({ ...now, notices: { ...now.notices, ...more } });

export const seat = (now: Sitting, network: Playing | null): Sitting => ({
  ...now,
  network,
  isAlone: now.isAlone && network === null,
});

/** After a move of either side. GameError if the rules forbid it. */
export function play(now: Sitting, action: number): Sitting {
  const session = sessions.playMove(now.session, action);
  return note({ ...now, session, dead: [] }, passesOf(session));
}

/** After the network's move, with its chance; a replay shows what it has shown. */
export function take(now: Sitting, thought: Thought): Sitting {
  const { shown } = now.session;
  const rated = sessions.rateMove(now.session, thought.winRate);
  const next = play({ ...think(now, sessions.latest(rated), thought), session: rated }, thought.action);
  return now.isReplay ? { ...next, session: { ...next.session, shown } } : next;
}

/** What a thought has found so far. */
export const think = (now: Sitting, of: State, progress: Progress): Sitting => ({ ...now, thought: { of, progress } });

export const pause = (now: Sitting, isPaused: boolean): Sitting => ({ ...now, isPaused });

export const attend = (now: Sitting, isSeen: boolean): Sitting => ({ ...now, isSeen });

export const stick = (now: Sitting): Sitting => ({ ...now, isStuck: true });

/** Another session, of which nothing was said yet. */
const afresh = (now: Sitting, session: Session, notices: Notices = {}): Sitting => ({ ...now, session, notices });

export const resign = (now: Sitting, passes: Said): Sitting => afresh(now, sessions.resign(now.session), { passes });

export const undo = (now: Sitting): Sitting => ({ ...afresh(now, sessions.undoMoves(now.session)), thought: null });

/** Time goes by for the one of two people who is to move. */
export const passTime = (now: Sitting, milliseconds: number): Sitting => ({
  ...now,
  session: sessions.passTime(now.session, milliseconds),
});

/** Have stones marked as dead. */
export const mark = (now: Sitting, dead: readonly number[]): Sitting =>
  note({ ...now, dead }, { scoring: () => scoringText(sessions.latest(now.session), dead) });

/** The dead stones are those that are marked. */
export const agree = (now: Sitting): Sitting => afresh(now, sessions.agreeOn(now.session, now.dead));

/** Take both passes back: the network plays until captures are real. */
export const reopen = (now: Sitting): Sitting => ({
  ...afresh(now, sessions.takePassesBack(now.session)),
  thought: null,
  isPlayedOn: true,
});

/** Walk through the game, or go on playing. */
export function replay(now: Sitting, isReplay: boolean): Sitting {
  const session = isReplay ? now.session : sessions.showMove(now.session, Infinity);
  return { ...now, isReplay, line: null, retry: null, session };
}

/** In a replay, show the position after `moves` moves. */
export const showAt = (now: Sitting, moves: number): Sitting =>
  showLine({ ...now, session: sessions.showMove(now.session, moves) }, null);

export const showLine = (now: Sitting, line: Line | null): Sitting => ({ ...now, line, retry: null });

/** A line stays with the game. */
export function keepLine(now: Sitting, line: Line): Sitting {
  const lines = withLine(now.identity.lines, movesOfLine(line), line.from);
  return lines === now.identity.lines ? now : { ...now, identity: { ...now.identity, lines } };
}

/** Let a person try a mistake again, or say more of it; `line` is the move that is looked at. */
export const tryAgain = (now: Sitting, retry: Trial, line: Line | null): Sitting => ({ ...now, retry, line });

/** The person has found a better move than the one played after `moves` moves. */
export function solve(now: Sitting, moves: number): Sitting {
  const { solved = [] } = now.identity;
  return solved.includes(moves) ? now : { ...now, identity: { ...now.identity, solved: [...solved, moves] } };
}

/** Nothing more is said of what was tried before. */
export const hush = (now: Sitting): Sitting => ({ ...now, notices: {} });

/** A game of its own that goes on from the position that is shown, for two people where no network plays its board. */
export function playFromHere(now: Sitting, identity: Identity, begins: Said): Sitting {
  const session = sessions.takeOver(playOn(now.session, now.line), now.isAlone);
  const next = afresh(now, session, now.isAlone && !sessions.isShared(now.session) ? { begins } : {});
  return { ...next, identity, isReplay: false, line: null, thought: null };
}

export const analyse = (now: Sitting, isAnalysing: boolean): Sitting => ({ ...now, isAnalysing });

/** With what an analysis has found of positions, by the moves before them. */
export const see = (now: Sitting, found: ReadonlyMap<number, Observation>): Sitting => ({
  ...now,
  session: [...found].reduce((session, [moves, seen]) => addSeen(session, moves, seen), now.session),
});

export const watch = (now: Sitting, isLive: boolean): Sitting => ({ ...now, isLive });

export const win = (now: Sitting, wins: Sitting["wins"]): Sitting => ({ ...now, wins });

/** The game under another name: somebody else goes on with it under the old one. */
export const rename = (now: Sitting, id: string): Sitting => ({ ...now, identity: { ...now.identity, id } });

/** Who had to pass since the person's last move, as what is said beside the status. */
export function passesOf(session: Session): Notices {
  return sessions.passNotice(session) === null ? {} : { passes: () => sessions.passNotice(session) ?? "" };
}
