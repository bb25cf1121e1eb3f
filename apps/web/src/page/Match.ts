/** A match at the table: a person's clicks, the network's moves, and what is shown of them. */

import type { Settings } from "../engine/Game";
import { GameError, type State } from "../engine/State";
import type { Advice, Opened, Progress } from "../worker/Messages";
import type { Board } from "./boards/Board";
import type { Client } from "./Client";
import * as controls from "./Controls";
import { byId, say } from "./Dom";
import { draw, percent } from "./Graph";
import * as sessions from "./Session";
import type { Session } from "./Session";
import { passOf, summary, tableOf, type Table } from "./Table";

/** What a match is played with. */
export interface Setup {
  readonly client: Client;
  readonly opened: Opened;
  readonly game: string;
  readonly start: (settings: Settings) => State;
}

export class Match {
  private readonly table: Table;
  private settings: Settings = {};
  private session: Session;
  private board: Board;
  private heat: ReadonlyMap<number, number> | null = null;
  private isReplay = false;
  /** Goes up whenever an answer that is under way is no longer wanted. */
  private turn = 0;

  constructor(
    private readonly setup: Setup,
    private readonly complain: (sentence: string) => void,
  ) {
    this.table = tableOf(setup.game);
    [this.session, this.board] = this.begin();
    void this.go();
  }

  /** A new game with what the controls say. */
  restart(): void {
    this.leaveThought();
    [this.session, this.board] = this.begin();
    this.replay(false);
    void this.go();
  }

  private begin(): [Session, Board] {
    this.settings = { ...this.setup.opened.settings, ...controls.settings(this.setup.game) };
    const start = this.setup.start(this.settings);
    const session = sessions.begun(start, controls.human());
    const board = this.table.board(start, (action) => this.play(action));
    byId("board").replaceChildren(board.element);
    this.tell(null);
    return [session, board];
  }

  /** Go on after a thought was left. */
  resume(): void {
    void this.go();
  }

  /** Nothing that is under way is wanted any more. */
  leaveThought(): void {
    this.turn++;
    this.setup.client.stop();
    this.heat = null;
    say(byId("notice"), "");
  }

  /** A person's move; the reason where it cannot be played. */
  play(action: number): void {
    if (sessions.phase(this.session) !== "yours" || this.isReplay) return;
    const reason = sessions.latest(this.session).whyIllegal(action);
    if (reason) {
      say(byId("notice"), `Not possible: ${reason}.`);
      return;
    }
    this.leaveThought();
    this.move(action);
    void this.go();
  }

  pass(): void {
    const action = passOf(sessions.latest(this.session));
    if (action !== null) this.play(action);
  }

  undo(): void {
    this.leaveThought();
    this.session = sessions.undone(this.session);
    void this.go();
  }

  /** Colour the board by the network's policy. */
  async hint(): Promise<void> {
    const { turn } = this;
    const advice = await this.ask(() => this.setup.client.ask("advise", { position: this.position() }));
    if (!advice || turn !== this.turn) return;
    this.advise(advice);
  }

  private advise({ policy, winRate }: Advice): void {
    this.heat = new Map(policy);
    const [action, share] = policy.reduce((best, next) => (next[1] > best[1] ? next : best));
    const chances = winRate === null ? "" : `, your chances ${percent(winRate)}`;
    say(byId("notice"), `Hint: ${this.moveName(action)} (${percent(share)})${chances}.`);
    this.show();
  }

  private moveName(action: number): string {
    const label = sessions.latest(this.session).label(action);
    if (this.setup.game === "connect4") return `column ${Number(label) + 1}`;
    if (this.setup.game === "tictactoe") return `row ${Math.floor(action / 3) + 1}, column ${(action % 3) + 1}`;
    return this.setup.game === "dots_and_boxes" ? "the warmest edge" : label;
  }

  /** Walk through the game, or go on playing. */
  replay(isReplay: boolean): void {
    this.isReplay = isReplay;
    this.heat = null;
    if (!isReplay) this.session = sessions.showing(this.session, Infinity);
    this.show();
  }

  /** In a replay, show the position after so many moves. */
  showAt(moves: number): void {
    this.session = sessions.showing(this.session, moves);
    this.show();
  }

  step(moves: number): void {
    this.showAt(sessions.ply(this.session) + moves);
  }

  private position(): { settings: Settings; actions: readonly number[] } {
    return { settings: this.settings, actions: sessions.actions(this.session) };
  }

  private move(action: number): void {
    try {
      this.session = sessions.played(this.session, action);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      this.complain(error.message);
    }
  }

  /** Let the network move while it is its turn. */
  private async go(): Promise<void> {
    const { turn } = this;
    while (sessions.phase(this.session) === "theirs") {
      this.show();
      const request = { position: this.position(), limit: controls.limit() };
      const thought = await this.ask(() => this.setup.client.ask("think", request, (progress) => turn === this.turn && this.tell(progress)));
      if (!thought || turn !== this.turn) return;
      this.session = sessions.rated(this.session, thought.winRate);
      this.tell(thought);
      this.move(thought.action);
    }
    say(byId("notice"), sessions.passNotice(this.session) ?? "");
    this.show();
    if (byId<HTMLInputElement>("heat").checked && sessions.phase(this.session) === "yours") await this.hint();
  }


  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await question();
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** What a thought has found so far. */
  private tell(progress: Progress | null): void {
    say(byId("simulations"), progress ? progress.simulations.toLocaleString("en") : "–");
    say(byId("depth"), progress ? String(progress.depth) : "–");
    say(byId("rate"), progress?.winRate == null ? "–" : percent(progress.winRate));
  }

  /** Bring the page in line with the session. */
  show(): void {
    const { session } = this;
    const now = sessions.phase(session);
    const state = sessions.visible(session);
    const canPlay = now === "yours" && !this.isReplay;
    this.board.show({ state, human: session.human, last: sessions.lastMove(session), heat: this.heat, canPlay });
    say(byId("status"), sessions.status(session, this.table.prompt));
    byId("status").dataset.phase = now;
    say(byId("summary"), summary(session, state));
    say(byId("you"), this.table.pieces[session.human]);
    say(byId("ai"), this.table.pieces[1 - session.human]);
    byId("pass").hidden = !canPlay || passOf(state) === null;
    byId("stop").hidden = now !== "theirs";
    byId<HTMLButtonElement>("undo").disabled = this.isReplay || sessions.undone(session) === session;
    byId<HTMLButtonElement>("hint").disabled = !canPlay;
    this.showReplay();
    const moves = session.states.length - 1;
    draw(byId("graph"), sessions.curve(session), moves, sessions.ply(session));
  }

  private showReplay(): void {
    const [last, at] = [this.session.states.length - 1, sessions.ply(this.session)];
    byId("replay").hidden = !this.isReplay;
    const slider = byId<HTMLInputElement>("ply");
    [slider.max, slider.value] = [String(last), String(at)];
    say(byId("ply-text"), `Move ${at} of ${last}`);
    byId("mode-play").setAttribute("aria-pressed", String(!this.isReplay));
    byId("mode-replay").setAttribute("aria-pressed", String(this.isReplay));
  }
}
