/** What random playouts see on a board of Go: which stones are dead, and who is ahead. Loaded when it is first wanted. */

import type { Go } from "../../engine/games/Go";
import { areasSeen, deadStones, type Estimate, estimate, ownershipOf } from "../../engine/games/GoScoring";
import { mark } from "../../engine/State";
import { number, say } from "../../texts/Speech";
import type { AreaCount } from "./Ending";

export const proposeDead = (state: Go): readonly number[] => deadStones(state, ownershipOf(state));

/** An estimate of a position of Go: a sentence, what the board shows, and black's lead. */
export function describeEstimate(
  state: Go,
): readonly [() => string, AreaCount, { readonly mean: number; readonly spread: number }] {
  const owners = ownershipOf(state);
  const areas = areasSeen(owners);
  const isLost = (at: number): boolean => areas.some((points, player) => isTaken(state, at, player, points));
  const dead = new Set([...state.cells.keys()].filter(isLost));
  const score = estimate(state, owners);
  const lead = { mean: score.points, spread: score.pointsOfSpread };
  return [() => estimateText(score), { dead, areas, isOpen: false }, lead];
}

/** Whether a stone lies on a point that is the other player's. */
function isTaken({ cells }: Go, at: number, player: number, points: readonly number[]): boolean {
  const stone = cells[at] ?? 0;
  return stone !== 0 && stone !== mark(player === 0 ? 0 : 1) && points.includes(at);
}

function estimateText({ points, pointsOfSpread, certainty }: Estimate): string {
  const [spread, sure] = [number(pointsOfSpread), say(`estimate_${certainty}`)];
  if (points === 0) return say("estimate_even", spread, sure);
  return say(points > 0 ? "estimate_black" : "estimate_white", number(Math.abs(points)), spread, sure);
}
