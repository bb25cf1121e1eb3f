/**
 * The choice by lower bound: of the moves visited much, the one that is best even if its mean is too high.
 *
 * A mean of n values with variance s^2 is off by sqrt(s^2 / n) on average, its standard error. A move's bound is its
 * mean less a number of them. A high mean of few visits may be luck; many visits may come from a time when the move still
 * looked better. Leela Zero and KataGo choose so; KataGo takes 5 standard errors and moves with at least 0.15
 * of the most visits. Few values tell little of their variance, so 1 / n^3 is added to it, about what KataGo adds.
 */
package org.azx.app.engine

import kotlin.math.max
import kotlin.math.sqrt

/** Of the most visits: moves with less are not chosen, however good they look. */
internal const val SHARE = 0.15

/**
 * The mean of `visits` values less `errors` standard errors.
 *
 * `total` is the sum of the values and `squares` that of their squares. One rounding an operation, in this order, so
 * that the bound is the same in every language.
 */
internal fun lowerBound(visits: Int, total: Double, squares: Double, errors: Double): Double {
    val count = visits.toDouble()
    val mean = total / count
    val variance = max(0.0, squares / count - mean * mean) + 1 / (count * count * count)
    return mean - errors * sqrt(variance / count)
}
