/** A table: one sitting of a person and a network at a board. Clicks, thoughts, and what is shown of them. */

import type { Settings } from "../engine/Game";
import { GameError } from "../engine/GameError";
import { Go } from "../engine/games/Go";
import { byName } from "../engine/Recognition";
import type { Written } from "../engine/records/Writing";
import type { State } from "../engine/State";
import { percent, say } from "../texts/Speech";
import { type Advice, largest, type Playing, type Progress, type Thought } from "../worker/Messages";
import type { Board } from "./boards/Board";
import type { Client } from "./Client";
import * as controls from "./Controls";
import { display, displayChances, displayHints, displayThought } from "./Display";
import { byId, say as put } from "./Dom";
import { type Counted, countedWithout, estimated, proposed, scoringText, toggled } from "./Ending";
import { moveAt } from "./Graph";
import { type Notices, showNotices } from "./Notices";
import { type Presentation, passOf, presentationOf } from "./Presentation";
import { type Found, fits } from "./records/Found";
import { type SavedGame, savedFrom } from "./SavedGame";
import type { Session } from "./Session";
import * as sessions from "./Session";
import { notPossible } from "./Words";

/** What a table stands on: the game with the settings of its board, and what was kept of the last game. */
export interface Setup {
  readonly client: Client;
  readonly game: string;
  readonly settings: Settings;
  readonly start: (settings: Settings) => State;
  readonly kept: string | null;
  /** Hears of the game whenever it has changed. */
  readonly keep: (saved: SavedGame) => void;
}

export class Table {
  private readonly presentation: Presentation;
  /** null until it has come: a person's move waits for nobody. */
  private network: Playing | null = null;
  /** Those that were chosen beside the network's own. */
  private settings: Settings = {};
  private session: Session;
  private board: Board;
  private heat: ReadonlyMap<number, number> | null = null;
  private notices: Notices = {};
  private isReplay = false;
  /** What the last thought has found. */
  private progress: Progress | null = null;
  /** The stones that are marked as dead while they are to be agreed on. */
  private dead: readonly number[] = [];
  /** The estimate that the board shows; null where none is. */
  private estimated: Counted | null = null;
  /** Once a person did not agree, the network plays until captures are real. */
  private isPlayedOn = false;
  /** Goes up whenever an answer that is under way is no longer wanted. */
  private turn = 0;

  constructor(
    private readonly setup: Setup,
    private readonly complain: (sentence: string) => void,
  ) {
    this.presentation = presentationOf(setup.game);
    const saved = savedFrom(setup.kept, setup.start, controls.settingsOffered(setup.game));
    if (saved) controls.showSettings(saved.settings);
    [this.session, this.board] = this.begin(saved?.session);
    void this.go();
  }

  /** Let the network play that has come. */
  seat(network: Playing): void {
    this.network = network;
    displayChances(network.hasValue);
    displayHints(network.hasPolicy);
    this.resume();
  }

  /** Another network comes, or the same one on another backend: the game waits for it. */
  unseat(): void {
    this.leaveThought();
    this.network = null;
    this.show();
  }

  /** Whether a new game would end one that the person has moved in. */
  get isUnderWay(): boolean {
    return sessions.isUnderWay(this.session);
  }

  /** Have the controls say again what this game is played by. */
  showSettings(): void {
    controls.showSettings(this.settings);
  }

  /** A new game with what the controls say. */
  restart(): void {
    this.leaveThought();
    this.complain("");
    [this.session, this.board] = this.begin();
    this.isReplay = false;
    this.isPlayedOn = false;
    this.keep();
    void this.go();
  }

  /** The game with all its settings, and what it is called on which side. */
  get written(): Written {
    const { session } = this;
    const { settings } = this.open;
    const [own, theirs] = [say("you"), say("ai")];
    const names = session.human === 0 ? ([own, theirs] as const) : ([theirs, own] as const);
    return { game: byName(this.setup.game), settings, states: session.states, names };
  }

  /** The game that is open, as moves alone are meant. */
  get open(): { readonly game: string; readonly settings: Settings } {
    return { game: this.setup.game, settings: { ...this.setup.settings, ...this.settings } };
  }

  /** Whether the network plays the game of a record, on its board. */
  plays(found: Found): boolean {
    return found.game.name === this.setup.game && fits(found, this.setup.settings);
  }

  /** Show the game of a record, at its end in a replay; a person goes on with the side that is to move. */
  lay({ settings, states }: Found): void {
    this.leaveThought();
    this.complain("");
    const offered = controls.settingsOffered(this.setup.game);
    this.settings = Object.fromEntries(Object.entries(settings).filter(([name]) => offered.includes(name)));
    controls.showSettings(settings);
    this.session = sessions.taken(states);
    this.notices = {};
    put(byId("spoken"), "");
    this.displayThought(null);
    this.replay(true);
  }

