/** A table: one sitting of a person and a network at a board. Clicks, thoughts, and what is shown of them. */

import type { Settings } from "../engine/Game";
import { GameError } from "../engine/GameError";
import { Go } from "../engine/games/Go";
import { byName } from "../engine/Recognition";
import type { Written } from "../engine/records/Writing";
import { nextMistake } from "../engine/review/Verdicts";
import type { State } from "../engine/State";
import { count, percent, say } from "../texts/Speech";
import {
  type Advice,
  type Analysis,
  largest,
  type Playing,
  type Position,
  type Progress,
  type Thought,
} from "../worker/Messages";
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
import { displayCandidates, ratesOf, sharesOf } from "./review/CandidateList";
import { known, movesOf, shownMove } from "./review/Judgement";
import { type Line, playedOn, takenBack, tried } from "./review/Line";
import { displayReview, simulations } from "./review/Panel";
import { isSure } from "./review/Question";
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
  /** What a hint has found of the position that is shown. */
  private found: Analysis | null = null;
  /** What a person tries out in a replay. */
  private line: Line | null = null;
  private isAnalysing = false;
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
    [this.isReplay, this.isPlayedOn, this.line] = [false, false, null];
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
    this.isAnalysing = false;
    this.setup.client.stop();
    this.cool();
  }

  /** Take the heat map away, and the hint that goes with it. */
  private cool(): void {
    [this.heat, this.found, this.estimated] = [null, null, null];
    const { hint: _, ...others } = this.notices;
    this.notices = others;
  }

  /** A person's move; the reason where it cannot be played. */
  play(action: number): void {
    if (sessions.phase(this.session) === "scoring" && !this.isReplay) this.toggle(action);
    if (this.isReplay) this.tryOut(action);
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

  /** Show what a search of the position considers, on the board and in a list. */
  async hint(): Promise<void> {
    if (!this.network) return;
    const [{ turn }, shown] = [this, this.shown];
    const request = { position: this.positionOf(shown), simulations: simulations() };
    const found = await this.ask(() => this.setup.client.ask("analyse", request));
    const [best] = found?.candidates ?? [];
    if (!found || !best || turn !== this.turn || !this.isShown(shown)) return;
    [this.found, this.heat] = [found, sharesOf(found)];
    const isOwn = sessions.visible(shown).toMove === shown.human;
    const rate = found.seen && (isOwn ? best.winRate : 1 - best.winRate);
    this.tellHint(best.action, this.heat.get(best.action) ?? 0, rate);
  }

  /** Whether the position of a session is still what is shown. */
  private isShown(session: Session): boolean {
    return sessions.visible(session) === sessions.visible(this.shown);
  }

  /** Colour the board by the network's policy. */
  private async showPolicy(): Promise<void> {
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
    if (canHint && sessions.phase(this.session) === "yours" && !this.isReplay) void this.showPolicy();
  }

  private advise({ policy, winRate }: Advice): void {
    this.heat = new Map(policy);
    this.estimated = null;
    const [action, share] = largest(policy);
    this.tellHint(action, share, winRate);
  }

  private tellHint(action: number, share: number, rate: number | null): void {
    const { board } = this;
    const hint = (): string => {
      const [move, part] = [board.nameOf(action), percent(share)];
      return rate === null ? say("hint_move", move, part) : say("hint_move_rate", move, part, percent(rate));
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
    [this.isReplay, this.line] = [isReplay, null];
    this.cool();
    if (!isReplay) this.session = sessions.showing(this.session, Infinity);
    this.show();
    this.warmUp();
  }

  /** In a replay, show the position after so many moves. */
  showAt(moves: number): void {
    this.line = null;
    this.session = sessions.showing(this.session, moves);
    this.cool();
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

  /** In a replay, go on by so many moves; false where there is no replay. */
  stepByKey(moves: number): boolean {
    if (this.isReplay) this.step(moves);
    return this.isReplay;
  }

  /** The session whose position is shown: the game, or a line that branches off from it. */
  private get shown(): Session {
    return this.line?.session ?? this.session;
  }

  /** In a replay, play a move of either side in a line of the person's own. */
  private tryOut(action: number): void {
    const state = sessions.visible(this.shown);
    const reason = state.whyIllegal(action);
    this.cool();
    if (reason) this.note({ refused: () => notPossible(reason, state) });
    else {
      this.line = tried(this.session, this.line, action);
      this.notices = {};
    }
    this.show();
  }

  /** Take the last move of the line back. */
  takeBack(): void {
    this.line = this.line && takenBack(this.line);
    this.cool();
    this.show();
  }

  /** Leave the line, for the position of the game that it branches off from. */
  toGame(): void {
    this.line = null;
    this.cool();
    this.show();
  }

  /** Make the position that is shown the game, and go on playing; asks where moves of the game are lost by it. */
  async playFromHere(): Promise<void> {
    const { session, lost } = playedOn(this.session, this.line);
    if (lost > 0 && !(await isSure(say("play_from_here"), count("play_from_here_about", lost)))) return;
    this.leaveThought();
    this.complain("");
    this.session = session;
    [this.isReplay, this.line, this.notices] = [false, null, {}];
    this.keep();
    void this.go();
  }

  /** Look at every position that is not known yet, one after the other; a move, or another thought, ends it. */
  async analyse(): Promise<void> {
    if (!this.network) return;
    this.isAnalysing = true;
    const { turn } = this;
    for (let moves = 0; moves < this.session.states.length; moves++) {
      if (this.session.seen?.has(moves)) continue;
      this.show();
      const request = { position: this.positionOf(this.session, moves), simulations: simulations() };
      const found = await this.ask(() => this.setup.client.ask("analyse", request));
      if (turn !== this.turn) return;
      if (!found?.isWhole || !found.seen || !this.isAnalysing) break;
      this.session = known(this.session, moves, found.seen);
    }
    this.isAnalysing = false;
    this.show();
  }

  stopAnalysis(): void {
    this.isAnalysing = false;
    this.setup.client.stop();
  }

  /** Show the next position that a mistake or a blunder leads to. */
  showNextMistake(): void {
    const next = nextMistake(movesOf(this.session), this.isReplay ? sessions.ply(this.session) : 0);
    if (next === null) return;
    if (!this.isReplay) this.replay(true);
    this.showAt(next);
  }

  private position(): Position {
    return this.positionOf(this.session, Infinity);
  }

  /** The position that a session shows, or the one after so many moves. */
  private positionOf(session: Session, moves = sessions.ply(session)): Position {
    return {
      settings: { ...this.setup.settings, ...this.settings },
      actions: sessions.actions(session).slice(0, moves),
    };
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
    const { shown, heat, isReplay, found, line } = this;
    const [state, last] = [sessions.visible(shown), sessions.lastMove(shown)];
    const canPlay = isReplay ? !state.isTerminal : sessions.phase(shown) === "yours";
    const better = isReplay && !line ? (shownMove(shown)?.better ?? null) : null;
    const rates = found && ratesOf(found);
    const counted = this.counted(state);
    this.board.show({ state, human: shown.human, last, heat, rates, better, canPlay, counted });
    display(this.session, this.presentation, isReplay, this.network !== null, line?.session);
    const nameOf = (action: number): string => this.board.nameOf(action);
    displayCandidates(found, nameOf);
    const hasValue = this.network?.hasValue ?? false;
    displayReview({ session: this.session, line, isReplay, isAnalysing: this.isAnalysing, hasValue, nameOf });
    // What is said of the game's end is not so of what is shown of it.
    const { refused, hint } = this.notices;
    showNotices(isReplay ? { ...(refused && { refused }), ...(hint && { hint }) } : this.notices);
  }
}

function passesOf(session: Session): Notices {
  return sessions.passNotice(session) === null ? {} : { passes: () => sessions.passNotice(session) ?? "" };
}
