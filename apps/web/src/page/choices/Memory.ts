/** What is remembered of each bundle: the reading that was chosen for it; and how its games begin. */

import type { Entry } from "../../bundle/Index";
import { inFull } from "../../bundle/Needed";
import { begin, type Settings } from "../../engine/Game";
import { GameError } from "../../engine/GameError";
import { byName } from "../../engine/known/Recognition";
import type { State } from "../../engine/State";
import type { Requests } from "../../worker/Messages";
import { readStored, store } from "../dom/Storage";
import * as controls from "./Controls";

// Of this visit: a browser may forbid that anything is kept, also a bundle that a person has given.
const readings = new Map<string, string | null>();

const nameOf = ({ name, isGiven }: Entry): string => `${isGiven ? "given " : ""}reading ${name}`;

/** The reading that a person has chosen for a bundle; null without a choice. */
export function readingOf(entry: Entry): string | null {
  const name = nameOf(entry);
  return readings.get(name) ?? (!entry.isKept || readings.has(name) ? null : readStored(name));
}

/** What the worker is asked for where a bundle is to play, as the controls have it. */
export function openingOf(asked: Entry, base: string): Requests["open"] {
  const entry = controls.isFull() ? inFull(asked) : asked;
  return { entry, base, backend: controls.backend(), reading: readingOf(entry) };
}

export function keepReading(entry: Entry, reading: string | null): void {
  readings.set(nameOf(entry), reading);
  if (entry.isKept) store(nameOf(entry), reading);
}

export function forget(entry: Entry): void {
  readings.delete(nameOf(entry));
  store(nameOf(entry), null);
}

/** How a game of this bundle begins, by the index alone; null if that does not tell its board. */
export function startOf({ game: name, settings, problems }: Entry): ((more?: Settings) => State) | null {
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
