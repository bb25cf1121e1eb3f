/**
 * The choice by lower bound: of the moves visited much, the one that is best even if its mean is too high.
 *
 * A mean of n values with variance s^2 is off by sqrt(s^2 / n) on average, its standard error. A move's bound is its
 * mean less a number of them: a high mean of few visits may be luck, and many visits may be of a time when the move
 * still looked better. Leela Zero and KataGo choose so; KataGo takes 5 standard errors and moves with at least 0.15 of
 * the most visits. Few values tell little of their variance, so 1 / n^3 is added to it, about what KataGo adds.
 */

/** Of the most visits: moves with less are not chosen, however good they look. */
export const SHARE = 0.15;

/**
 * The mean of `visits` values less `errors` standard errors.
 *
 * `total` is the sum of the values and `squares` that of their squares. One rounding an operation, in this order, so that
 * the bound is the same in every language.
 */
export function lowerBound(visits: number, total: number, squares: number, errors: number): number {
  const mean = total / visits;
  const variance = Math.max(0, squares / visits - mean * mean) + 1 / (visits * visits * visits);
  return mean - errors * Math.sqrt(variance / visits);
}
