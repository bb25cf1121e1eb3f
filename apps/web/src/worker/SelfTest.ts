/** The self-test: golden.json's positions on this device, and how fast it is. */

import { type Golden, type Manifest, outputWith } from "../bundle/Manifest";
import type { Evaluator } from "../engine/Evaluator";
import { Search } from "../engine/Search";
import type { State } from "../engine/State";
import { type Comparison, TOLERANCE } from "./Messages";
import { answers, batchOf, type Feeds, type Model, type Outputs } from "./Model";
import { turn } from "./Thinker";

/** Compare every position's outputs with the recorded ones; `answers` has the network's, in the same order. */
export function compare(
  golden: readonly Golden[],
  manifest: Pick<Manifest, "outputs">,
  answers: readonly Outputs[],
): Comparison {
  const policy = outputWith(manifest, "policy")?.name ?? null;
  let [sameBest, withBest] = [0, 0];
  for (const [at, position] of golden.entries()) {
    if (policy === null || position.best === undefined) continue;
    withBest++;
    if (isBest(answers[at]?.get(policy), position, policy)) sameBest++;
  }
  const error = largestError(golden, manifest, answers);
  const passed = error <= TOLERANCE && sameBest === withBest;
  return { positions: golden.length, largestError: error, sameBest, withBest, passed };
}

/** Of all outputs in all positions. */
export function largestError(
  golden: readonly Golden[],
  { outputs }: Pick<Manifest, "outputs">,
  answers: readonly Outputs[],
): number {
  const errors = golden.flatMap((position, at) =>
    outputs.map(({ name }) => errorOf(answers[at]?.get(name), position.outputs[name])),
  );
  return Math.max(0, ...errors);
}

/** The largest difference; infinite if a number is missing or is NaN. */
function errorOf(found: ArrayLike<number> | undefined, expected: readonly number[] | undefined): number {
  if (!found || !expected || found.length !== expected.length) return Infinity;
  return expected.reduce((largest, number, at) => {
    const error = Math.abs((found[at] ?? NaN) - number);
    return error >= 0 ? Math.max(largest, error) : Infinity;
  }, 0);
}

/** Whether the largest legal output is the recorded best, or as good by the record. */
function isBest(found: ArrayLike<number> | undefined, { legal, outputs, best }: Golden, policy: string): boolean {
  const expected = outputs[policy];
  if (!found || !expected || best === undefined) return false;
  const moves = legal ?? Array.from(found, (_, at) => at);
  const outputOf = (move: number): number => found[move] ?? -Infinity;
  const largest = Math.max(...moves.map(outputOf));
  const chosen = moves.find((move) => outputOf(move) === largest) ?? -1;
  return (expected[best] ?? NaN) - (expected[chosen] ?? NaN) <= TOLERANCE;
}

// A single lot says nothing if another program has just taken the core.
const FEWEST = 4;
// Clocks of some browsers tick once a millisecond: what is quicker than ten of them is done several times and timed together.
const LOT_MILLISECONDS = 10;

/** How often a second something is done, and how long it takes once: the median and the least of several lots. */
export interface Speed {
  readonly perSecond: number;
  readonly milliseconds: number;
  readonly least: number;
}

/** How fast the network evaluates, `states` in turn. */
export function evaluations(network: Evaluator, states: readonly [State, ...State[]], seconds: number): Promise<Speed> {
  return measure((at) => network.evaluate([states[at % states.length] ?? states[0]]), seconds);
}

/** How fast a network answers for which no game is known: for the recorded positions in turn. */
export async function answerSpeed(
  model: Model,
  manifest: Pick<Manifest, "inputs" | "batch">,
  rows: readonly Feeds[],
  seconds: number,
): Promise<Speed> {
  const batch = batchOf(manifest);
  const full = Array.from({ length: rows.length }, (_, at) => {
    return Array.from({ length: batch }, (_, row) => rows[(at + row) % rows.length] ?? {});
  });
  const speed = await measure((at) => answers(model, manifest, full[at % full.length] ?? []), seconds);
  const { perSecond, milliseconds, least } = speed;
  return { perSecond: perSecond * batch, milliseconds: milliseconds / batch, least: least / batch };
}

async function measure(act: (at: number) => unknown, seconds: number): Promise<Speed> {
  const times: number[] = [];
  const begin = performance.now();
  let done = 0;
  do {
    const [before, from] = [done, performance.now()];
    do await act(done++);
    while (performance.now() - from < LOT_MILLISECONDS);
    times.push((performance.now() - from) / (done - before));
  } while (times.length < FEWEST || performance.now() - begin < 1000 * seconds);
  const perSecond = (1000 * done) / (performance.now() - begin);
  const [least = Infinity] = times.sort((a, b) => a - b);
  return { perSecond, milliseconds: times[Math.floor(times.length / 2)] ?? least, least };
}

/** How many simulations a second a search makes, as in a game: in slices. */
export async function playouts(network: Evaluator, state: State, seconds: number): Promise<number> {
  const search = new Search(state, network);
  const begin = performance.now();
  let made = 0;
  do {
    made += await search.run(Infinity, 0.05);
    await turn();
  } while (performance.now() - begin < 1000 * seconds);
  return (1000 * made) / (performance.now() - begin);
}
