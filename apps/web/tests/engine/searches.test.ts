import { describe, expect, it } from "vitest";
import { Halving, logarithm } from "../../src/engine/GumbelRoot";
import { lowerBound } from "../../src/engine/LowerBound";
import { Search } from "../../src/engine/Search";
import { faultIn, settingsFrom, USUAL } from "../../src/engine/SearchSettings";
import { searches, stateAfter } from "./fixtures";
import { HashEvaluator } from "./HashEvaluator";

const { bounds, c, logarithms, halvings, settings, cases } = searches();

describe("a root that shares simulations out", () => {
  it("has logarithms to the last bit", () => {
    expect(logarithms.map(([number]) => logarithm(number))).toEqual(logarithms.map(([, expected]) => expected));
  });

  it.each(halvings)("visits $considered moves in $simulations simulations in order", (written) => {
    const halving = new Halving(written.considered, written.simulations);
    expect(written.steps.map(() => halving.step())).toEqual(written.steps);
  });

  it.each(cases.map((searched, at) => ({ ...searched, at })))(
    "makes the visits of case $at, $game",
    async (searched) => {
      // What says where C begins has no other constant.
      const constant = settingsFrom(searched.search).cInit !== USUAL.cInit ? {} : { constant: () => c };
      const options = { ...constant, proves: searched.proves, settings: settingsFrom(searched.search) };
      const search = new Search(stateAfter(searched.game, {}, searched.actions), new HashEvaluator(), options);
      for (const [move, expected] of searched.moves.entries()) {
        if (typeof searched.plan !== "string") search.plan(searched.plan);
        for (const simulations of searched.runs) await search.run(simulations);
        const visited = [...search.visits()].filter(([, count]) => count > 0);
        const { depth, action } = search.report();
        expect({ move, visits: Object.fromEntries(visited), depth, best: action }).toEqual({ move, ...expected });
        search.play(action);
      }
    },
  );

  it("makes one plan of a search for a time, in growing parts", async () => {
    const start = stateAfter("go", {}, []);
    const settings = settingsFrom({ root: { kind: "gumbel" } });
    const [timed, planned] = [1, 2].map(() => new Search(start, new HashEvaluator(), { settings })) as [Search, Search];
    await timed.run(96, 3600);
    planned.plan(null);
    await planned.run(96);
    expect(timed.visits()).toEqual(planned.visits());
  });
});

describe("a lower bound", () => {
  it("is that of every language to the last bit", () => {
    expect(bounds.map(([visits, total, squares, errors]) => lowerBound(visits, total, squares, errors))).toEqual(
      bounds.map(([, , , , expected]) => expected),
    );
  });
});

describe("settings of a search", () => {
  it.each(settings)("are known or not: $fault in $search", ({ search, fault }) => {
    expect(faultIn(search)).toBe(fault);
  });

  it("are the usual ones where a bundle has none, or names them", () => {
    expect(settingsFrom(undefined)).toEqual(USUAL);
    expect(settingsFrom({ root: { kind: "puct" } })).toEqual(USUAL);
    const gumbel = { considered: 16, visit: 50, scale: 0.1 };
    expect(settingsFrom({ root: { kind: "gumbel" } })).toEqual({ ...USUAL, root: gumbel });
    expect(settingsFrom({ root: { kind: "gumbel", considered: 4, c_scale: 0 } })).toEqual({
      ...USUAL,
      root: { ...gumbel, considered: 4, scale: 0 },
    });
    expect(settingsFrom({ root: { kind: "puct" }, c_init: 2, first_play: 0 })).toEqual({
      ...USUAL,
      cInit: 2,
      firstPlay: 0,
    });
    expect(settingsFrom({ root: { kind: "puct" }, early_stop: true })).toEqual({ ...USUAL, earlyStop: true });
    expect(settingsFrom({ root: { kind: "puct" }, lower_bound: 0 })).toEqual({ ...USUAL, lowerBound: 0 });
  });
});
