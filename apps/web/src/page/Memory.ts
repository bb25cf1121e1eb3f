/** The last game of each bundle, and the reading that was chosen for it, as they are kept from visit to visit. */

import type { Entry } from "../bundle/Index";
import { begin } from "../engine/Game";
import { GameError } from "../engine/GameError";
import { byName } from "../engine/Recognition";
import type { State } from "../engine/State";
import { settingsOffered } from "./Controls";
import { readSaved, type SavedGame, textOf } from "./SavedGame";
import type { Session } from "./Session";
import * as sessions from "./Session";
import { readStored, store } from "./Storage";

// Of this visit: a browser may forbid that anything is kept, also a bundle that a person has given.
const told = new Map<string, string | null>();

const nameOf = ({ name, isGiven }: Entry, what = "game"): string => `${isGiven ? "given " : ""}${what} ${name}`;
const READING = "reading";

/** The text of a bundle's last game; null where there is none. */
export const gameOf = (entry: Entry): string | null => recall(entry, nameOf(entry));

/** The reading that a person has chosen for a bundle; null without a choice. */
export const readingOf = (entry: Entry): string | null => recall(entry, nameOf(entry, READING));

export const keepReading = (entry: Entry, reading: string | null): void =>
  remember(entry, nameOf(entry, READING), reading);

function recall({ isKept }: Entry, name: string): string | null {
  return told.get(name) ?? (!isKept || told.has(name) ? null : readStored(name));
}

function remember({ isKept }: Entry, name: string, text: string | null): void {
  told.set(name, text);
  if (isKept) store(name, text);
}

/** Keep a game in which the person has moved, or the network for itself; forget the one before it in any case. */
export function keep(entry: Entry, saved: SavedGame): void {
  const { session } = saved;
  const isBegun = sessions.hasMoved(session) || (sessions.isWatched(session) && session.states.length > 1);
  const text = isBegun || session.end ? textOf(saved) : null;
  remember(entry, nameOf(entry), text);
}

export function forget(entry: Entry): void {
  for (const name of [nameOf(entry), nameOf(entry, READING)]) {
    told.delete(name);
    store(name, null);
  }
}

export function sessionOf(entry: Entry): Session | null {
  const text = gameOf(entry);
  const start = text === null ? null : startOf(entry);
  return (start && readSaved(text, start, settingsOffered(entry.game ?? "")))?.session ?? null;
}

/** How a game of this bundle begins, by the index alone; null where that does not tell its board. */
export function startOf({ game: name, settings, problems }: Entry): ((more?: SavedGame["settings"]) => State) | null {
  if (name === null || settings === null || problems.length) return null;
  try {
    const game = byName(name);
    if (game.settings.some((each) => each.name === "size") && !("size" in settings)) return null;
    begin(game, settings);
    return (more = {}) => begin(game, { ...settings, ...more });
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}
