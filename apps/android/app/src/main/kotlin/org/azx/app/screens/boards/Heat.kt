package org.azx.app.screens.boards

import kotlin.math.roundToInt

/**
 * The shares of a position's actions; all are null where there is no heat to show. `rates` are the actions' chances of
 * winning, 0 to 1; null where a network alone has the shares, or has no value to tell them by.
 */
internal class Heat(private val shares: Map<Int, Double>?, private val rates: Map<Int, Double>? = null) {
    private val largest = (shares?.values?.maxOrNull() ?: 0.0).coerceAtLeast(1e-9)

    /** How much an action counts beside the most considered one, 0 to 1; null below one percent. */
    fun strength(action: Int): Float? {
        val share = shares?.get(action) ?: return null
        return if (share < LEAST) null else (share / largest).toFloat()
    }

    /** The share in percent, without its sign; null below one percent. */
    fun percent(action: Int): Int? = shares?.get(action)?.takeIf { it >= LEAST }?.let { (100 * it).roundToInt() }

    /** What is written at an action: its chance of winning where a search tells it, else its share, in percent. */
    fun figure(action: Int): Int? {
        val percent = percent(action) ?: return null
        return rates?.get(action)?.let { (100 * it).roundToInt() } ?: percent
    }

    private companion object {
        const val LEAST = 0.01
    }
}
