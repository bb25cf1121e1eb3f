/** A table: one sitting of a person and a network at a board. What a person does there, and what follows from it. */

import type { Settings } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import type { Written } from "../../engine/records/Writing";
import { other, type Player } from "../../engine/State";
import { say } from "../../texts/Speech";
import type { Playing } from "../../worker/Messages";
import { passOf } from "../boards/Presentation";
import * as controls from "../choices/Controls";
import { displayChances } from "../display/Display";
import { complain } from "../dom/Complaint";
import * as sessions from "../game/Session";
import { fits } from "../records/Settings";
import { type Kept, type Setup, Sitting } from "../sitting/Sitting";
import { notPossible, sideName } from "../words/Words";
import { Help } from "./Help";
import { Opponent } from "./Opponent";
import { Review } from "./Review";
import { Scoring } from "./Scoring";

export class Table {
  readonly help: Help;
  readonly review: Review;
  readonly opponent: Opponent;
  readonly scoring: Scoring;
  readonly sitting: Sitting;

  constructor(setup: Setup) {
    const show = (moves: number): void => this.review.showMove(moves);
    this.sitting = new Sitting(setup, (action) => this.play(action), show);
    this.help = new Help(this.sitting);
    this.scoring = new Scoring(this.sitting);
    this.opponent = new Opponent(this.sitting, this.help, this.scoring);
    this.review = new Review(this.sitting, this.help, this.opponent);
    void this.opponent.go();
  }

  /** Let the network play that has come. */
  seat(network: Playing): void {
    this.sitting.network = network;
    displayChances(network.hasValue);
    this.opponent.resume();
  }

  /** Another network comes, or the same one on another backend: the game waits for it. */
  unseat(): void {
    this.sitting.leaveThought();
    this.sitting.network = null;
    this.sitting.show();
  }

  /** A new game with what the controls say. */
  restart(): void {
    this.begin(controls.human());
  }

  swapSides(): void {
    const { human } = this.sitting.session;
    this.begin(human === 0 || human === 1 ? other(human) : sessions.NOBODY);
  }

  private begin(human: sessions.Human): void {
    const { sitting } = this;
    sitting.leaveThought();
    complain(null);
    [sitting.session, sitting.identity, sitting.board] = sitting.begin(human);
    [sitting.isReplay, sitting.line, sitting.isPaused, this.opponent.isPlayedOn] = [false, null, false, false];
    sitting.keep();
    void this.opponent.go();
  }

  /** The game with all its settings, what it is called on which side, and what stands beside its moves. */
  get writtenGame(): Written {
    const { session, setup, identity } = this.sitting;
    const [own, theirs] = [say("you"), say("ai")];
    const { sides } = this.sitting;
    const called = [0, 1].map((player) =>
      sides ? sideName(sides[player as Player], setup.game) : player === session.human ? own : theirs,
    ) as [string, string];
    const names = session.names ?? called;
    const resigned = session.end?.kind === "resigned" ? sessions.sideOf(session) : null;
    const dead = session.end?.kind === "agreed" ? session.end.dead : [];
    const { settings } = this.open;
    const { states } = session;
    const setUp = sessions.firstPly(session);
    return { game: byName(setup.game), settings, states, names, resigned, dead, beside: identity, setUp };
  }

  /** The game that is open, as moves alone are meant. */
  get open(): { readonly game: string; readonly settings: Settings } {
    const { setup, settings } = this.sitting;
    return { game: setup.game, settings: { ...setup.settings, ...settings } };
  }

  /** Whether the network plays a game, on the board of these settings. */
  plays(game: string, settings: Settings): boolean {
    const { setup } = this.sitting;
    return game === setup.game && fits(settings, setup.settings);
  }

  /** Put another game of the same board there: one to go on with, or other people's to be read from its end on. */
  lay(kept: Kept): void {
    const { sitting } = this;
    sitting.leaveThought();
    complain(null);
    [sitting.session, sitting.identity, sitting.board] = sitting.begin(kept.session.human, kept);
    [sitting.isPaused, this.opponent.isPlayedOn] = [sessions.isWatched(kept.session), false];
    this.review.replay(sessions.isRead(kept.session));
    void this.opponent.go();
  }

  /** A person's move; the reason where it cannot be played. */
  play(action: number): void {
    const { sitting } = this;
    if (sitting.isReplay) {
      this.review.tryOut(action);
      return;
    }
    if (this.scoring.isOpen) this.scoring.toggle(action);
    if (!sitting.isYours) return;
    const refusal = sessions.latest(sitting.session).whyIllegal(action);
    if (refusal) {
      sitting.note({ refused: () => notPossible(refusal) });
      return;
    }
    sitting.leaveThought();
    sitting.notices = {};
    sitting.move(action);
    void this.opponent.go();
  }

  pass(): void {
    const action = passOf(sessions.latest(this.sitting.session));
    if (action !== null) this.play(action);
  }

  /** Take both passes back: the network plays until captures are real. */
  playOn(): void {
    if (!this.scoring.isOpen) return;
    this.scoring.reopen();
    this.opponent.isPlayedOn = true;
    void this.opponent.go();
  }

  /** Give the game up; the network's thought is not wanted any more. */
  resign(): void {
    const { sitting } = this;
    const isOn = ["yours", "theirs"].includes(sessions.phase(sitting.session));
    if (!isOn || sitting.isReplay || sessions.isWatched(sitting.session)) return;
    sitting.leaveThought();
    sitting.notices = { passes: () => say("you_resigned") };
    sitting.session = sessions.resign(sitting.session);
    sitting.keep();
    sitting.show();
  }

  undo(): void {
    const { sitting } = this;
    sitting.leaveThought();
    sitting.notices = {};
    sitting.session = sessions.undoMoves(sitting.session);
    // It was about a position that is not there any more.
    sitting.displayThought(null);
    sitting.keep();
    void this.opponent.go();
  }
}
