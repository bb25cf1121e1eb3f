/** A table: what a person does at a board, and what follows from it for the game, the network and the page. */

import type { Settings } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import type { WrittenGame } from "../../engine/records/Writing";
import { other, type Player } from "../../engine/State";
import { say } from "../../texts/Speech";
import type { Playing } from "../../worker/Messages";
import { passOf } from "../boards/Presentation";
import * as controls from "../choices/Controls";
import { displayChances } from "../display/Display";
import { complain } from "../dom/Complaint";
import * as sessions from "../game/Session";
import { fits } from "../records/Settings";
import type { ShelvedGame, Sitting } from "../sitting/Sitting";
import * as sittings from "../sitting/Sitting";
import { type Setup, Stage } from "../sitting/Stage";
import { notPossible, sideName } from "../words/Words";
import { Help } from "./Help";
import { Opponent } from "./Opponent";
import { Review } from "./Review";
import { Scoring } from "./Scoring";
import type { Timer } from "./Timer";

export class Table {
  readonly help: Help;
  readonly review: Review;
  readonly opponent: Opponent;
  readonly scoring: Scoring;
  readonly stage: Stage;
  /** Lets time go by, once a game is there in which it is counted. */
  private timer: Timer | null = null;

  constructor(setup: Setup) {
    const show = (moves: number): void => this.review.showMove(moves);
    this.stage = new Stage(setup, (action) => this.play(action), show);
    this.help = new Help(this.stage);
    this.scoring = new Scoring(this.stage);
    this.opponent = new Opponent(this.stage, this.help, this.scoring);
    this.review = new Review(this.stage, this.help, this.opponent);
    this.windUp();
    void this.opponent.go();
  }

  private windUp(): void {
    if (!this.now.session.clock || this.timer) return;
    void import("./Timer").then(({ Timer }) => {
      this.timer ??= new Timer(this.stage);
    });
  }

  get now(): Sitting {
    return this.stage.now;
  }

  /** Start using the loaded network. */
  seat(network: Playing): void {
    this.stage.change(sittings.seat, network);
    displayChances(network.hasValue);
    this.opponent.resume();
  }

  /** Another network comes, or the same one on another backend: the game waits for it. */
  unseat(): void {
    this.stage.leaveThought();
    this.stage.change(sittings.seat, null);
  }

  /** A new game with what the controls say. */
  restart(): void {
    this.begin(controls.human());
  }

  swapSides(): void {
    const { human } = this.now.session;
    this.begin(human === 0 || human === 1 ? other(human) : sessions.NOBODY);
  }

  private begin(human: sessions.Human, kept: ShelvedGame | null = null): void {
    this.timer?.flush(true);
    this.stage.leaveThought();
    complain(null);
    this.stage.begin(human, kept);
    this.windUp();
    if (!kept) this.stage.keep();
    void this.opponent.go();
  }

  /** The game with all its settings, what it is called on which side, and what stands beside its moves. */
  get writtenGame(): WrittenGame {
    const { session, game, identity } = this.now;
    const [own, theirs] = sessions.isShared(session) ? ["", ""] : [say("you"), say("ai")];
    const sides = sittings.sidesOf(this.now);
    const called = [0, 1].map((player) =>
      sides ? sideName(sides[player as Player], game) : player === session.human ? own : theirs,
    ) as [string, string];
    const names = session.names ?? called;
    const { end } = session;
    const resigned = end?.kind === "resigned" ? (end.by ?? sessions.sideOf(session)) : null;
    const late = end?.kind === "time" ? end.by : null;
    const dead = session.end?.kind === "agreed" ? session.end.dead : [];
    const { settings } = this.open;
    const { states } = session;
    const setUp = sessions.firstPly(session);
    return { game: byName(game), settings, states, names, resigned, late, dead, beside: identity, setUp };
  }

  /** The game that is open, as moves alone are meant. */
  get open(): { readonly game: string; readonly settings: Settings } {
    const { game, settings } = this.now;
    return { game, settings: { ...this.stage.setup.settings, ...settings } };
  }

  /** Whether the network plays a game, on the board of these settings. */
  plays(game: string, settings: Settings): boolean {
    return game === this.now.game && fits(settings, this.stage.setup.settings);
  }

  /** Put another game of the same board there: one to go on with, or other people's to be read from its end on. */
  lay(kept: ShelvedGame): void {
    this.begin(kept.session.human, kept);
  }

  /** A person's move; the reason where it cannot be played. */
  play(action: number): void {
    const { stage } = this;
    this.timer?.flush();
    if (this.now.isReplay) {
      this.review.tryOut(action);
      return;
    }
    if (this.scoring.isOpen) this.scoring.toggle(action);
    if (!sittings.isYours(this.now)) return;
    const refusal = sessions.latest(this.now.session).whyIllegal(action);
    if (refusal) {
      stage.change(sittings.note, { refused: () => notPossible(refusal) });
      return;
    }
    stage.leaveThought();
    stage.change(sittings.hush);
    stage.move(action);
    void this.opponent.go();
  }

  pass(): void {
    const action = passOf(sessions.latest(this.now.session));
    if (action !== null) this.play(action);
  }

  /** Take both passes back: the network plays until captures are real. */
  playOn(): void {
    if (!this.scoring.isOpen) return;
    this.scoring.reopen();
    void this.opponent.go();
  }

  /** Give the game up; the network's thought is not wanted any more. */
  resign(): void {
    const { session, isReplay } = this.now;
    this.timer?.flush();
    const isOn = ["yours", "theirs"].includes(sessions.phase(session));
    if (!isOn || isReplay || sessions.isWatched(session)) return;
    this.stage.leaveThought();
    this.stage.change(sittings.resign, sessions.isShared(session) ? () => "" : () => say("you_resigned"));
    this.stage.keep();
  }

  undo(): void {
    this.timer?.flush();
    this.stage.leaveThought();
    this.stage.change(sittings.undo);
    this.stage.keep();
    void this.opponent.go();
  }
}
