/** The settings of a game that is played, and those that a network stands for. */

import { type Game, read, type Settings } from "../../engine/Game";

/** All settings of a game: the usual ones where others are not given. */
export const allSettings = (game: Game, given: Settings): Settings =>
  Object.fromEntries(game.settings.map((each) => [each.name, read(each, given[each.name])]));

/** Whether a network that stands for its `own` settings plays a game of these; it reads neither komi nor rule, and plays by any. */
export function fits(settings: Settings, own: Settings): boolean {
  return Object.entries(own).every(([name, value]) => ["komi", "rule"].includes(name) || settings[name] === value);
}
