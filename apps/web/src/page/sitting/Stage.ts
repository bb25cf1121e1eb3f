/** Where a sitting is on the page: what holds it, draws it whole, and asks the worker about it. */

import type { Settings } from "../../engine/Game";
import { GameError } from "../../engine/GameError";
import type { State } from "../../engine/State";
import { type Said, saidOf, say } from "../../texts/Speech";
import type { Position, Progress } from "../../worker/Messages";
import { type Board, labelOf, type Play } from "../boards/Board";
import { type Presentation, presentationOf } from "../boards/Presentation";
import type { Client } from "../bundles/Client";
import * as controls from "../choices/Controls";
import { type DisplayState, display, displayFigures } from "../display/Display";
import { complain } from "../dom/Complaint";
import { byId, put } from "../dom/Dom";
import { showNotices } from "../dom/Notices";
import { newIdentity, type Side } from "../game/GameRecord";
import type { Human, Session } from "../game/Session";
import * as sessions from "../game/Session";
import { displayAbout } from "../records/About";
import { judgeGame } from "../review/Judgement";
import { displayMoves } from "../review/MoveList";
import { row } from "../words/Outcome";
import { sideNames } from "../words/Words";
import * as sittings from "./Sitting";
import { figuresOf, type ShelvedGame, type Sitting, type View, viewOf } from "./Sitting";

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
  readonly kept: ShelvedGame | null;
  /** Hears of the game whenever it has changed; `isWanted` where it is to be kept without a move of the person's. */
  readonly keep: (kept: ShelvedGame, isWanted: boolean) => void;
  /** Have the network of a side at hand, beside the one that is open. */
  readonly seat: (side: Side) => Promise<void>;
}

/** What looks at the position that is shown, for as long as that is wanted. */
export interface Watcher {
  /** Look at the position that is shown now, and no more at another one. */
  look(): void;
}

/** What says more of positions that were looked at; null until one was. */
let later: typeof import("../review/Later") | null = null;

export class Stage {
  readonly presentation: Presentation;
  now!: Sitting;
  board!: Board;
  /** What looks at the position that is shown, once somebody has wanted that. */
  watcher: Watcher | null = null;
  /** Whether the page is to be drawn as soon as what happens has happened. */
  private isDue = false;
  /** The game as it was when it was last listened to. */
  private heard: Session | null = null;

  constructor(
    readonly setup: Setup,
    private readonly play: Play,
    /** Hears after how many moves the position is wanted. */
    private readonly showMove: (moves: number) => void,
  ) {
    const { game, settings, kept } = setup;
    this.presentation = presentationOf(game);
    controls.offerKomi(settings.komi);
    controls.offerRule(game, settings.rule);
    this.begin(controls.human(), kept);
  }

  /** A new game with what the controls say, or the one that was `kept`. */
  begin(human: Human, kept: ShelvedGame | null = null): void {
    const { game, start } = this.setup;
    const isAlone = this.setup.isAlone && !(this.now as Sitting | undefined)?.network;
    if (kept) controls.showSettings(game, kept.settings);
    const settings = kept?.settings ?? controls.settings(game);
    const session = kept?.session ?? sessions.beginSession(start(settings), human);
    const isWatched = sessions.isWatched(session);
    const identity = kept?.identity ?? newIdentity(isWatched ? "watched" : "played");
    const begins = (): string => say(session.human === 0 ? "you_begin" : "ai_begins");
    const notices = kept ? sittings.passesOf(session) : controls.isDrawn() && !isWatched ? { begins } : {};
    const before = { network: null, turn: 0, ...(this.now as Sitting | undefined), game, isAlone };
    this.board = this.presentation.board(session.states[0], this.play);
    byId("board").replaceChildren(this.board.element);
    put(byId("spoken"), "");
    this.change(() => sittings.begin(before, { session, settings, identity }, notices, kept !== null));
    judgeGame(session, () => this.show()).catch(() => undefined);
  }

  /** Let something happen: `how` makes the next sitting of the one that is there. */
  change<Given extends readonly unknown[]>(how: (now: Sitting, ...given: Given) => Sitting, ...given: Given): void {
    this.now = how(this.now, ...given);
    this.show();
  }

  /** Nothing that is under way is wanted any more. */
  leaveThought(): void {
    this.setup.client.stop();
    this.change(sittings.leave);
  }

