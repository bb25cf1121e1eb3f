/** What a search asks of a network: the value of a state and how promising its actions are. */
package org.azx.app.engine

import kotlin.math.exp
import kotlin.math.max

/**
 * A network's answer for one state.
 *
 * `value` is for the player to move, in [-1, 1]. `policy` has a number for each of the game's actions:
 * logits where `logits` is true, else probabilities; illegal actions' numbers do not matter. null means uniform.
 */
class Evaluation(val value: Double, val policy: FloatArray?, val logits: Boolean)

/** Anything that answers for states: a network in some runtime, or a stand-in. */
fun interface Evaluator {
    /** An answer for a state that is not over. */
    fun evaluate(state: State): Evaluation
}

/**
 * Write the priors of the `legal` actions but for a common factor into the first places of `into`, in their order.
 *
 * Nothing else is allocated: a search calls this once for every node that it expands.
 */
fun weights(evaluation: Evaluation, legal: IntArray, into: DoubleArray) {
    val policy = evaluation.policy
    if (policy == null) {
        into.fill(1.0, 0, legal.size)
        return
    }
    for (at in legal.indices) into[at] = policy[legal[at]].toDouble()
    if (evaluation.logits) exponentials(into, legal.size) else positive(into, legal.size)
}

/** The largest becomes 1, so that none overflows. */
private fun exponentials(numbers: DoubleArray, count: Int) {
    var largest = Double.NEGATIVE_INFINITY
    for (at in 0 until count) if (numbers[at] > largest) largest = numbers[at]
    for (at in 0 until count) numbers[at] = exp(numbers[at] - largest)
}

private fun positive(numbers: DoubleArray, count: Int) {
    for (at in 0 until count) numbers[at] = max(numbers[at], 0.0)
}

/** The priors of the `legal` actions, with sum 1. */
fun priors(evaluation: Evaluation, legal: IntArray): DoubleArray {
    val chosen = DoubleArray(legal.size)
    weights(evaluation, legal, chosen)
    var total = 0.0
    for (weight in chosen) total += weight
    for (at in chosen.indices) chosen[at] = if (total > 0) chosen[at] / total else 1.0 / legal.size
    return chosen
}

/** The legal action with the largest prior, the lowest of equals. */
fun best(evaluation: Evaluation, legal: IntArray): Int {
    val found = priors(evaluation, legal)
    var top = 0
    for (at in found.indices) if (found[at] > found[top]) top = at
    return legal[top]
}
