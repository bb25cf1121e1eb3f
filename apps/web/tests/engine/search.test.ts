import { describe, expect, it } from "vitest";

import { type Evaluation, type Evaluator, priors, Uniform } from "../../src/engine/Evaluator";
import * as connect4 from "../../src/engine/games/Connect4";
import * as ticTacToe from "../../src/engine/games/TicTacToe";
import { exploration, Search } from "../../src/engine/Search";
import type { State } from "../../src/engine/State";
import { best, HashEvaluator } from "./HashEvaluator";

/** Answers as `HashEvaluator` does, but later; `between` is called meanwhile. */
class Later implements Evaluator {
  private readonly hash = new HashEvaluator();
  asked = 0;
  between: () => void = () => {};

  async evaluate(states: readonly State[]): Promise<readonly Evaluation[]> {
    this.asked++;
    await Promise.resolve();
    this.between();
    return this.hash.evaluate(states);
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

describe("a search", () => {
  it("has the C of the formula", () => {
    expect(exploration(0)).toBeCloseTo(Math.log(19653 / 19652) + 1.25, 12);
    expect(exploration(19651)).toBeCloseTo(Math.log(2) + 1.25, 12);
    expect(exploration(19651, 2)).toBeCloseTo(Math.log(2) + 2, 12);
  });

  it("expands the root first and then visits its children", async () => {
    const search = new Search(connect4.start(), new Uniform());
    expect(sum(search.visits().values())).toBe(0);
    expect(await search.run(50)).toBe(50);
    expect([sum(search.visits().values()), search.report().simulations]).toEqual([49, 50]);
  });

  it("prefers the lowest action of equals", async () => {
    const search = new Search(ticTacToe.start(), new Uniform());
    await search.run(4);
    expect([...search.visits()].filter(([, count]) => count > 0)).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    expect(search.bestAction()).toBe(0);
  });

  it("visits the same where the evaluator's answers have to be waited for", async () => {
    const [now, later] = [new Search(connect4.start(), new HashEvaluator()), new Search(connect4.start(), new Later())];
    await now.run(300);
    await later.run(300);
    expect(later.children()).toEqual(now.children());
    expect({ ...later.report(), seconds: 0 }).toEqual({ ...now.report(), seconds: 0 });
  });

  it("finds the mark that wins and never asks about a game that is over", async () => {
    const asked: State[] = [];
    const evaluator: Evaluator = {
      evaluate: (states) => {
        asked.push(...states);
        return new Uniform().evaluate(states);
      },
    };
    const search = new Search(ticTacToe.start().apply(0).apply(3).apply(1).apply(4), evaluator);
    await search.run(200);
    expect(search.report()).toMatchObject({ action: 2, winRate: 1 });
    expect(asked.some((state) => state.isTerminal)).toBe(false);
  });

  it("keeps the tree below the move that was played, and asks nothing twice", async () => {
    const later = new Later();
    const search = new Search(connect4.start(), later);
    await search.run(400);
    const { action, visits } = search.report();
    const asked = later.asked;
    search.play(action);
    expect(sum(search.visits().values())).toBe(visits - 1);
    expect(search.report()).toMatchObject({ simulations: 0, depth: 0, seconds: 0 });
    expect(search.state.lastAction).toBe(action);
    await search.run(100);
    expect(sum(search.visits().values())).toBe(visits + 99);
    expect(later.asked - asked).toBeLessThanOrEqual(100);
  });

  it("tells the path of every simulation, also below a move that was played", async () => {
    const paths: string[] = [];
    const search = new Search(ticTacToe.start(), new HashEvaluator(), { trace: (path) => paths.push(path.join()) });
    await search.run(30);
    search.play(4);
    await search.run(30);
    const replies = new Set(search.state.legalActions().map(String));
    expect(paths.length).toBe(60);
    expect(paths[0]).toBe("");
    expect(paths.slice(30).every((path) => replies.has(path.split(",")[0] ?? ""))).toBe(true);
    expect(sum(search.children().map(({ prior }) => prior))).toBeCloseTo(1, 12);
  });

  it("is stopped after the simulation that it is in, and can go on", async () => {
    const later = new Later();
    const search = new Search(connect4.start(), later);
    later.between = () => later.asked === 7 && search.stop();
    expect(await search.run(1000)).toBe(7);
    expect([search.isRunning, search.report().simulations]).toEqual([false, 7]);
    expect(await search.run(3)).toBe(3);
  });

  it("refuses to be changed while it runs", async () => {
    const search = new Search(connect4.start(), new Later());
    const running = search.run(5);
    expect(search.isRunning).toBe(true);
    expect(() => search.play(38)).toThrow("search: it is running, stop it and wait until run() has ended.");
    expect(() => search.reset(connect4.start())).toThrow("it is running");
    await expect(search.run(1)).rejects.toThrow("it is running");
    expect(await running).toBe(5);
  });

  it("runs for a time, a simulation at least, and leaves the page its turn between parts", async () => {
    const search = new Search(connect4.start(), new Uniform());
    expect(await search.run(Infinity, 0)).toBe(1);
    expect(await search.run(Infinity, 0.02)).toBeGreaterThan(1);
    expect(search.report().seconds).toBeGreaterThanOrEqual(0.02);
  });

  it("is whole after an evaluator has failed", async () => {
    let fails = true;
    const search = new Search(connect4.start(), {
      evaluate: (states) => {
        if (fails && states[0]?.lastAction === 40) throw new Error("the backend was lost.");
        return new HashEvaluator().evaluate(states);
      },
    });
    await expect(search.run(500)).rejects.toThrow("the backend was lost.");
    fails = false;
    await search.run(500 - search.report().simulations);
    const fresh = new Search(connect4.start(), new HashEvaluator());
    await fresh.run(500);
    expect(search.children()).toEqual(fresh.children());
  });

  it("has nothing to do, and no move, where the game is over", async () => {
    const search = new Search(
      [0, 3, 1, 4, 2].reduce((state, action) => state.apply(action), ticTacToe.start()),
      new Uniform(),
    );
    expect(await search.run(10)).toBe(0);
    expect(() => search.report()).toThrow("search: the game is over, there is no move to choose.");
    expect(() => search.play(5)).toThrow("tictactoe: action 5 is illegal here, the game is over.");
  });

  it("explores by the constant of the paper", () => {
    expect(exploration(0)).toBeCloseTo(1.25 + Math.log(19653 / 19652), 15);
    expect(exploration(19651)).toBeCloseTo(1.25 + Math.LN2, 12);
  });
});

describe("an evaluation", () => {
  const policy = Float32Array.of(0, 3, 1, 9);

  it("is soft-maxed over the legal actions where it has logits, and divided by its sum where not", () => {
    const logits = priors({ value: 0, policy, logits: true }, [0, 2]);
    expect(Array.from(logits)).toEqual(
      [1 / (1 + Math.E), 1 / (1 + Math.exp(-1))].map((prior) => expect.closeTo(prior, 12)),
    );
    expect(Array.from(priors({ value: 0, policy, logits: false }, [1, 2]))).toEqual([0.75, 0.25]);
  });

  it("is even where nothing is promised", () => {
    expect(Array.from(priors({ value: 0, policy: null, logits: false }, [4, 5]))).toEqual([0.5, 0.5]);
    expect(Array.from(priors({ value: 0, policy: new Float32Array(4), logits: false }, [0, 1]))).toEqual([0.5, 0.5]);
  });

  it("has a best legal action, the lowest of equals", () => {
    expect(best({ value: 0, policy, logits: true }, [0, 1, 2])).toBe(1);
    expect(best({ value: 0, policy: null, logits: false }, [2, 3])).toBe(2);
  });
});
