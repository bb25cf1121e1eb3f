/** What a network's value means: authors use different ranges, or three chances. */
package org.azx.app.engine

import kotlin.math.abs
import kotlin.math.exp

/** What a value head's numbers are: from -1 to 1, from 0 to 1, or the chances to win, draw and lose. */
enum class ValueRange { SIGNED, UNIT, WDL }

private val OUTCOMES = listOf("win", "draw", "loss")

// What ends with one of these is never below 0.
private val UNIT_ACTIVATIONS = listOf("sigmoid", "hard_sigmoid")
private val PROBABILITIES = UNIT_ACTIVATIONS + "softmax"

// How far from 1 the sum of chances may be.
private const val SLACK = 1e-3

/**
 * How the outputs of a value head are read as a value from -1 to 1, for whom the encoding says.
 *
 * `win` and `loss` are the places of these two of the three chances, without an order those above. With some values of
 * `activation` the numbers go through a softmax first.
 */
class ValueHead(
    val range: ValueRange,
    private val win: Int = 0,
    private val loss: Int = 0,
    private val activation: Any? = "softmax",
) {
    fun read(outputs: FloatArray): Double = when (range) {
        ValueRange.SIGNED -> outputs[0].toDouble()
        ValueRange.UNIT -> 2.0 * outputs[0] - 1
        ValueRange.WDL -> difference(outputs)
    }

    /** P(win) - P(loss). */
    private fun difference(outputs: FloatArray): Double {
        val best = outputs[win].toDouble()
        val worst = outputs[loss].toDouble()
        // The draw stands at the place of 0, 1 and 2 that is left.
        val draw = outputs[3 - win - loss].toDouble()
        if (areChances(best, draw, worst)) return best - worst
        // The largest becomes 1, so that none overflows.
        val largest = maxOf(best, draw, worst)
        val won = exp(best - largest)
        val lost = exp(worst - largest)
        return (won - lost) / (won + exp(draw - largest) + lost)
    }

    /** If the activation is unknown, numbers below 0 or with another sum than 1 are no chances. */
    private fun areChances(win: Double, draw: Double, loss: Double): Boolean {
        if (activation != "unknown") return activation in PROBABILITIES
        return minOf(win, draw, loss) >= 0 && abs(win + draw + loss - 1) <= SLACK
    }
}

/**
 * How a manifest says that a value of `size` outputs is read: `output` has its members as JSON gives them.
 *
 * GameError if it says what there is not.
 */
fun valueHeadFrom(output: Map<String, Any?>, size: Int): ValueHead {
    val activation = output["activation"] ?: "unknown"
    val range = output["value_range"]?.let(::rangeFrom) ?: usualRange(size, activation)
    if (range != ValueRange.WDL) return single(range, output, size)
    if (size != OUTCOMES.size) throw GameError("value_range 'wdl' takes three outputs, the value has $size.")
    val order = (output["order"] ?: OUTCOMES) as? List<*>
    if (order?.size == size && order.containsAll(OUTCOMES)) {
        return ValueHead(range, order.indexOf("win"), order.indexOf("loss"), activation)
    }
    throw GameError("the value's order '${output["order"]}' is not win, draw and loss, each once.")
}

private fun single(range: ValueRange, output: Map<String, Any?>, size: Int): ValueHead {
    val name = range.name.lowercase()
    if (size != 1) throw GameError("value_range '$name' takes one output, the value has $size.")
    if (output["order"] != null) throw GameError("value_range '$name' has no order, which is that of three outputs.")
    return ValueHead(range)
}

/** The range of a value if the manifest does not give it: three numbers are chances. */
private fun usualRange(size: Int, activation: Any): ValueRange = when {
    size == OUTCOMES.size -> ValueRange.WDL
    activation in UNIT_ACTIVATIONS -> ValueRange.UNIT
    else -> ValueRange.SIGNED
}

private fun rangeFrom(name: Any): ValueRange = ValueRange.entries.find { it.name.lowercase() == name }
    ?: ValueRange.entries.joinToString(", ") { it.name.lowercase() }.let {
        throw GameError("value_range '$name' is unknown, use one of $it.")
    }
