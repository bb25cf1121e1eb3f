/** A game that is looked at: its positions one by one, an analysis of them, and lines that a person tries out. */

import type { Seen } from "../../engine/review/Verdicts";
import { say } from "../../texts/Speech";
import { moveAt } from "../display/Graph";
import { complain } from "../dom/Complaint";
import { newIdentity } from "../game/GameRecord";
import * as sessions from "../game/Session";
import { addSeen, callJudge, doubtedOf, nextMistake, shownMove } from "../review/Judgement";
import { type Line, movesOfLine, nextInLine, playOn, takeBack, tryMove, withLine } from "../review/Line";
import { simulations } from "../review/Panel";
import type { Sitting } from "../sitting/Sitting";
import { notPossible } from "../words/Words";
import type { Help } from "./Help";
import type { Opponent } from "./Opponent";

export class Review {
  constructor(
    private readonly sitting: Sitting,
    private readonly help: Help,
    private readonly opponent: Opponent,
  ) {}

  /** Walk through the game, or go on playing; one that cannot be continued here is only walked through. */
  replay(wanted: boolean): void {
    const { sitting } = this;
    const isReplay = wanted || sitting.isOnlyRead;
    if (isReplay) this.opponent.pause(true);
    [sitting.isReplay, sitting.line, sitting.retry] = [isReplay, null, null];
    sitting.cool();
    if (!isReplay) sitting.session = sessions.showMove(sitting.session, Infinity);
    sitting.show();
    this.help.warmUp();
  }

  /** In a replay, show the position after so many moves. */
  showAt(moves: number): void {
    this.sitting.session = sessions.showMove(this.sitting.session, moves);
    this.showLine(null);
  }

  /** Show the position after so many moves, of the list of moves. */
  showMove(moves: number): void {
    if (!this.sitting.isReplay) this.replay(true);
    this.showAt(moves);
  }

  /** Show the position whose place in the graph, 0 to 1 from the left, a person has pressed. */
  showInGraph(place: number): void {
    const { session } = this.sitting;
    this.showMove(sessions.firstPly(session) + moveAt(place, sessions.countMoves(session)));
  }

  step(moves: number): void {
    const { line } = this.sitting;
    const next = line && moves === 1 ? nextInLine(this.sitting.identity.lines, line) : null;
    if (line && next !== null) this.showLine(tryMove(this.sitting.session, line, next));
    else if (line && moves === -1) this.takeBack();
    else this.showAt(sessions.ply(this.sitting.session) + moves);
  }

  /** In a replay, go on by so many moves; false where there is no replay. */
  stepByKey(moves: number): boolean {
    if (this.sitting.isReplay) this.step(moves);
    return this.sitting.isReplay;
  }

  /** In a replay, play a move of either side in a line of the person's own. */
  tryOut(action: number): void {
    const { sitting } = this;
    const refusal = sessions.visible(sitting.shown).whyIllegal(action);
    sitting.cool();
    if (refusal) sitting.note({ refused: () => notPossible(refusal) });
    else if (sitting.retry && !sitting.retry.isDone) {
      sitting.notices = {};
      if (!sitting.line) void sitting.retry.attempt(action);
      return;
    } else {
      sitting.retry = null;
      sitting.notices = {};
      // The game's own next move is no line.
      if (!sitting.line && sessions.actions(sitting.session)[sessions.ply(sitting.session)] === action) {
        this.step(1);
        return;
      }
      sitting.line = tryMove(sitting.session, sitting.line, action);
      this.keepLine(sitting.line);
    }
    sitting.show();
  }

  /** What was tried out stays with the game. */
  private keepLine(line: Line): void {
    const { sitting } = this;
    const lines = withLine(sitting.identity.lines, movesOfLine(line), line.from);
    if (lines === sitting.identity.lines) return;
    sitting.identity = { ...sitting.identity, lines };
    if (sitting.session.states.length > 1) sitting.keep();
  }

  takeBack(): void {
    this.showLine(this.sitting.line && takeBack(this.sitting.line));
  }

