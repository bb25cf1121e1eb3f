/** A game that is looked at: its positions one by one, an analysis of them, and lines that a person tries out. */

import type { Observation } from "../../engine/review/Verdicts";
import { say } from "../../texts/Speech";
import { moveAt } from "../display/Graph";
import { complain } from "../dom/Complaint";
import { newIdentity } from "../game/GameRecord";
import * as sessions from "../game/Session";
import { addSeen, callJudge, doubtedOf, nextMistake, shownMove } from "../review/Judgement";
import { type Line, nextInLine, takeBack, tryMove } from "../review/Line";
import { simulations } from "../review/Shares";
import * as sittings from "../sitting/Sitting";
import type { Stage } from "../sitting/Stage";
import { notPossible } from "../words/Words";
import type { Help } from "./Help";
import type { Opponent } from "./Opponent";

export class Review {
  constructor(
    private readonly stage: Stage,
    private readonly help: Help,
    private readonly opponent: Opponent,
  ) {}

  /** Walk through the game, or go on playing; one that cannot be continued here is only walked through. */
  replay(wanted: boolean): void {
    const { stage } = this;
    const isReplay = wanted || sittings.isOnlyRead(stage.now);
    if (isReplay) this.opponent.pause(true);
    stage.cool();
    stage.change(sittings.replay, isReplay);
    this.help.warmUp();
  }

  /** In a replay, show the position after `moves` moves. */
  showAt(moves: number): void {
    this.stage.cool();
    this.stage.change(sittings.showAt, moves);
  }

  /** Show the position after `moves` moves, chosen in the list of moves. */
  showMove(moves: number): void {
    if (!this.stage.now.isReplay) this.replay(true);
    this.showAt(moves);
  }

  /** Show the position whose place in the graph, 0 to 1 from the left, a person has pressed. */
  showInGraph(place: number): void {
    const { session } = this.stage.now;
    this.showMove(sessions.firstPly(session) + moveAt(place, sessions.countMoves(session)));
  }

  /** Show the position at a part of the game, 0 to 1 from its beginning. */
  showPart(part: number): void {
    const { session } = this.stage.now;
    this.showMove(sessions.firstPly(session) + Math.round(part * sessions.countMoves(session)));
  }

  step(moves: number): void {
    const { line, identity, session } = this.stage.now;
    const next = line && moves === 1 ? nextInLine(identity.lines, line) : null;
    if (line && next !== null) this.showLine(tryMove(session, line, next));
    else if (line && moves === -1) this.takeBack();
    else this.showAt(sessions.ply(session) + moves);
  }

  /** In a replay, go `moves` moves forward; false if there is no replay. */
  stepByKey(moves: number): boolean {
    const { isReplay } = this.stage.now;
    if (isReplay) this.step(moves);
    return isReplay;
  }

  /** In a replay, play a move of either side in a line of the person's own. */
  tryOut(action: number): void {
    const { stage } = this;
    const { session, line, retry } = stage.now;
    const refusal = sessions.visible(sittings.shown(stage.now)).whyIllegal(action);
    stage.cool();
    if (refusal) {
      stage.change(sittings.note, { refused: () => notPossible(refusal) });
      return;
    }
    stage.change(sittings.hush);
    if (retry && !retry.isDone) {
      void import("../study/Retry").then(({ attempt }) => attempt(stage, action, (found) => this.keepLine(found)));
      return;
    }
    // The game's own next move is no line.
    if (!line && sessions.actions(session)[sessions.ply(session)] === action) {
      this.step(1);
      return;
    }
    const next = tryMove(session, line, action);
    stage.change(sittings.showLine, next);
    this.keepLine(next);
  }

  /** What was tried out stays with the game. */
  private keepLine(line: Line): void {
    const { stage } = this;
    const { identity } = stage.now;
    stage.change(sittings.keepLine, line);
    if (stage.now.identity !== identity && stage.now.session.states.length > 1) stage.keep();
  }

