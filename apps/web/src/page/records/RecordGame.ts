/** The game of a record, played through by the rules, before a bundle is looked for that plays it. */

import { allSettings, begin, type Game, type Settings } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import { readRecord } from "../../engine/records/Reading";
import { RecordError, statesOf } from "../../engine/records/Record";
import { besideOf } from "../../engine/records/Variations";
import type { Ending } from "../game/Ending";
import { type Identity, newIdentity, type Origin } from "../game/GameRecord";
import { beginSession, isForcedPass, READER, type Session } from "../game/Session";
import "texts:records";

export interface RecordGame {
  readonly game: Game;
  /** All of them. */
  readonly settings: Settings;
  /** A session that is only read: no person here plays a side. */
  readonly session: Session;
  readonly identity: Identity;
}

/** The game of a text; a text of moves alone belongs to the `open` game. RecordError if it has no game. */
export function readGame(
  text: string,
  open: { readonly game: string; readonly settings: Settings } | null,
  origin: Origin,
): RecordGame {
  const record = readRecord(text);
  const name = record.game ?? open?.game;
  if (name === undefined) throw new RecordError("record_none");
  const game = byName(name);
  const given = record.game === null ? (open?.settings ?? {}) : record.settings;
  const settings = allSettings(game, given);
  const states = statesOf(record, begin(game, settings));
  // The pass that Dots and Boxes forces is made at once, as at the table.
  for (let last = states.at(-1); isForcedPass(last); last = states.at(-1)) states.push(last.apply(last.pass));
  const { setUp } = record;
  const beside = sgf(text) ? besideOf(text, states, setUp) : { told: {}, comments: new Map(), lines: [], leftOut: 0 };
  const end = endOf(record.result);
  const session = { ...beginSession(states[0], READER), states, names: record.names, end, ...(setUp && { setUp }) };
  return { game, settings, session, identity: { ...newIdentity(origin), ...beside } };
}

const sgf = (text: string): boolean => /^\s*\(/.test(text.replace(/^\ufeff/, ""));

/** The end that SGF's RE tells; null if it tells none, and the rules alone say how the game stands. */
function endOf(result: string): Ending | null {
  if (/^(0|draw|jigo)$/i.test(result)) return { kind: "told", result, winner: null };
  const [, side] = /^([BW])\+/i.exec(result) ?? [];
  return side ? { kind: "told", result, winner: side.toUpperCase() === "B" ? 0 : 1 } : null;
}
