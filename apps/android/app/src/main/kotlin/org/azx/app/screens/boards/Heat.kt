/** How much a network or a search considers each action. */
package org.azx.app.screens.boards

import kotlin.math.roundToInt

/** The shares of a position's actions; all are null where there is no heat to show. */
internal class Heat(private val shares: Map<Int, Double>?) {
    private val largest = (shares?.values?.maxOrNull() ?: 0.0).coerceAtLeast(1e-9)

    /** How much an action counts beside the most considered one, 0 to 1; null below one percent. */
    fun strength(action: Int): Float? {
        val share = shares?.get(action) ?: return null
        return if (share < LEAST) null else (share / largest).toFloat()
    }

    /** The share in percent, without its sign; null below one percent. */
    fun percent(action: Int): Int? = shares?.get(action)?.takeIf { it >= LEAST }?.let { (100 * it).roundToInt() }

    private companion object {
        const val LEAST = 0.01
    }
}
