/** The chance that the page tells of a position: one figure, whichever of its places shows it. */

import type { Seen } from "../../engine/review/Verdicts";
import type { Player } from "../../engine/State";
import type { Progress } from "../../worker/Messages";
import type { Session } from "./Session";
import * as sessions from "./Session";

/**
 * The chance of `sideOf` in the position that is shown; null where nothing is known.
 *
 * A result rules over what a hint has `found`, that over the `thought` that is under way, and that over what was known of
 * earlier positions. Whose thought it is in a game between networks is not told, so that there it counts for nothing.
 */
export function chanceOf(session: Session, found: Seen | null, thought: Progress | null): number | null {
  const now = sessions.phase(session);
  const isLast = sessions.visible(session) === sessions.latest(session);
  if (isLast && now === "over") return sessions.chanceShown(session);
  if (found) return ownOf(session, found.mover, found.chance);
  const isThinking = isLast && now === "theirs" && sessions.hasPerson(session);
  if (isThinking && thought?.winRate != null) return ownOf(session, sessions.latest(session).toMove, thought.winRate);
  return sessions.chanceShown(session);
}

/**
 * The chances by move that a graph draws, with what a hint has `found` of the position that is shown in place of what was
 * known of it: the words beside the graph say that one.
 */
export function curveWith(session: Session, found: Seen | null): readonly (readonly [number, number])[] {
  const known = sessions.curve(session);
  const chance = found && chanceOf(session, found, null);
  if (chance === null) return known;
  const at = sessions.ply(session);
  return [...known.filter(([moves]) => moves !== at), [at, chance] as const].sort(([one], [other]) => one - other);
}

/** A mover's chance as that of `sideOf`. */
const ownOf = (session: Session, mover: Player, chance: number): number =>
  mover === sessions.sideOf(session) ? chance : 1 - chance;

/**
 * The win rate of the network: of one that plays against a person what their chance leaves, so that both make a hundred
 * in whole percents; of one that plays itself what it thinks, while the game goes on.
 */
export function rateOf(session: Session, chance: number | null, thought: Progress | null): number | null {
  if (sessions.hasPerson(session)) return chance === null ? null : 1 - Math.round(100 * chance) / 100;
  return sessions.phase(session) === "over" ? null : (thought?.winRate ?? null);
}
