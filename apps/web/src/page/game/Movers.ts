/** Who has drawn each line, for pictures of a game that nobody sits at. */

import type { Player, State } from "../../engine/State";

/** The player of each action of a game's positions, from its first one on. */
export const moversIn = (states: readonly State[]): ReadonlyMap<number, Player> =>
  new Map(states.slice(1).map((state, at) => [state.lastAction ?? 0, states[at]?.toMove ?? 0]));
