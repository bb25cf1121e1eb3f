/** What the parts of a table share: the game, what is shown of it, and whether an answer is still wanted. */

import type { Settings } from "../../engine/Game";
import { GameError } from "../../engine/GameError";
import type { State } from "../../engine/State";
import { sentenceOf } from "../../texts/Sentence";
import { type Said, say, sayThis } from "../../texts/Speech";
import type { Analysis, Playing, Position, Progress } from "../../worker/Messages";
import { type Board, labelOf, type Play } from "../boards/Board";
import { type Presentation, presentationOf } from "../boards/Presentation";
import type { Client } from "../bundles/Client";
import * as controls from "../choices/Controls";
import { type Displayed, display, displayFigures, displayThought } from "../display/Display";
import { complain } from "../dom/Complaint";
import { byId, put } from "../dom/Dom";
import { type Notices, showNotices } from "../dom/Notices";
import { type Counted, countWithout } from "../game/Ending";
import { type Identity, newIdentity, type Side, type Sides } from "../game/GameRecord";
import type { Human, Session } from "../game/Session";
import * as sessions from "../game/Session";
import { displayAbout } from "../records/About";
import { bestOf, displayCandidates, ratesOf, worthsOf } from "../review/CandidateList";
import { judgeKept, shownMove } from "../review/Judgement";
import type { Line } from "../review/Line";
import { displayMoves } from "../review/MoveList";
import { displayReview } from "../review/Panel";
import type { Trial, Watcher } from "../review/Study";
import { type Called, row } from "../words/Outcome";
import { sideNames } from "../words/Words";

/** A game on its way to the library and back: what was played, by which settings, and what makes it this one. */
export interface Kept {
  readonly session: Session;
  /** Those that were chosen beside the network's own. */
  readonly settings: Settings;
  readonly identity: Identity;
}

/** What a table stands on: the game with the settings of its board, and what was kept of the last game. */
export interface Setup {
  readonly client: Client;
  readonly game: string;
  /** What the network is called that is open. */
  readonly title: () => string;
  readonly settings: Settings;
  readonly start: (settings: Settings) => State;
  /** Whether no network here plays the board: a game is read, or two people go on with it. */
  readonly isAlone: boolean;
  /** The game that goes on here, or is read; null begins a new one. */
  readonly kept: Kept | null;
  /** Hears of the game whenever it has changed; `isWanted` where it is to be kept without a move of the person's. */
  readonly keep: (kept: Kept, isWanted: boolean) => void;
  /** Have the network of a side at hand, beside the one that is open. */
  readonly seat: (side: Side) => Promise<void>;
}

export class Sitting {
  readonly presentation: Presentation;
  /** null until it has come: a person's move waits for nobody. */
  network: Playing | null = null;
  /** Those that were chosen beside the network's own. */
  settings: Settings = {};
  session: Session;
  /** What makes the game the one that it is. */
  identity: Identity;
  board: Board;
  heat: ReadonlyMap<number, number> | null = null;
  /** What a hint has found of the position that is shown. */
  found: Analysis | null = null;
  /** What its moves gain or lose against the best of them, where the game is counted. */
  points: ReadonlyMap<number, number> | null = null;
  /** The estimate that the board shows; null where none is. */
  estimated: Counted | null = null;
  /** What a person tries out in a replay. */
  line: Line | null = null;
  /** A mistake that a person tries to do better in a replay. */
  retry: Trial | null = null;
  /** What looks at the position that is shown, once somebody wants that. */
  live: Watcher | null = null;
  isReplay = false;
  /** Whether a game that is watched stands still until `step` or `pause`. */
  isPaused = false;
  isAnalysing = false;
  /** Whether a hint is on its way. */
  isHinting = false;
  /** Whether the network was asked for its move and gave none, so that it has to be asked again. */
  isStuck = false;
  notices: Notices = {};
  /** The stones that are marked as dead while they are to be agreed on. */
  dead: readonly number[] = [];
  /** How many games of a series each player of this one has won; null outside of a series. */
  wins: readonly [number, number] | null = null;
  /** Goes up whenever an answer that is under way is no longer wanted. */
  turn = 0;
  /** What the last thought has found. */
  private progress: Progress | null = null;
  /** The game as it was when it was last listened to. */
  private heard: Session | null = null;

