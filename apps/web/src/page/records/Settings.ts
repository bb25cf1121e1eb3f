/** The settings of a game that is played, and those that a network stands for. */

import type { Entry } from "../../bundle/Index";
import { type Game, read, type Settings } from "../../engine/Game";

/** All settings of a game: the usual ones if others are not given. Without a position that is set up, none is listed. */
export const allSettings = (game: Game, given: Settings): Settings =>
  Object.fromEntries(
    game.settings.map((each) => [each.name, read(each, given[each.name])] as const).filter(([, value]) => value !== ""),
  );

/** Whether a network that stands for its `own` settings plays a game of these; it reads neither komi nor rule nor position. */
export function fits(settings: Settings, own: Settings): boolean {
  return Object.entries(own).every(
    ([name, value]) => ["komi", "rule", "position"].includes(name) || settings[name] === value,
  );
}

/** Whether a bundle can be played, and plays a game on the board of these settings. */
export const plays = (entry: Entry, game: string, settings: Settings): boolean =>
  entry.game === game && !entry.problems.length && entry.settings !== null && fits(settings, entry.settings);