  takeBack(): void {
    const { line } = this.stage.now;
    this.showLine(line && takeBack(line));
  }

  /** Leave the line, for the position of the game that it branches off from; a mistake that was tried again is shown. */
  toGame(): void {
    const { retry } = this.stage.now;
    if (retry && !retry.isDone) this.step(1);
    else this.showLine(null);
  }

  /** Let a person find a better move than the one that is shown. */
  async retry(): Promise<void> {
    const { stage } = this;
    const { session } = stage.now;
    const mistake = shownMove(session);
    const { askFor } = await import("../study/Retry");
    if (!mistake || !stage.now.isReplay || stage.now.line || session !== stage.now.session) return;
    this.step(-1);
    askFor(stage, mistake);
  }

  /** Look at whatever position is shown, deeper and deeper, or no more. */
  async watch(): Promise<void> {
    const { stage } = this;
    const { turn, isLive } = stage.now;
    const { Live } = await import("../study/Live");
    if (turn !== stage.now.turn) return;
    stage.watcher ??= new Live(stage);
    stage.cool();
    stage.change(sittings.watch, !isLive);
  }

  private showLine(line: Line | null): void {
    this.stage.cool();
    this.stage.change(sittings.showLine, line);
  }

  /**
   * Begin a game of its own with the position that is shown, and go on playing; this one stays as it is. Where no network
   * plays the board two people go on, for a table waits for nobody who cannot come.
   */
  playFromHere(): void {
    const { stage } = this;
    stage.leaveThought();
    complain(null);
    stage.change(sittings.playFromHere, newIdentity("played"), () => say("two_people"));
    stage.keep(true);
    void this.opponent.go();
  }

  /** Look at every position that is not known yet, one after the other; a move, or another thought, ends it. */
  async analyse(): Promise<void> {
    const { stage } = this;
    if (!stage.now.network) return;
    stage.change(sittings.analyse, true);
    const { turn } = stage.now;
    const judge = await stage.ask(callJudge);
    if (turn !== stage.now.turn) return;
    const first = sessions.firstPly(stage.now.session);
    for (let moves = first; judge && moves < stage.now.session.states.length; moves++) {
      if (stage.now.session.seen?.has(moves)) continue;
      const looks = await this.lookAt(moves, judge.DEEPER);
      if (turn !== stage.now.turn) return;
      if (!looks) break;
      stage.change(sittings.see, looks);
    }
    stage.change(sittings.analyse, false);
    stage.keep();
  }

  /**
   * Observations of the position after `moves` moves, and second ones of the positions beside each blunder; null if the
   * analysis was ended.
   */
  private async lookAt(moves: number, deeper: number): Promise<ReadonlyMap<number, Observation> | null> {
    const { stage } = this;
    let { session } = stage.now;
    const { turn } = stage.now;
    const looks = new Map<number, Observation>();
    for (let at: number | undefined = moves; at !== undefined; [at] = doubtedOf(session)) {
      const isAgain = session.seen?.has(at) ?? false;
      const position = stage.positionOf(session, at);
      const request = { position, simulations: (isAgain ? deeper : 1) * simulations() };
      const { seen, isWhole } = (await stage.ask(() => stage.setup.client.ask("analyse", request))) ?? {};
      if (turn !== stage.now.turn || !isWhole || !seen || !stage.now.isAnalysing) return null;
      looks.set(at, isAgain ? { ...seen, isSure: true } : seen);
      session = addSeen(session, at, looks.get(at) ?? seen);
    }
    return looks;
  }

  stopAnalysis(): void {
    this.stage.change(sittings.analyse, false);
    this.stage.setup.client.stop();
  }

  showNextMistake(): void {
    const { session, isReplay } = this.stage.now;
    const next = nextMistake(session, isReplay ? sessions.ply(session) : 0);
    if (next === null) return;
    if (!isReplay) this.replay(true);
    this.showAt(next);
  }
}