  constructor(
    readonly setup: Setup,
    private readonly play: Play,
    /** Hears after how many moves the position is wanted. */
    private readonly showMove: (moves: number) => void,
  ) {
    this.presentation = presentationOf(setup.game);
    const { kept } = setup;
    controls.offerKomi(setup.settings.komi);
    controls.offerRule(setup.game, setup.settings.rule);
    [this.session, this.identity, this.board] = this.begin(controls.human(), kept);
    // Who comes back to a game that went on by itself looks at it first.
    this.isPaused = kept !== null && sessions.isWatched(kept.session);
    this.isReplay = this.isOnlyRead;
  }

  /** Whether the game can be looked through and no more: it is other people's, or its opponent cannot come. */
  get isOnlyRead(): boolean {
    return sessions.isRead(this.session) || (this.setup.isAlone && !sessions.isShared(this.session));
  }

  /** A new game with what the controls say, or the one that was `kept`. */
  begin(human: Human, given: Kept | null = null): [Session, Identity, Board] {
    if (given) controls.showSettings(this.setup.game, given.settings);
    this.settings = given?.settings ?? controls.settings(this.setup.game);
    this.wins = null;
    const kept = given?.session;
    const session = kept ?? sessions.beginSession(this.setup.start(this.settings), human);
    const identity = given?.identity ?? newIdentity(sessions.isWatched(session) ? "watched" : "played");
    const board = this.presentation.board(session.states[0], this.play);
    byId("board").replaceChildren(board.element);
    const begins = (): string => say(session.human === 0 ? "you_begin" : "ai_begins");
    const isDrawn = controls.isDrawn() && !sessions.isWatched(session);
    this.notices = kept ? passesOf(kept) : isDrawn ? { begins } : {};
    put(byId("spoken"), "");
    this.displayThought(null);
    // Another game may be on the page meanwhile.
    judgeKept(session, () => board.element.isConnected && this.show()).catch(() => undefined);
    return [session, identity, board];
  }

  /** Nothing that is under way is wanted any more. */
  leaveThought(): void {
    this.turn++;
    [this.isAnalysing, this.isStuck] = [false, false];
    [this.live, this.retry] = [null, null];
    this.setup.client.stop();
    this.cool();
  }

  /** Take the heat map away, and the hint that goes with it; one that is on its way is not wanted any more. */
  cool(): void {
    if (this.isHinting) this.setup.client.stop();
    this.isHinting = false;
    [this.heat, this.found, this.points, this.estimated] = [null, null, null, null];
    const { hint: _, ...others } = this.notices;
    this.notices = others;
  }

  note(more: Notices): void {
    this.notices = { ...this.notices, ...more };
    showNotices(this.notices);
  }

  /** Make a move of either side, where the rules allow it; a screen reader hears of the network's, and of a row that wins. */
  move(action: number): void {
    const before = sessions.latest(this.session);
    try {
      this.session = sessions.playMove(this.session, action);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      complain(() => sayThis(sentenceOf(error)));
    }
    const won = row(sessions.latest(this.session));
    if (won !== null || before.toMove !== this.session.human) {
      put(byId("spoken"), labelOf(this.board.describeMove(action, before), won));
    }
    this.notices = { ...this.notices, ...passesOf(this.session) };
    this.keep();
  }

  keep(isWanted = false): void {
    const { session, settings, identity } = this;
    this.setup.keep({ session, settings, identity }, isWanted);
  }

  /** The session whose position is shown: the game, or a line that branches off from it. */
  get shown(): Session {
    return this.line?.session ?? this.session;
  }

  /** Who play against each other; null but of a game between networks that were chosen for each side. */
  get sides(): Sides | null {
    return (sessions.isWatched(this.session) && this.identity.sides) || null;
  }

  /** The names of the networks that play each other; one network that plays alone does so as the controls say. */
  private called(): Called {
    if (!sessions.isWatched(this.session)) return {};
    const { title, game } = this.setup;
    const own: Side = { kind: "network", name: title(), level: controls.strength() };
    return { called: sideNames(this.sides ?? [own, own], game, this.presentation.pieces) };
  }

  get isYours(): boolean {
    return sessions.phase(this.session) === "yours" && !this.isReplay;
  }

