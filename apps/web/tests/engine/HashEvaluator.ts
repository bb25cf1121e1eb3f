/**
 * A stand-in for a network that every language computes alike: answers from an integer hash of the state.
 *
 * h is FNV-1a, 32 bits, over the encoded state as int8 in row-major order; value = (h mod 2001 - 1000) / 1000.
 * The weight of action a is 1 + (g mod 1000), where g is FNV-1a continued from h over the two bytes of a, the
 * low one first. (Fowler, Noll and Vo: offset basis 2166136261, prime 16777619.)
 */

import { type Evaluation, type Evaluator, priors } from "../../src/engine/Evaluator";
import type { State } from "../../src/engine/State";

const BASIS = 2166136261;
const PRIME = 16777619;

/** FNV-1a, 32 bits, of the low bytes of `data`, continued from the hash `start`; unsigned. */
function fnv1a(data: ArrayLike<number>, start = BASIS): number {
  let hash = start | 0;
  for (let at = 0; at < data.length; at++) hash = Math.imul(hash ^ ((data[at] ?? 0) & 255), PRIME);
  return hash >>> 0;
}

/** h: the hash of the state's tensor, its numbers as int8. */
export function tensorHash(state: State): number {
  return fnv1a(state.encode());
}

/** The value that a hash stands for, -1 to 1 in steps of 0.001. */
// biome-ignore lint/suspicious/noShadowRestrictedNames: it is called so in every language.
export function valueOf(hash: number): number {
  return ((hash % 2001) - 1000) / 1000;
}

/** The weight of an action, 1 to 1000. */
export function weightOf(hash: number, action: number): number {
  return 1 + (fnv1a([action, action >> 8], hash) % 1000);
}

/** An Evaluator whose answers are hashes. */
export class HashEvaluator implements Evaluator {
  evaluate(states: readonly State[]): readonly Evaluation[] {
    return states.map(answer);
  }
}

function answer(state: State): Evaluation {
  const hash = tensorHash(state);
  const policy = Float64Array.from({ length: state.actions }, (_, action) => weightOf(hash, action));
  return { value: valueOf(hash), policy, logits: false };
}

/** The legal action with the largest prior, the lowest of equals: what a glance plays, in every language. */
export function best(evaluation: Evaluation, legal: readonly number[]): number {
  const chosen = priors(evaluation, legal);
  return legal[chosen.indexOf(Math.max(...chosen))] ?? -1;
}
