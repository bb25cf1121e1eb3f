/** What a search asks of a network: the value of a state and how promising its actions are. */

import type { State } from "./State";

/**
 * A network's answer for one state.
 *
 * `value` is for the player to move, in [-1, 1]. `policy` has a number for each of the game's actions:
 * logits where `logits` is true, else probabilities; illegal actions' numbers do not matter. null means uniform.
 */
export interface Evaluation {
  readonly value: number;
  readonly policy: Float32Array | Float64Array | null;
  readonly logits: boolean;
}

/** Anything that evaluates states: a network in some runtime, or a stand-in. */
export interface Evaluator {
  /** An answer for each state, none of which is over, in one batch; at once, or as a promise. */
  evaluate(states: readonly State[]): readonly Evaluation[] | Promise<readonly Evaluation[]>;
}

/** The priors of the `legal` actions but for a common factor. */
export function weights({ policy, logits }: Evaluation, legal: readonly number[]): Float64Array {
  const chosen = new Float64Array(legal.length);
  if (policy === null) return chosen.fill(1);
  // A policy that is too short has no number for an action: all of them then come out even.
  for (const [at, action] of legal.entries()) chosen[at] = policy[action] ?? Number.NaN;
  if (!logits) return chosen.map((number) => Math.max(number, 0));
  // Without the largest one taken off, the exponential of a large logit is no number.
  let largest = -Infinity;
  for (const number of chosen) if (number > largest) largest = number;
  return chosen.map((number) => Math.exp(number - largest));
}

/** The priors of the `legal` actions, with sum 1. */
export function priors(evaluation: Evaluation, legal: readonly number[]): Float64Array {
  const chosen = weights(evaluation, legal);
  let total = 0;
  for (const weight of chosen) total += weight;
  return total > 0 ? chosen.map((weight) => weight / total) : chosen.fill(1 / legal.length);
}

/** A network that costs nothing: every state is even, every action as good as the others. */
export class Uniform implements Evaluator {
  private static readonly answer: Evaluation = { value: 0, policy: null, logits: false };

  evaluate(states: readonly State[]): readonly Evaluation[] {
    return states.map(() => Uniform.answer);
  }
}