  /** Take the heat map away, and the hint that goes with it; one that is on its way is not wanted any more. */
  cool(): void {
    if (figuresOf(this.now).isHinting) this.setup.client.stop();
    this.change(sittings.cool);
  }

  /** Make a move of either side, where the rules allow it; a screen reader hears of the network's, and of a row that wins. */
  move(action: number, how = (now: Sitting): Sitting => sittings.play(now, action)): void {
    const before = sessions.latest(this.now.session);
    try {
      this.change(how);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      complain(saidOf(error));
    }
    const { session } = this.now;
    const won = row(sessions.latest(session));
    if (won !== null || before.toMove !== session.human)
      put(byId("spoken"), labelOf(this.board.describeMove(action, before), won));
    this.keep();
  }

  keep(isWanted = false): void {
    const { session, settings, identity } = this.now;
    this.setup.keep({ session, settings, identity }, isWanted);
  }

  /** The position that a session shows, or the one after `moves` moves. */
  positionOf(session: Session, moves = sessions.ply(session)): Position {
    return {
      settings: { ...this.setup.settings, ...this.now.settings },
      actions: sessions.actions(session).slice(0, moves),
    };
  }

  /** The answer to a question; null if there is none, of which `refuse` says why. */
  async ask<Answer>(question: () => Promise<Answer>, refuse: (why: Said) => void = complain): Promise<Answer | null> {
    try {
      return await question();
    } catch (error) {
      refuse(saidOf(error));
      return null;
    }
  }

  /** Show what a thought has found so far: many times a second, so that its figures alone are drawn anew. */
  tell(of: State, progress: Progress): void {
    const before = this.now;
    const isWarm = controls.isHeatWanted() && !before.isReplay;
    const next = sittings.think(before, of, progress);
    this.now = isWarm ? sittings.figure(next, of, { heat: new Map(progress.shares) }) : next;
    if (this.isDue) return;
    const { displayed } = this;
    displayFigures(displayed);
    if (isWarm) this.board.heat(displayed.heat);
  }

  /** Say all that is on the page again, in another language. */
  retell(): void {
    put(byId("spoken"), "");
    this.show();
  }

  /** Let the moves be heard and felt that were made since this was called last. */
  private sound(): void {
    const [before, after] = [this.heard ?? this.now.session, this.now.session];
    this.heard = after;
    // Who wants neither needs no program for them.
    if (before !== after && (controls.isWanted("sound") || controls.isWanted("vibration")))
      void import("../display/Sound").then(({ sound }) => sound(before, after));
  }

  /** What the page shows of the sitting. */
  private get displayed(): DisplayState & View {
    const { now, presentation, setup } = this;
    const view = viewOf(now);
    // One network that plays alone does so as the controls say.
    const own: Side = { kind: "network", name: setup.title(), level: controls.strength() };
    const called = sideNames(view.sides ?? [own, own], now.game, presentation.pieces);
    return {
      ...view,
      sayCounted: (...figure) => later?.sayCounted(...figure) ?? null,
      presentation: { ...presentation, ...(sessions.isWatched(now.session) && { called }) },
    };
  }

  private async fetchLater(): Promise<void> {
    later ??= await import("../review/Later");
    this.show();
  }

  /** Have the page drawn once what happens has happened, before anybody sees it. */
  show(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      // Another game may be on the page meanwhile.
      if (this.board.element.isConnected) this.draw();
    });
  }

  /** Bring the page in line with the sitting: all of it, from one value. */
  private draw(): void {
    this.watcher?.look();
    const { board, displayed, play } = this;
    const { found, panel, game, session } = displayed;
    const nameOf = (action: number): string => board.nameOf(action);
    board.show(displayed);
    display(displayed);
    later?.displayCandidates(found, found && later.worthsOf(panel, game), nameOf, (action) => board.point(action));
    displayMoves(session, nameOf, this.showMove);
    displayAbout({ ...displayed, nameOf, play });
    later?.measureLeads(displayed, () => this.show());
    if (later) later.displayReview({ ...displayed, nameOf });
    else if (isLookedAt(displayed)) void this.fetchLater();
    this.sound();
    showNotices(displayed.notices);
  }
}

/** Whether there is more to be said of what is shown than its chances. */
function isLookedAt({ found, isReplay, session, panel: { figure } }: View): boolean {
  const isCounted = figure !== null && (figure.unit !== "chance" || figure.source === "solved");
  return found !== null || isReplay || isCounted || sessions.phase(session) === "over";
}
