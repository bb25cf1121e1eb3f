/** Where networks play each other: what the sheet offers for it, and the series that the game on the board belongs to. */

import type { Entry } from "../../bundle/Index";
import { say } from "../../texts/Speech";
import * as controls from "../choices/Controls";
import { strength } from "../choices/Controls";
import { complain } from "../dom/Complaint";
import { freshId, type Side } from "../game/GameRecord";
import type { House } from "../room/House";
import { plays } from "../room/Seats";
import { type Sitting, sidesOf, win } from "../sitting/Sitting";
import type { Table } from "../table/Table";
import { Choice } from "./Choice";
import { gamesOf } from "./Games";
import { byPlayer, type Round, roundsOf, type Tally } from "./Plan";
import { Scoreboard } from "./Scoreboard";
import { Series, type SeriesPlan } from "./Series";
import "texts:series";
import "./series.css";

export class Arena {
  private readonly choice = new Choice();
  private readonly board = new Scoreboard(
    () => this.series?.stop(),
    () => this.resume(),
  );
  private series: Series | null = null;

  constructor(private readonly house: House) {}

  /** List in the sheet the networks that play on the present board. */
  offer(): void {
    const { entry, table } = this.house.room;
    if (!entry || !table) return;
    const { game, settings } = table.stage.setup;
    const canPlay = (each: Entry): boolean => each.problems.length === 0 && plays(each, game, settings);
    // The open bundle plays on it, whatever the index says.
    const others = this.house.entries().filter((each) => each !== entry && canPlay(each));
    this.choice.offer(game, [entry, ...others], entry);
  }

  /** Begin what the sheet says; false if that is one network alone, which needs no series. */
  begin(): boolean {
    const { entry, table } = this.house.room;
    const { sides, count } = this.choice.chosen;
    const isUsual = ({ bundle, level }: Side): boolean => bundle?.name === entry?.name && level === strength();
    this.series?.end();
    if (!entry || (count === 1 && sides.every(isUsual))) return false;
    const seed = Math.floor(Math.random() * 2 ** 32);
    this.play({ id: freshId(), count, seed, sides, settings: controls.settings(table?.open.game ?? "") });
    return true;
  }

  /** The game on the board, or what the library has of its series, has changed. */
  look(): void {
    this.series?.look();
    this.show();
  }

  /** Go on with the series of the game on the board, where it was left. */
  private resume(): void {
    const { table } = this.house.room;
    const plan = table && planOf(table.now);
    if (plan) this.play(plan);
  }

  private play(plan: SeriesPlan): void {
    this.series?.end();
    this.series = new Series(this.house, plan, () => this.show());
    void this.series.begin().then((isHere) => {
      if (!isHere) complain(() => say("series_elsewhere"));
    });
  }

  /** Say beside the board how far its series has come. */
  private show(): void {
    const { series } = this;
    const { room, library } = this.house;
    const isRunning = series !== null && !series.isOver;
    const plan = isRunning ? series.plan : room.table && planOf(room.table.now);
    if (!room.table || !plan || plan.count === 1) {
      this.board.hide();
      return;
    }
    const { sides, count } = plan;
    const { tally } = gamesOf(library.list(), plan);
    const isPlaying = isRunning && series.isPlaying;
    this.board.show({ sides, game: room.table.open.game, tally, isRunning, isPlaying, count });
    showWins(room.table, tally);
  }
}

/** The series that a game belongs to; null of any other one. */
function planOf(now: Sitting): SeriesPlan | null {
  const { series } = now.identity;
  const sides = sidesOf(now);
  if (!series || !sides) return null;
  const [one, two] = sides;
  const isSwapped = roundOf(series).first === 1;
  return { ...series, sides: isSwapped ? [two, one] : [one, two], settings: now.settings };
}

const roundOf = ({ round, count }: { readonly round: number; readonly count: number }): Round =>
  roundsOf(count)[round] as Round;

/** Show in the players' bars what each has won. */
function showWins({ now, stage }: Table, tally: Tally): void {
  const { series } = now.identity;
  const wins = series ? byPlayer(tally, roundOf(series)) : null;
  if (String(wins) !== String(now.wins)) stage.change(win, wins);
}
