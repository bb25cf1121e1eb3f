/**
 * The graph of a game, in the same unit as the panel of the shown position: one value decides for panel, axis, curve and
 * words. It is the unit of the shown figure. An end whose count few other positions have, fewer than a quarter, is drawn as
 * a chance: its graph would have hardly a point. In chances every position has a share, in a count only the positions that have one.
 *
 * `azx.games.review.graph` is the definition, panel.json the test.
 */

import { type PanelFacts, type PanelUnit, panelOf } from "./Panel";

/** The `unit`, and for each position how much of the height is the side's; null if unknown in that unit. */
export interface GameGraph {
  readonly unit: PanelUnit;
  readonly shares: readonly (number | null)[];
}

/** The graph of `positions`, in order; `shown` is the index of the one on the board. */
export function graphOf(positions: readonly PanelFacts[], shown: number): GameGraph {
  const unit = unitOf(positions, shown);
  const shares = positions.map((facts) => {
    const { figure, share } = panelOf(factsIn(unit, facts));
    return figure?.unit === unit ? share : null;
  });
  return { unit, shares };
}

/** The facts as the graph's unit tells them: in chances nothing is counted. */
export const factsIn = (unit: PanelUnit, facts: PanelFacts): PanelFacts =>
  unit === "chance" ? { ...facts, unit } : facts;

function unitOf(positions: readonly PanelFacts[], shown: number): PanelUnit {
  const figures = positions.map((facts) => panelOf(facts).figure);
  const figure = figures[shown];
  if (!figure) return "chance";
  const others = figures.flatMap((each, at) => (each && at !== shown ? [each.unit === figure.unit] : []));
  const isRare = 4 * others.filter(Boolean).length < Math.max(1, others.length);
  return figure.source === "end" && isRare ? "chance" : figure.unit;
}
