/** Screens of drawn positions: whatever a search and the rules say, no two figures of one stand on different sides. */

import { expect, it } from "vitest";

import { readOpenings } from "../../src/engine/games/Connect4Opening";
import { candidates } from "../../src/engine/review/Candidates";
import { knownOf, provenBest } from "../../src/engine/review/Known";
import { settle } from "../../src/engine/review/Solvers";
import { seenBy, sureOf } from "../../src/engine/review/Verdicts";
import { Search } from "../../src/engine/Search";
import type { State } from "../../src/engine/State";
import { newIdentity } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { graphOfGame, LEADS } from "../../src/page/review/Facts";
import { marginsIn } from "../../src/page/review/Points";
import * as sittings from "../../src/page/sitting/Sitting";
import { viewOf } from "../../src/page/sitting/Sitting";
import type { Analysis } from "../../src/worker/Messages";
import { stateAfter } from "../engine/fixtures";
import { HashEvaluator } from "../engine/HashEvaluator";

const DRAWN = 2_000;
const GAMES: readonly (readonly [string, Record<string, number>])[] = [
  ["connect4", {}],
  ["tictactoe", {}],
  ["dots_and_boxes", { size: 2 }],
  ["gomoku", { size: 9 }],
  ["reversi", { size: 4 }],
  ["hex", { size: 5 }],
  ["go", { size: 5 }],
];

let seed = 54;
const draw = (below: number): number => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * below);
};

/** What a worker finds of a position: a search of few simulations, and what is proven. */
async function analyse(state: State): Promise<Analysis> {
  const search = new Search(state, new HashEvaluator());
  await search.run(12);
  const known = await settle(state, knownOf(state), async () => true);
  const seen = seenBy(search, known);
  const best = candidates(search, 5, known);
  const proven = provenBest(known)?.actions ?? null;
  return {
    seen: seen && sureOf(seen, known),
    candidates: best,
    proven,
    lines: best.map(() => []),
    visits: 11,
    isWhole: true,
  };
}

const sideOf = (number: number): number => Math.sign(Math.abs(number) < 1e-9 ? 0 : number);

it("tell one side", async () => {
  await readOpenings();
  let looked = 0;
  for (let drawn = 0; drawn < DRAWN; drawn++) {
    const [game, settings] = GAMES[drawn % GAMES.length] ?? ["connect4", {}];
    const human = draw(2) as 0 | 1;
    let session = sessions.beginSession(stateAfter(game, settings, []), human);
    const length = draw(40);
    while (session.states.length <= length && !sessions.latest(session).isTerminal) {
      // What a network thought on the way is as wrong as can be.
      session = sessions.rateMove(session, draw(101) / 100);
      const legal = sessions.latest(session).legalActions();
      session = sessions.playMove(session, legal[draw(legal.length)] ?? 0);
    }
    const state = sessions.latest(session);
    // Of half of the boards of Go a lead is known.
    if (game === "go" && draw(2)) LEADS.set(state, { mean: draw(19) - 9, spread: 3 });
    const before = { game, isAlone: false, network: null, turn: 0 };
    let now = sittings.begin(before, { session, settings, identity: newIdentity("played") }, {}, true);
    if (!state.isTerminal) {
      const found = await analyse(state);
      const points = marginsIn(state)(found.candidates.map(({ action }) => action));
      now = sittings.figure(now, state, { found, points });
    }
    const { facts, panel, rates, best } = viewOf(now);
    const { figure, share, proven, options, equal } = panel;
    if (!figure || share === null) continue;
    looked++;
    const about = `${game} ${sessions.actions(session)}`;
    const value = figure.unit === "chance" ? figure.value - 0.5 : figure.value;
    const graph = graphOfGame(session, facts);
    expect(graph.unit).toBe(figure.unit);
    const sides = [value, share - 0.5, proven?.result ?? 0, (graph.shares.at(-1) ?? 0.5) - 0.5]
      .map(sideOf)
      .filter(Boolean);
    expect(new Set(sides).size, about).toBeLessThanOrEqual(1);
    // The mover's best move is worth what the position is, and none is worth more.
    const turn = state.toMove === human ? 1 : -1;
    for (const option of options) {
      if (option.value !== null) expect(turn * option.value, about).toBeLessThanOrEqual(turn * figure.value + 1e-9);
      if (rates) expect(rates.get(option.action), about).toBe(option.value);
    }
    if (best) expect([...best], about).toEqual([...equal]);
    if (proven && proven.result * turn < 0 && figure.unit === "chance") expect(equal, about).toEqual([]);
  }
  expect(looked).toBeGreaterThan(0.9 * DRAWN);
});
