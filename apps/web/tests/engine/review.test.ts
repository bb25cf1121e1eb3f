import { beforeAll, describe, expect, it } from "vitest";

import type { Settings } from "../../src/engine/Game";
import { readOpenings } from "../../src/engine/games/Connect4Opening";
import { candidates, MOST, rankCandidates } from "../../src/engine/review/Candidates";
import { knownOf, provenChance } from "../../src/engine/review/Known";
import {
  accuracy,
  counts,
  DEEPER,
  FEWEST,
  judgeMoves,
  listDoubted,
  nextMistake,
  type Observation,
  seenBy,
  type Verdict,
  verdictOf,
  verdictOfMargin,
} from "../../src/engine/review/Verdicts";
import { Search } from "../../src/engine/Search";
import { type ReviewedGame, type Row, review, stateAfter } from "./fixtures";
import { HashEvaluator } from "./HashEvaluator";

const written = review();

beforeAll(readOpenings);

const taken = ({ win_rate: winRate, ...rest }: Row) => ({ ...rest, winRate });

interface Asked {
  readonly game: string;
  readonly settings: Settings;
  readonly simulations: number;
}

async function runSearch({ game, settings, simulations }: Asked, actions: readonly number[]): Promise<Search> {
  const start = stateAfter(game, settings, actions);
  const search = new Search(start, new HashEvaluator(), { constant: () => written.c });
  await search.run(simulations);
  return search;
}

describe("candidates", () => {
  it("stand in their order, and are at most five", () => {
    expect(MOST).toBe(written.most);
    for (const { given, ranked: wanted } of written.ranked) {
      expect(rankCandidates(given.map(taken)).map(({ action }) => action)).toEqual(wanted);
    }
  });

  it("have what is proven to be best in front, whatever a search has ranked, and visited or not", () => {
    const given = [3, 5, 6, 7, 8, 9].map((action, at) => ({ action, visits: 50 - 10 * at, winRate: 0.3, prior: 0.1 }));
    const ranked = (proven: readonly number[], most = MOST): readonly number[] =>
      rankCandidates(given, most, proven).map(({ action }) => action);
    expect(given.at(-1)?.visits).toBe(0);
    expect(ranked([])).toEqual([3, 5, 6, 7, 8]);
    expect(ranked([9])).toEqual([9, 3, 5, 6, 7]);
    expect(ranked([6, 8, 9])).toEqual([6, 8, 9, 3, 5]);
    expect(ranked([3, 5, 6, 7, 8, 9], 2)).toEqual([3, 5]);
  });

  it.each(written.candidates.map((each, at) => ({ ...each, at })))(
    "of $game are as written, case $at",
    async (each) => {
      const found = candidates(await runSearch(each, each.actions));
      expect(found).toHaveLength(each.candidates.length);
      for (const [at, row] of each.candidates.entries()) {
        const { action, visits, winRate, prior } = found[at] ?? {};
        expect([action, visits]).toEqual([row.action, row.visits]);
        expect(winRate).toBeCloseTo(row.win_rate, 9);
        expect(prior).toBeCloseTo(row.prior, 9);
      }
    },
  );
});

describe("a review", () => {
  it("names the losses", () => {
    for (const { loss, verdict } of written.verdicts) expect(`${loss} ${verdictOf(loss)}`).toBe(`${loss} ${verdict}`);
    for (const [name, least] of Object.entries(written.least_losses)) expect(verdictOf(least)).toBe(name as Verdict);
    for (const unit of ["boxes", "discs"] as const) {
      for (const [name, least] of Object.entries(written[`least_${unit}`])) {
        expect(verdictOfMargin(least, unit)).toBe(name as Verdict);
        expect(verdictOfMargin(least - 1, unit)).not.toBe(name);
      }
    }
  });

  it.each(written.reviews)("judges: $game, $about", async (each) => {
    const seen = each.game === null ? each.seen : await lookedAt(each as ReviewedGame & Asked);
    for (const [at, { mover, chance, best }] of each.seen.entries()) {
      expect([at, seen[at]?.mover, seen[at]?.best]).toEqual([at, mover, best]);
      expect(seen[at]?.chance).toBeCloseTo(chance, 9);
    }
    check(each);
  });

  it.each(written.reasons)("says why a move is bad: $game, $about", (each) => {
    for (const [plies, { mover, best, sure = false }] of each.seen.entries()) {
      const state = stateAfter(each.game as string, each.settings ?? {}, each.actions.slice(0, plies));
      const known = knownOf(state);
      const isProven = provenChance(known) !== null && !state.isTerminal;
      expect([plies, state.toMove, known.left[0] ?? null, isProven]).toEqual([plies, mover, best, sure]);
    }
    check(each);
  });

  it.each(written.again)("looks again at what a blunder stands beside: $game", async (each) => {
    expect(DEEPER).toBe(written.deeper);
    const found: Observation[] = [];
    for (let plies = 0; plies <= each.actions.length; plies++) {
      let [at, times] = [plies, 1];
      for (;;) {
        const search = await runSearch({ ...each, simulations: times * each.simulations }, each.actions.slice(0, at));
        const seen = seenBy(search) as Observation;
        found[at] = { ...seen, isSure: times > 1 || (seen.isSure ?? false) };
        const [next] = listDoubted(found, each.actions);
        if (next === undefined) break;
        [at, times] = [next, DEEPER];
      }
    }
    expect(found.map(({ isSure }) => isSure)).toEqual(each.seen.map(({ sure = false }) => sure));
    expect(found.some(({ isSure }) => isSure)).toBe(true);
    for (const [at, { mover, chance, best }] of each.seen.entries()) {
      expect([at, found[at]?.mover, found[at]?.best]).toEqual([at, mover, best]);
      expect(found[at]?.chance).toBeCloseTo(chance, 9);
    }
  });

  it("is not begun where a search has visited no move", () => {
    expect(seenBy(new Search(stateAfter("connect4", {}, []), new HashEvaluator()))).toBe(null);
  });
});

/** Whether what was seen of a game is judged as written; what the rules prove stands beside it. */
function check({ game, settings = {}, actions, ...each }: ReviewedGame): void {
  const seen = each.seen.map(({ sure: isSure = false, ...found }, plies): Observation => {
    const known = game !== null && { known: knownOf(stateAfter(game, settings, actions.slice(0, plies))) };
    return { ...found, isSure, ...known };
  });
  const moves = judgeMoves(seen, actions);
  expect(moves).toEqual(
    each.moves.map(({ choice: isChoice, ...move }, at) => ({ ...move, isChoice, action: actions[at] })),
  );
  for (const player of [0, 1] as const) {
    expect(counts(moves, player)).toEqual(each.counts[player]);
    const [rate, wanted] = [accuracy(moves, player), each.accuracy[player] ?? null];
    if (wanted === null) expect(rate).toBe(null);
    else expect(rate).toBeCloseTo(wanted, 6);
  }
  expect(FEWEST).toBe(written.fewest_moves);
  expect(listDoubted(seen, actions)).toEqual(each.doubted);
  expect(each.next_mistakes.map((_, shown) => nextMistake(moves, shown))).toEqual(each.next_mistakes);
}

/** What searches say of each position of a game. */
async function lookedAt(each: ReviewedGame & Asked): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  for (let plies = 0; plies <= each.actions.length; plies++) {
    const seen = seenBy(await runSearch(each, each.actions.slice(0, plies)));
    if (seen) found.push(seen);
  }
  return found;
}