  /** The position that a session shows, or the one after so many moves. */
  positionOf(session: Session, moves = sessions.ply(session)): Position {
    return {
      settings: { ...this.setup.settings, ...this.settings },
      actions: sessions.actions(session).slice(0, moves),
    };
  }

  /** The answer to a question; null where there is none, of which `refuse` says why. */
  async ask<Answer>(question: () => Promise<Answer>, refuse: (why: Said) => void = complain): Promise<Answer | null> {
    try {
      return await question();
    } catch (error) {
      refuse(() => sayThis(sentenceOf(error)));
      return null;
    }
  }

  displayThought(progress: Progress | null): void {
    this.progress = progress;
    displayThought(progress);
    // The first one is shown before there is a game.
    if (this.session) displayFigures(this.displayed);
  }

  /** Say all that is on the page again, in another language. */
  retell(): void {
    displayThought(this.progress);
    put(byId("spoken"), "");
    this.show();
  }

  /** Let the moves be heard and felt that were made since this was called last. */
  private sound(): void {
    const [before, after] = [this.heard ?? this.session, this.session];
    this.heard = after;
    // Who wants neither needs no program for them.
    if (before !== after && (controls.isWanted("sound") || controls.isWanted("vibration")))
      void import("../display/Sound").then(({ sound }) => sound(before, after));
  }

  /** What the board shows of dead stones and areas. */
  private count(state: State): Counted | null {
    const { session } = this;
    if (state !== sessions.latest(session)) return null;
    if (session.end?.kind === "agreed") return countWithout(state, session.end.dead, false);
    if (sessions.phase(session) === "scoring") return countWithout(state, this.dead, !this.isReplay);
    return this.estimated;
  }

  /** What the page shows beside the board. */
  private get displayed(): Displayed {
    const { session, line, found, progress, network, isReplay, isPaused, isStuck, isHinting, isOnlyRead, sides, wins } =
      this;
    const { game, isAlone } = this.setup;
    const presentation = { ...this.presentation, ...this.called() };
    const now = { isReplay, isPaused, isStuck, isHinting, isAlone, isOnlyRead };
    return { session, line: line?.session ?? null, found, progress, presentation, network, game, sides, wins, ...now };
  }

  /** Bring the page in line with the session. */
  show(): void {
    this.live?.look();
    const { shown, heat, isReplay, found, points, line, retry } = this;
    const [state, last] = [sessions.visible(shown), sessions.lastMove(shown)];
    const canPlay = isReplay ? !state.isTerminal : sessions.phase(shown) === "yours";
    const better = isReplay && !line && !retry ? (shownMove(shown)?.better ?? null) : null;
    const rates = found && ratesOf(found);
    const best = found && new Set(bestOf(found, points));
    const counted = this.count(state);
    this.board.show({ state, human: shown.human, last, heat, rates, points, best, better, canPlay, counted });
    const { session, isOnlyRead } = this;
    const { game } = this.setup;
    const { displayed } = this;
    display(displayed);
    const nameOf = (action: number): string => this.board.nameOf(action);
    const worths = found && worthsOf(found, points, game);
    displayCandidates(found, worths, nameOf, (action) => this.board.point(action));
    const hasValue = this.network?.hasValue ?? false;
    const { pieces } = displayed.presentation;
    displayMoves(session, nameOf, this.showMove);
    const about = { session, line, identity: this.identity, isReplay, nameOf };
    displayAbout({ ...about, play: (action) => this.play(action) });
    displayReview({
      session,
      pieces,
      line,
      lines: this.identity.lines,
      isReplay,
      isOnlyRead,
      isAnalysing: this.isAnalysing,
      isLive: this.live !== null,
      retry,
      hasValue,
      nameOf,
    });
    this.sound();
    // What is said of the game's end is not so of what is shown of it.
    const { refused, hint } = this.notices;
    showNotices(isReplay ? { ...(refused && { refused }), ...(hint && { hint }) } : this.notices);
  }
}

/** Who had to pass since the person's last move, as what is said beside the status. */
function passesOf(session: Session): Notices {
  return sessions.passNotice(session) === null ? {} : { passes: () => sessions.passNotice(session) ?? "" };
}
