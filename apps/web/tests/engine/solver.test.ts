/** What solvers say of positions: Connect4 against BitBully's answers in solved.json, tic-tac-toe against all games. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { type Connect4, start } from "../../src/engine/games/Connect4";
import { Connect4Solver } from "../../src/engine/games/Connect4Solver";
import * as ticTacToe from "../../src/engine/games/TicTacToe";
import { type Known, knownOf, reasonOf } from "../../src/engine/review/Known";
import { settle } from "../../src/engine/review/Solvers";
import { judgeMoves, type Observation, sureOf } from "../../src/engine/review/Verdicts";
import type { State } from "../../src/engine/State";
import { stateAfter } from "./fixtures";

const FILE = new URL("../../../../mobile_assets/fixtures/connect4/solved.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(FILE, "utf8")) as {
  readonly cases: readonly {
    readonly actions: readonly number[];
    readonly outcome: number;
    readonly kept: readonly number[];
    readonly distance: number;
  }[];
};

const goOn = async (): Promise<boolean> => false;
const stateOf = (actions: readonly number[]): Connect4 => stateAfter("connect4", {}, actions) as Connect4;

describe("a solver of Connect4", () => {
  it("agrees with another one in outcome, moves and distance", () => {
    const solver = new Connect4Solver();
    expect(cases.length).toBeGreaterThanOrEqual(40);
    for (const { actions, outcome, kept, distance } of cases) {
      expect(solver.solve(stateOf(actions), 1e8, true), String(actions)).toEqual({ outcome, kept, distance });
    }
  });

  it("ends where it has looked at as many positions as it may, and goes on from there", () => {
    const hardest = cases[0]?.actions ?? [];
    const solver = new Connect4Solver();
    expect(solver.solve(stateOf(hardest), 10)).toBeNull();
    let nodes = 1000;
    while (!solver.solve(stateOf(hardest), nodes)) nodes *= 2;
    expect(solver.solve(stateOf(hardest), nodes)?.outcome).toBe(cases[0]?.outcome);
  });

  it("is asked of the usual board alone", () => {
    expect(Connect4Solver.fits(start())).toBe(true);
    expect(Connect4Solver.fits(start(5, 6))).toBe(false);
  });
});

describe("what is known of a position", () => {
  it("is settled by the solver, and not where it was stopped", async () => {
    const state = stateOf(cases[0]?.actions ?? []);
    const known = knownOf(state);
    expect(known.outcome).toBeNull();
    const settled = await settle(state, known, goOn);
    expect(settled).toMatchObject({ outcome: cases[0]?.outcome, left: cases[0]?.kept });
    const open = stateOf([38, 37, 36, 35, 39, 40, 41, 31]);
    expect((await settle(open, knownOf(open), async () => true)).outcome).toBeNull();
  });

  it("is all of tic-tac-toe", async () => {
    const known = async (state: State) => settle(state, knownOf(state), goOn);
    const start = ticTacToe.start();
    expect(await known(start)).toMatchObject({ outcome: 0, left: [0, 1, 2, 3, 4, 5, 6, 7, 8], distance: 9 });
    // A corner is answered in the middle alone.
    expect(await known(start.apply(0))).toMatchObject({ outcome: 0, left: [4] });
    expect(await known(start.apply(0).apply(1))).toMatchObject({ outcome: 1, left: [3, 4, 6], distance: 5 });
  });
});

describe("a verdict on a solved position", () => {
  /** A game whose positions a network sees at `chance` for player 0 and wants the highest action, with the solver's word. */
  async function judge(chance: number, actions: readonly number[], from: number) {
    const seen: Observation[] = [];
    for (let plies = from; plies <= actions.length; plies++) {
      const state = stateOf(actions.slice(0, plies));
      const known = await settle(state, knownOf(state), goOn);
      const own = state.toMove === 0 ? chance : 1 - chance;
      seen.push(sureOf({ mover: state.toMove, chance: own, best: known.left.at(-1) ?? null, known }, known));
    }
    return judgeMoves(seen, actions.slice(from));
  }

  it("is never bad where nothing is lost, and a blunder where the result is, whatever a network thinks", async () => {
    let [worse, kept] = [0, 0];
    for (const { actions, outcome, distance, kept: good } of cases.filter((each) => each.actions.length >= 16)) {
      for (const action of stateOf(actions).legalActions()) {
        for (const chance of [0.02, 0.98]) {
          const [judged] = await judge(chance, [...actions, action], actions.length);
          if (good.includes(action)) {
            // Two plies may prove that a win at once was left, or a row not blocked in a lost game.
            if (!judged?.reason) expect(judged?.verdict, `${actions} ${action}`).toBe("good");
            kept++;
          } else if (outcome >= 0) {
            expect(judged?.verdict, `${actions} ${action}`).toMatch(
              distance === 1 ? /^(mistake|blunder)$/ : /^blunder$/,
            );
            worse++;
          }
        }
      }
    }
    expect(worse).toBeGreaterThan(50);
    expect(kept).toBeGreaterThan(100);
  });
});

describe("a reason where a solver has proven the result", () => {
  const known = (more: Partial<Known>): Known => ({
    legal: [0, 1, 2],
    left: [1],
    result: null,
    margin: null,
    unit: "boxes",
    outcome: null,
    ...more,
  });

  it.each([
    [-1, null],
    [0, "missed_win"],
    [1, "missed_win"],
    [null, "missed_win"],
  ] as const)("misses no win that is won all the same: %s afterwards", (outcome, code) => {
    expect(reasonOf(known({ result: 1 }), known({ outcome }), 0)?.code ?? null).toBe(code);
  });

  it.each([
    [2, null],
    [4, null],
    [6, "not_blocked"],
    [20, "not_blocked"],
    [null, "not_blocked"],
  ] as const)("brings a loss nearer by four plies or more: lost in %s before", (distance, code) => {
    const after = known({ result: 1 });
    expect(reasonOf(known({ outcome: -1, distance }), after, 0)?.code ?? null).toBe(code);
    expect(reasonOf(known({ outcome: 0, distance }), after, 0)?.code).toBe("not_blocked");
  });
});