  /** Leave the line, for the position of the game that it branches off from; a mistake that was tried again is shown. */
  toGame(): void {
    const { retry } = this.sitting;
    if (retry && !retry.isDone) this.step(1);
    else this.showLine(null);
  }

  /** Let a person find a better move than the one that is shown. */
  async retry(): Promise<void> {
    const { sitting } = this;
    const { session } = sitting;
    const mistake = shownMove(session);
    const { Retry } = await import("../study/Retry");
    if (!mistake || !sitting.isReplay || sitting.line || session !== sitting.session) return;
    this.step(-1);
    sitting.retry = new Retry(sitting, mistake, (line) => this.keepLine(line));
    sitting.show();
  }

  /** Look at whatever position is shown, deeper and deeper, or no more. */
  async watch(): Promise<void> {
    const { sitting } = this;
    const { turn, live } = sitting;
    const { Live } = await import("../study/Live");
    if (turn !== sitting.turn) return;
    live?.end();
    sitting.live = live ? null : new Live(sitting);
    sitting.cool();
    sitting.show();
  }

  private showLine(line: Line | null): void {
    [this.sitting.line, this.sitting.retry] = [line, null];
    this.sitting.cool();
    this.sitting.show();
  }

  /**
   * Begin a game of its own with the position that is shown, and go on playing; this one stays as it is. Where no network
   * plays the board two people go on, for a table waits for nobody who cannot come.
   */
  playFromHere(): void {
    const { sitting } = this;
    sitting.leaveThought();
    complain(null);
    const { isAlone } = sitting.setup;
    sitting.session = sessions.takeOver(playOn(sitting.session, sitting.line), isAlone);
    sitting.identity = newIdentity("played");
    const begins = (): string => say("two_people");
    [sitting.isReplay, sitting.line, sitting.notices] = [false, null, isAlone ? { begins } : {}];
    sitting.displayThought(null);
    sitting.keep(true);
    void this.opponent.go();
  }

  /** Look at every position that is not known yet, one after the other; a move, or another thought, ends it. */
  async analyse(): Promise<void> {
    const { sitting } = this;
    if (!sitting.network) return;
    sitting.isAnalysing = true;
    const { turn } = sitting;
    sitting.show();
    const judge = await sitting.ask(callJudge);
    if (turn !== sitting.turn) return;
    for (let moves = sessions.firstPly(sitting.session); judge && moves < sitting.session.states.length; moves++) {
      if (sitting.session.seen?.has(moves)) continue;
      sitting.show();
      const found = await this.lookAt(moves, judge.DEEPER);
      if (turn !== sitting.turn) return;
      if (!found) break;
      for (const [at, seen] of found) sitting.session = addSeen(sitting.session, at, seen);
    }
    sitting.isAnalysing = false;
    sitting.keep();
    sitting.show();
  }

  /**
   * What is known by a look at the position after so many moves, and by another one at each beside a blunder; null where
   * it has ended before.
   */
  private async lookAt(moves: number, deeper: number): Promise<ReadonlyMap<number, Seen> | null> {
    const { sitting } = this;
    const { turn } = sitting;
    const found = new Map<number, Seen>();
    let session = sitting.session;
    for (let at: number | undefined = moves; at !== undefined; [at] = doubtedOf(session)) {
      const isAgain = session.seen?.has(at) ?? false;
      const position = sitting.positionOf(session, at);
      const request = { position, simulations: (isAgain ? deeper : 1) * simulations() };
      const { seen, isWhole } = (await sitting.ask(() => sitting.setup.client.ask("analyse", request))) ?? {};
      if (turn !== sitting.turn || !isWhole || !seen || !sitting.isAnalysing) return null;
      found.set(at, isAgain ? { ...seen, isSure: true } : seen);
      session = addSeen(session, at, found.get(at) ?? seen);
    }
    return found;
  }

  stopAnalysis(): void {
    this.sitting.isAnalysing = false;
    this.sitting.setup.client.stop();
  }

  showNextMistake(): void {
    const { session, isReplay } = this.sitting;
    const next = nextMistake(session, isReplay ? sessions.ply(session) : 0);
    if (next === null) return;
    if (!isReplay) this.replay(true);
    this.showAt(next);
  }
}
