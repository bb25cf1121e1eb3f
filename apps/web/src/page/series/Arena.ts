/** Where networks play each other: what the sheet offers for it, and the series that is under way. */

import type { Entry } from "../../bundle/Index";
import { strength } from "../Controls";
import type { Side } from "../library/GameRecord";
import { Choice } from "./Choice";
import { plays } from "./Seats";
import { type House, Series } from "./Series";
import "../../texts/parts/Series";
import "./series.css";

export class Arena {
  private readonly choice = new Choice();
  private series: Series | null = null;

  constructor(private readonly house: House) {}

  /** Offer in the sheet what can play on the board that is there. */
  offer(): void {
    const { entry, table } = this.house.room;
    if (!entry || !table) return;
    const { game, settings } = table.sitting.setup;
    const canPlay = (each: Entry): boolean => each.problems.length === 0 && plays(each, game, settings);
    // What is open plays on it, whatever the index tells.
    const others = this.house.entries().filter((each) => each !== entry && canPlay(each));
    this.choice.offer(game, [entry, ...others], entry);
  }

  /** Begin what the sheet says; false where that is one network alone, which plays as it is told for any game. */
  begin(): boolean {
    const { entry } = this.house.room;
    const { sides, count } = this.choice.chosen;
    const isUsual = ({ bundle, level }: Side): boolean => bundle?.name === entry?.name && level === strength();
    this.series?.leave();
    if (!entry || (count === 1 && sides.every(isUsual))) return false;
    this.series = new Series(this.house, sides, count);
    void this.series.begin();
    return true;
  }

  /** The game on the board, or what the library has of it, has changed. */
  look(): void {
    this.series?.look();
  }
}
