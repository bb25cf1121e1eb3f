/** The network's win rate, as the page tells it. */

import type { Progress } from "../../worker/Messages";
import type { Session } from "./Session";
import * as sessions from "./Session";

/**
 * The win rate of the network: of one that plays against a person what their chance leaves, so that both make a hundred
 * in whole percents; of one that plays itself what it thinks, while the game goes on.
 */
export function rateOf(session: Session, chance: number | null, thought: Progress | null): number | null {
  if (sessions.hasPerson(session)) return chance === null ? null : 1 - Math.round(100 * chance) / 100;
  return sessions.phase(session) === "over" ? null : (thought?.winRate ?? null);
}
