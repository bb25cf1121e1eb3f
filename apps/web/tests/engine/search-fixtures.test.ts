import { describe, expect, it } from "vitest";
import { Search } from "../../src/engine/Search";
import { fixture, NAMES, stateAfter } from "./fixtures";
// biome-ignore lint/suspicious/noShadowRestrictedNames: it is called so in every language.
import { HashEvaluator, tensorHash, valueOf, weightOf } from "./HashEvaluator";

describe.each(NAMES)("%s", (name) => {
  const { c, cases, first_state: worked } = fixture(name, "search");

  it("hashes the first state to the worked values", () => {
    const hash = tensorHash(stateAfter(name, {}, []));
    const weights = Object.keys(worked.weights).map((action) => [action, weightOf(hash, Number(action))]);
    expect([hash, valueOf(hash)]).toEqual([worked.hash, worked.value]);
    expect(Object.fromEntries(weights)).toEqual(worked.weights);
  });

  it.each(cases.map((searched, at) => ({ ...searched, at })))(
    "makes the visits of case $at, $simulations simulations a move",
    async (searched) => {
      const start = stateAfter(name, searched.settings, searched.actions);
      const search = new Search(start, new HashEvaluator(), { constant: () => c });
      for (const [move, expected] of searched.moves.entries()) {
        expect(await search.run(searched.simulations)).toBe(searched.simulations);
        const visited = [...search.visits()].filter(([, count]) => count > 0);
        const { depth, action } = search.report();
        expect({ move, visits: Object.fromEntries(visited), depth, best: action }).toEqual({ move, ...expected });
        search.play(action);
      }
    },
  );

  it("has searches to be repeated", () => {
    expect(cases.length).toBeGreaterThan(0);
  });
});
