/** Two people at this device: their game begins, and begins again, with a network or without one. */

import { allSettings, begin } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import { wind } from "../game/Clock";
import { type GameRecord, newIdentity } from "../game/GameRecord";
import * as sessions from "../game/Session";
import { shelve } from "../library/Shelving";
import type { Agreement } from "./Choice";

/** The record of a game that two people begin. */
export function newRecord(name: string, agreed: Agreement): GameRecord {
  const { settings, names, time, isUndoAsked } = agreed;
  const game = byName(name);
  const session: sessions.Session = {
    ...sessions.beginSession(begin(game, settings), sessions.BOTH),
    ...(names.some(Boolean) && { names }),
    ...(time && { clock: wind(...time) }),
    ...(isUndoAsked && { isUndoAsked }),
  };
  return shelve({ session, settings, identity: newIdentity("played") }, name, allSettings(game, settings), null);
}

/** The same two people with the sides changed: from the position that their game began with. */
export function rematch({ states, names, clock, isUndoAsked, setUp = 0 }: sessions.Session): sessions.Session {
  return {
    ...sessions.beginSession(states[0], sessions.BOTH),
    states: [states[0], ...states.slice(1, setUp + 1)],
    ...(names && { names: [names[1], names[0]] as const }),
    ...(clock && { clock: wind(clock.base, clock.increment, setUp) }),
    ...(isUndoAsked && { isUndoAsked }),
    ...(setUp && { setUp }),
  };
}