  /** A new game, or the one that was `kept`. */
  private begin(kept?: Session): [Session, Board] {
    this.settings = controls.settings(this.setup.game);
    const session = kept ?? sessions.begun(this.setup.start(this.settings), controls.human());
    const board = this.presentation.board(session.states[0], (action) => this.play(action));
    byId("board").replaceChildren(board.element);
    const begins = (): string => say(session.human === 0 ? "you_begin" : "ai_begins");
    this.notices = kept ? passesOf(kept) : controls.isDrawn() ? { begins } : {};
    put(byId("spoken"), "");
    this.displayThought(null);
    return [session, board];
  }

  /** Go on after a thought was left; the one that a move has begun meanwhile begins anew. */
  resume(): void {
    this.leaveThought();
    void this.go();
  }

  /** End the thought where nobody watches, and begin it anew where somebody does again. */
  watch(isWatched: boolean): void {
    if (sessions.phase(this.session) !== "theirs") return;
    if (isWatched) this.resume();
    else this.leaveThought();
  }

  /** Nothing that is under way is wanted any more. */
  leaveThought(): void {
    this.turn++;
    this.setup.client.stop();
    this.cool();
  }

  /** Take the heat map away, and the hint that goes with it. */
  private cool(): void {
    this.heat = null;
    this.estimated = null;
    const { hint: _, ...others } = this.notices;
    this.notices = others;
  }

  /** A person's move; the reason where it cannot be played. */
  play(action: number): void {
    if (sessions.phase(this.session) === "scoring" && !this.isReplay) this.toggle(action);
    if (sessions.phase(this.session) !== "yours" || this.isReplay) return;
    const state = sessions.latest(this.session);
    const reason = state.whyIllegal(action);
    if (reason) {
      this.note({ refused: () => notPossible(reason, state) });
      return;
    }
    this.leaveThought();
    this.notices = {};
    this.move(action);
    void this.go();
  }

  /** Take a chain for dead, or for alive where it was dead. */
  private toggle(at: number): void {
    const state = sessions.latest(this.session);
    this.dead = toggled(state, this.dead, at);
    this.noteScoring(state);
    this.show();
  }

  /** The dead stones are those that are marked. */
  agree(): void {
    if (sessions.phase(this.session) !== "scoring") return;
    this.notices = {};
    this.session = sessions.agreed(this.session, this.dead);
    this.show();
  }

  /** Take both passes back: the network plays until captures are real. */
  playOn(): void {
    if (sessions.phase(this.session) !== "scoring") return;
    this.leaveThought();
    this.notices = {};
    this.isPlayedOn = true;
    this.session = sessions.playedOn(this.session);
    void this.go();
  }

  /** Give the game up; the network's thought is not wanted any more. */
  resign(): void {
    if (!["yours", "theirs"].includes(sessions.phase(this.session)) || this.isReplay) return;
    this.leaveThought();
    this.notices = { passes: () => say("you_resigned") };
    this.session = sessions.resigned(this.session);
    this.show();
  }

  /** Say who is ahead in Go, and show whose each point is. */
  estimate(): void {
    const state = sessions.latest(this.session);
    if (!(state instanceof Go) || sessions.phase(this.session) !== "yours" || this.isReplay) return;
    this.leaveThought();
    const [sentence, counted] = estimated(state);
    this.estimated = counted;
    this.note({ hint: sentence });
    this.show();
  }

  pass(): void {
    const action = passOf(sessions.latest(this.session));
    if (action !== null) this.play(action);
  }

  undo(): void {
    this.leaveThought();
    this.notices = {};
    this.session = sessions.undone(this.session);
    this.keep();
    void this.go();
  }

  /** Colour the board by the network's policy. */
  async hint(): Promise<void> {
    if (!this.network) return;
    const { turn } = this;
    const advice = await this.ask(() => this.setup.client.ask("advise", { position: this.position() }));
    if (!advice || turn !== this.turn || this.isReplay) return;
    this.advise(advice);
  }

  /** Colour the board at every move from now on, or no more. */
  heatChanged(): void {
    this.cool();
    this.show();
    this.warmUp();
  }

  private warmUp(): void {
    const canHint = this.network?.hasPolicy && controls.isHeatWanted();
    if (canHint && sessions.phase(this.session) === "yours" && !this.isReplay) void this.hint();
  }

