/** Games of a table as records of the library, and back; and the games that this page has kept before it had one. */

import type { Entry } from "../../bundle/Index";
import { allSettings, type Settings } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import type { Player } from "../../engine/State";
import * as controls from "../choices/Controls";
import { startOf } from "../choices/Memory";
import { readStored, store } from "../dom/Storage";
import { type GameRecord, identityOf, newIdentity, recordOf, type Side, sessionOf } from "../game/GameRecord";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import type { ShelvedGame } from "../sitting/Sitting";
import type { Library } from "./Library";

/** Whether there is something in a game that would be lost without it. */
export function isBegun({ session, identity }: ShelvedGame): boolean {
  if (sessions.isRead(session) || session.end || identity.lines.length > 0) return true;
  return sessions.hasMoved(session) || (sessions.isWatched(session) && session.states.length > 1);
}

/** The record of a game that a bundle's network plays on the board of these settings; of no bundle it is read alone. */
export function shelve(
  { session, settings, identity }: ShelvedGame,
  game: string,
  board: Settings,
  entry: Entry | null,
): GameRecord {
  const own = entry && { name: entry.name, given: entry.isGiven };
  const sides = sessions.isWatched(session) ? identity.sides : undefined;
  const players = sides ?? ([sideOf(session, 0, entry), sideOf(session, 1, entry)] as const);
  // A game between two networks is opened with one of them.
  const bundle = !sides || sides.some((side) => side.bundle?.name === own?.name) ? own : (sides[0].bundle ?? own);
  return recordOf(session, identity, {
    game,
    settings: allSettings(byName(game), { ...board, ...settings }),
    bundle,
    players,
  });
}

function sideOf(session: Session, player: Player, entry: Entry | null): Side {
  const isShared = sessions.isShared(session);
  if (session.names && !isShared) return { kind: "file", name: session.names[player], level: "" };
  if (player === session.human || isShared) return { kind: "person", name: session.names?.[player] ?? "", level: "" };
  return { kind: "network", name: entry?.title ?? "", level: controls.strength() };
}

/** A record as a table takes it; null if the rules forbid what it says. */
export function unshelve(record: GameRecord): ShelvedGame | null {
  const session = sessionOf(record);
  if (!session) return null;
  const offered = controls.settingsOffered(record.game);
  const chosen = Object.entries(record.settings).filter(([name]) => offered.includes(name));
  return { session, settings: Object.fromEntries(chosen), identity: identityOf(record) };
}

/** The last game that was played or watched with a bundle; null if there is none. */
export function lastGameOf(library: Library, { name, isGiven }: Entry): GameRecord | null {
  const isOwn = ({ bundle, human }: GameRecord): boolean =>
    bundle?.name === name && bundle.given === isGiven && !sessions.isRead({ human });
  return library.list().find(isOwn) ?? null;
}

/** Move the games that earlier versions of this page kept, one for each bundle, into the library. */
export async function adopt(library: Library, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    const name = `${entry.isGiven ? "given " : ""}game ${entry.name}`;
    const [text, start] = [readStored(name), startOf(entry)];
    if (text === null || !start || entry.game === null || entry.settings === null) continue;
    const { readSaved } = await import("./SavedGame");
    const saved = readSaved(text, start, controls.settingsOffered(entry.game));
    const identity = newIdentity(saved && sessions.isWatched(saved.session) ? "watched" : "played");
    if (saved) library.keep(shelve({ ...saved, identity }, entry.game, entry.settings, entry));
    store(name, null);
  }
}
