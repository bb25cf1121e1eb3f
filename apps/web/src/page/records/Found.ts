/** The game of a record, played through by the rules, before a bundle is looked for that plays it. */

import { begin, type Game, read, type Settings } from "../../engine/Game";
import { byName } from "../../engine/Recognition";
import { readRecord } from "../../engine/records/Reading";
import { RecordError, statesOf } from "../../engine/records/Record";
import { isForcedPass, type Session } from "../Session";

export interface Found {
  readonly game: Game;
  /** All of them. */
  readonly settings: Settings;
  readonly states: Session["states"];
}

/** The game that a text tells; of moves alone it is the one that is `open`. RecordError where there is none. */
export function readGame(text: string, open: { readonly game: string; readonly settings: Settings } | null): Found {
  const record = readRecord(text);
  const name = record.game ?? open?.game;
  if (name === undefined) throw new RecordError("record_none");
  const game = byName(name);
  const given = record.game === null ? (open?.settings ?? {}) : record.settings;
  const settings = Object.fromEntries(game.settings.map((each) => [each.name, read(each, given[each.name])]));
  const states = statesOf(record, begin(game, settings));
  // The pass that Dots and Boxes forces is made at once, as at the table.
  for (let last = states.at(-1); isForcedPass(last); last = states.at(-1)) states.push(last.apply(last.pass));
  return { game, settings, states };
}

/** Whether a network that stands for these settings plays a game. */
export function fits({ settings }: Found, own: Settings): boolean {
  return Object.entries(own).every(([name, value]) => settings[name] === value);
}
