/** Which games a network plays by the settings that it stands for. */

import type { Entry } from "../../bundle/Index";
import type { Settings } from "../../engine/Game";

/** Whether a network that stands for its `own` settings plays a game of these; it reads neither komi nor rule nor position. */
export function fits(settings: Settings, own: Settings): boolean {
  return Object.entries(own).every(
    ([name, value]) => ["komi", "rule", "position"].includes(name) || settings[name] === value,
  );
}

/** Whether a bundle can be played, and plays a game on the board of these settings. */
export const plays = (entry: Entry, game: string, settings: Settings): boolean =>
  entry.game === game && !entry.problems.length && entry.settings !== null && fits(settings, entry.settings);
