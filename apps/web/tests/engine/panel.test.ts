/** The panel of a shown position against panel.json, and over drawn facts: no two figures stand on different sides. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { factsIn, type GameGraph, graphOf } from "../../src/engine/review/Graph";
import { type Panel, type PanelFacts, panelOf } from "../../src/engine/review/Panel";

const FILE = new URL("../../../../mobile_assets/fixtures/panel.json", import.meta.url);

/** Names as this app has them: `win_rate` is `winRate`. */
const named = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== "object" || value === null) return value;
  const rename = (key: string): string => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), named(inner)]));
};

const { cases, graphs } = named(JSON.parse(readFileSync(FILE, "utf8"))) as {
  readonly cases: readonly { readonly about: string; readonly facts: PanelFacts; readonly panel: Panel }[];
  readonly graphs: readonly {
    readonly about: string;
    readonly facts: readonly PanelFacts[];
    readonly shown: number;
    readonly graph: GameGraph;
  }[];
};

/** Numbers within 1e-9, so that a root may differ in its last bit. */
function same(found: unknown, wanted: unknown): void {
  if (typeof wanted === "number") expect(found).toBeCloseTo(wanted, 9);
  else if (typeof wanted === "object" && wanted !== null) {
    expect(Object.keys(found as object).sort()).toEqual(Object.keys(wanted).sort());
    for (const [key, inner] of Object.entries(wanted)) same((found as Record<string, unknown>)[key], inner);
  } else expect(found).toEqual(wanted);
}

describe("a panel", () => {
  it.each(cases)("is as written: $about", ({ facts, panel }) => same(panelOf(facts), panel));

  it("has many cases", () => expect(cases.length).toBeGreaterThanOrEqual(100));
});

describe("a graph", () => {
  it.each(graphs)("is as written: $about", ({ facts, shown, graph }) => same(graphOf(facts, shown), graph));

  it("has the unit of the panel, of whichever position", () => {
    const games = [...graphs.map(({ facts }) => facts), cases.map(({ facts }) => facts)];
    for (const facts of games) {
      for (const shown of facts.keys()) {
        const { unit, shares } = graphOf(facts, shown);
        const { figure, share } = panelOf(factsIn(unit, facts[shown] as PanelFacts));
        expect(figure?.unit ?? "chance").toBe(unit);
        expect(shares[shown]).toBe(share);
      }
    }
  });
});
