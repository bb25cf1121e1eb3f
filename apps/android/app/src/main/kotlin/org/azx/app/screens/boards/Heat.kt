package org.azx.app.screens.boards

import kotlin.math.abs
import kotlin.math.max
import kotlin.math.roundToInt
import kotlin.math.sign

private val SIGNS = listOf("−", "", "+")

/** What is gained or lost, with its sign: "+2", "0", "−3". */
internal fun signed(points: Int): String = "${SIGNS[points.sign + 1]}${abs(points)}"

/**
 * The shares of a position's actions; null without heat. `rates` are the actions' chances, 0 to 1; null if the shares are
 * a network's alone, or it has no value. `points` are what each gains or loses against the best; null if only chances are
 * known. `best` are the equally good actions; null if the most considered one counts as the best.
 */
internal class Heat(
    private val shares: Map<Int, Double>?,
    private val rates: Map<Int, Double>? = null,
    private val points: Map<Int, Int>? = null,
    private val best: Set<Int>? = null,
) {
    private val largest = (shares?.values?.maxOrNull() ?: 0.0).coerceAtLeast(1e-9)

    /** How much an action counts beside the most considered one, 0 to 1; null below one percent. */
    fun strength(action: Int): Float? = shareOf(action)?.let { (it / largest).toFloat() }

    /** Whether no action is better. */
    fun isBest(action: Int): Boolean = best?.contains(action) ?: (shares?.get(action) == largest)

    /**
     * An action's chance of winning if a search found it, else its share; in percent, null for shares below one percent.
     */
    fun percent(action: Int): Int? = shareOf(action)?.let { (100 * (rates?.get(action) ?: it)).roundToInt() }

    /** What is written at an action: points against the best if known, else percents. */
    fun figure(action: Int): String? = percent(action)?.let { against(action) ?: it.toString() }

    /** What an action gains or loses against the best, with its sign: "+2", "0", "−3"; null if that is not known. */
    fun against(action: Int): String? = points?.get(action)?.let(::signed)

    /** Whether the figure at an action is its chance of winning, and no share. */
    fun hasRate(action: Int): Boolean = rates?.get(action) != null

    /** The best actions count, however seldom a search has looked at them. */
    private fun shareOf(action: Int): Double? = shares?.get(action)?.let {
        val isKnown = points?.get(action) == 0 || best?.contains(action) == true
        if (isKnown) max(it, LEAST) else it
    }?.takeIf { it >= LEAST }

    private companion object {
        const val LEAST = 0.01
    }
}
