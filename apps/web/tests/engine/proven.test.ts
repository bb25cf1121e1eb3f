import { describe, expect, it } from "vitest";
import type { Uniform } from "../../src/engine/Evaluator";
import { MOST_IDLE, Search } from "../../src/engine/Search";
import { narrowMoves } from "../../src/engine/Tactics";
import { fixture, NAMES, stateAfter } from "./fixtures";
import { best, HashEvaluator } from "./HashEvaluator";

describe.each(NAMES)("%s", (name) => {
  const { c, cases } = fixture(name, "proven");

  it.each(cases.map((proven, at) => ({ ...proven, at })))("proves and searches case $at", async (proven) => {
    const network = new HashEvaluator();
    const start = stateAfter(name, proven.settings, proven.actions);
    const search = new Search(start, network, { constant: () => c, proves: true });
    for (const [move, expected] of proven.moves.entries()) {
      const { state } = search;
      const { moves, result } = narrowMoves(state);
      const [lowest = -1] = moves;
      const [answer] = network.evaluate([state]);
      const glance = result !== null || !answer ? lowest : best(answer, moves);
      const left = moves.length < state.legalActions().length ? moves : null;
      const simulations = await search.run(proven.simulations);
      const visits = Object.fromEntries([...search.visits()].filter(([, count]) => count > 0));
      const found = { left, result, glance, simulations, visits, proven: search.result, best: search.bestAction() };
      expect({ move, ...found }).toEqual({ move, ...expected });
      search.play(found.best);
    }
  });

  it("has positions to be proven", () => {
    expect(cases.length).toBeGreaterThan(0);
  });
});

describe("a search that proves", () => {
  it("tells a win at once without a network", async () => {
    const asked: Uniform = { evaluate: () => expect.fail("the network was asked") };
    const search = new Search(stateAfter("gomoku", {}, [112, 0, 113, 1, 114, 2, 115, 3]), asked, { proves: true });
    expect(await search.run(50)).toBe(0);
    expect(search.report()).toMatchObject({ action: 111, winRate: 1, proven: true });
  });

  it("ends when the result is known, or when nothing but known results was met for long", async () => {
    const solved = new Search(stateAfter("tictactoe", {}, [4, 0, 8, 2]), new HashEvaluator(), { proves: true });
    expect(await solved.run(100_000)).toBeLessThan(10_000);
    expect(solved.isDone).toBe(true);
    const idle = new Search(stateAfter("tictactoe", {}, [4, 0]), new HashEvaluator(), { proves: true });
    const made = await idle.run(100_000);
    expect(made).toBeGreaterThan(MOST_IDLE);
    expect(made).toBeLessThan(20_000);
    expect(idle.result).toBe(null);
    expect(await idle.run(100)).toBe(0);
  });

  it("ends only after known results in a row: whatever is met for the first time begins the count anew", async () => {
    const [met, made] = [new Set<string>(), { all: 0, latest: 0 }];
    const trace = (path: readonly number[]): void => {
      made.all++;
      if (met.has(path.join())) return;
      met.add(path.join());
      made.latest = made.all;
    };
    const search = new Search(stateAfter("tictactoe", {}, [4, 0]), new HashEvaluator(), { proves: true, trace });
    await search.run(100_000);
    expect(search.result).toBe(null);
    expect(made.all - made.latest).toBe(MOST_IDLE);
  });

  it("has a largest tree", async () => {
    const search = new Search(stateAfter("gomoku", {}, []), new HashEvaluator(), { proves: true, nodes: 2000 });
    expect(await search.run(500)).toBeLessThan(30);
    expect(search.isDone).toBe(true);
    const plain = new Search(stateAfter("gomoku", {}, []), new HashEvaluator(), { nodes: 2000 });
    expect(await plain.run(100)).toBe(100);
  });
});
