/** The self-test of an approximation: by the limits that its manifest records, on golden.json's positions. */

import type { Limits } from "../bundle/Lite";
import { type Golden, hasLogits, type Manifest, outputWith, valueHeadOf } from "../bundle/Manifest";
import { priors } from "../engine/Evaluator";
import type { Comparison } from "./Messages";
import type { Outputs } from "./Model";
import { largestError } from "./SelfTest";

// How far from 1 the sum of chances may be.
const SLACK = 1e-3;

/**
 * How far the answers are from the recorded ones; `passed` says whether that is within the limits, and each of them a
 * number. Those positions alone have a best move whose two best ones are far enough apart; of few, one may always change.
 */
export function judge(
  golden: readonly Golden[],
  manifest: Manifest,
  answers: readonly Outputs[],
  limits: Limits,
): Comparison {
  const scores = areScores(golden, manifest);
  const compared = golden.map((position, at) => {
    const answer: Outputs = answers[at] ?? new Map();
    return {
      error: winRateError(position, manifest, answer),
      same: keepsBest(position, manifest, answer, limits.margin, scores),
    };
  });
  const counted = compared.filter(({ same }) => same !== null);
  const sameBest = counted.filter(({ same }) => same).length;
  const changes = Math.max(1, Math.floor((1 - limits.best_move) * counted.length));
  const isClose = compared.every(({ error }) => error <= limits.value_max);
  const largest = largestError(golden, manifest, answers);
  return {
    positions: golden.length,
    largestError: largest,
    sameBest,
    withBest: counted.length,
    passed: isClose && Number.isFinite(largest) && counted.length - sameBest <= changes,
  };
}

/** From 0 to 1; infinite where an answer is missing or is no number. */
function winRateError(position: Golden, manifest: Manifest, answer: Outputs): number {
  const output = outputWith(manifest, "value");
  if (!output) return 0;
  const head = valueHeadOf(manifest);
  const [found, expected] = [answer.get(output.name), position.outputs[output.name]];
  if (!head || !found || !expected) return Infinity;
  const error = Math.abs(head.read(found) - head.read(expected)) / 2;
  return error >= 0 ? error : Infinity;
}

/** Whether a policy has a number of its own for each move, which do not add up to 1, as sigmoids have. */
function areScores(golden: readonly Golden[], manifest: Manifest): boolean {
  const policy = outputWith(manifest, "policy");
  if (!policy || hasLogits(policy)) return false;
  const sums = golden.map(({ outputs }) => (outputs[policy.name] ?? []).reduce((sum, number) => sum + number, 0));
  return sums.some((sum) => Math.abs(sum - 1) > SLACK);
}

/** Whether the best legal move stays the best; null if the two best ones are as good, or there is no policy. */
function keepsBest(
  { legal, outputs }: Golden,
  manifest: Manifest,
  answer: Outputs,
  margin: number,
  scores: boolean,
): boolean | null {
  const policy = outputWith(manifest, "policy");
  const expected = policy && outputs[policy.name];
  if (!policy || !expected) return null;
  const moves = legal ?? expected.map((_, at) => at);
  const logits = hasLogits(policy);
  // Divided by their sum, small scores would differ by more than what was allowed of them.
  const chances = (numbers: ArrayLike<number>): readonly number[] =>
    scores
      ? moves.map((move) => numbers[move] ?? NaN)
      : [...priors({ value: 0, policy: Float64Array.from(numbers), logits }, moves)];
  const original = chances(expected);
  const [first = 0, second = 0] = [...original].sort((one, two) => two - one);
  if (moves.length < 2 || first - second <= margin) return null;
  const answers = chances(answer.get(policy.name) ?? []);
  return answers.indexOf(Math.max(...answers)) === original.indexOf(first);
}