  private advise({ policy, winRate }: Advice): void {
    this.heat = new Map(policy);
    this.estimated = null;
    const [action, share] = largest(policy);
    const { board } = this;
    const hint = (): string => {
      const [move, part] = [board.nameOf(action), percent(share)];
      return winRate === null ? say("hint_move", move, part) : say("hint_move_rate", move, part, percent(winRate));
    };
    this.note({ hint });
    this.show();
  }

  private note(more: Notices): void {
    this.notices = { ...this.notices, ...more };
    showNotices(this.notices);
  }

  /** Walk through the game, or go on playing. */
  replay(isReplay: boolean): void {
    this.isReplay = isReplay;
    this.cool();
    if (!isReplay) this.session = sessions.showing(this.session, Infinity);
    this.show();
    this.warmUp();
  }

  /** In a replay, show the position after so many moves. */
  showAt(moves: number): void {
    this.session = sessions.showing(this.session, moves);
    this.show();
  }

  /** Show the position whose place in the graph, 0 to 1 from the left, a person has pressed. */
  showInGraph(place: number): void {
    if (!this.isReplay) this.replay(true);
    this.showAt(moveAt(place, this.session.states.length - 1));
  }

  step(moves: number): void {
    this.showAt(sessions.ply(this.session) + moves);
  }

  private position(): { settings: Settings; actions: readonly number[] } {
    return { settings: { ...this.setup.settings, ...this.settings }, actions: sessions.actions(this.session) };
  }

  private move(action: number): void {
    try {
      this.session = sessions.played(this.session, action);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      this.complain(error.message);
    }
    this.notices = { ...this.notices, ...passesOf(this.session) };
    this.keep();
  }

  private keep(): void {
    this.setup.keep({ session: this.session, settings: this.settings });
  }

  /** Let the network move while it is its turn, it is there and somebody watches. */
  private async go(): Promise<void> {
    const { turn } = this;
    while (sessions.phase(this.session) === "theirs") {
      this.show();
      if (!this.network || document.hidden) return;
      const request = { position: this.position(), limit: controls.limit(), passes: !this.isPlayedOn };
      const thought = await this.ask(() =>
        this.setup.client.ask("think", request, (progress) => turn === this.turn && this.tell(progress)),
      );
      if (!thought || turn !== this.turn) return;
      this.take(thought);
    }
    if (sessions.phase(this.session) === "scoring") this.propose();
    this.show();
    this.warmUp();
  }

  /** Mark the stones that are proposed dead, for a person to agree with. */
  private propose(): void {
    const state = sessions.latest(this.session);
    this.dead = proposed(state);
    this.noteScoring(state);
  }

  private noteScoring(state: State): void {
    const { dead } = this;
    this.note({ scoring: () => scoringText(state, dead) });
  }

  /** Play what the network has chosen. */
  private take(thought: Thought): void {
    this.displayThought(thought);
    this.heat = null;
    const { shown } = this.session;
    this.session = sessions.rated(this.session, thought.winRate);
    put(byId("spoken"), this.board.told(thought.action, sessions.latest(this.session)));
    this.move(thought.action);
    if (this.isReplay) this.session = { ...this.session, shown };
  }

  private displayThought(progress: Progress | null): void {
    this.progress = progress;
    displayThought(progress);
  }

  /** Say all that is on the page again, in another language. */
  retell(): void {
    displayThought(this.progress);
    put(byId("spoken"), "");
    this.show();
  }

  /** What a thought has found so far. */
  private tell(progress: Progress): void {
    this.displayThought(progress);
    if (!controls.isHeatWanted() || this.isReplay) return;
    this.heat = new Map(progress.shares);
    this.board.heat(this.heat);
  }

  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await question();
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** What the board shows of dead stones and areas. */
  private counted(state: State): Counted | null {
    const { session } = this;
    if (state !== sessions.latest(session)) return null;
    if (session.end?.kind === "agreed") return countedWithout(state, session.end.dead, false);
    if (sessions.phase(session) === "scoring") return countedWithout(state, this.dead, !this.isReplay);
    return this.estimated;
  }

  /** Bring the page in line with the session. */
  show(): void {
    const { session, heat, isReplay } = this;
    const canPlay = sessions.phase(session) === "yours" && !isReplay;
    const [state, last] = [sessions.visible(session), sessions.lastMove(session)];
    const counted = this.counted(state);
    this.board.show({ state, human: session.human, last, heat, canPlay, counted });
    display(session, this.presentation, isReplay, this.network !== null);
    // What is said of the game's end is not so of what is shown of it.
    showNotices(isReplay ? {} : this.notices);
  }
}

function passesOf(session: Session): Notices {
  return sessions.passNotice(session) === null ? {} : { passes: () => sessions.passNotice(session) ?? "" };
}
