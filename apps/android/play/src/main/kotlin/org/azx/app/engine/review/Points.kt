/**
 * What moves of a hint gain or lose against the best of them in what their game is counted in: boxes or discs of an end
 * that is solved, points of Go as random playouts see them.
 */
package org.azx.app.engine.review

import org.azx.app.engine.State
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.hasBegun
import org.azx.app.engine.games.ownership
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.sqrt

// So many standard errors apart two means are said to differ.
private const val CLEARLY = 2.0

// On a larger board playouts take too long.
private const val LARGEST = 13

/**
 * By action, against the first one, which a search thinks best; null where nothing is known but chances. `known` is what is
 * of this position. GameError where one of them is illegal.
 */
fun State.pointsOf(actions: List<Int>, known: Known = findKnown(this)): Map<Int, Int>? = when (this) {
    is Go -> pointsSeen(actions)
    else -> pointsSolved(actions, known)
}

/** The same of an end that is solved, where no move's depends on the others; null elsewhere. */
fun State.pointsSolved(actions: List<Int>, known: Known): Map<Int, Int>? {
    if (known.margin == null) return null
    return actions.associateWith { -(countLost(known, findKnown(apply(it))) ?: return null) }
}

/** null in an opening, where random games say little of what a stone is worth, and on a large board. */
private fun Go.pointsSeen(actions: List<Int>): Map<Int, Int>? {
    if (!hasBegun || size > LARGEST || actions.isEmpty()) return null
    val best = leadAfter(actions[0])
    return actions.associateWith { if (it == actions[0]) 0 else leadAfter(it).differenceFrom(best) }
}

private fun Go.leadAfter(action: Int): Lead {
    val found = apply(action).ownership()
    val mean = if (toMove == 0) found.meanLead else -found.meanLead
    return Lead(mean, found.spread * found.spread / found.playouts)
}

/** A mean of the playouts after a move, for who makes it, and the square of its standard error. */
private class Lead(val mean: Double, val variance: Double) {
    /** In whole points; 0 where the playouts do not tell the two apart. */
    fun differenceFrom(best: Lead): Int {
        val difference = mean - best.mean
        val isClear = abs(difference) > CLEARLY * sqrt(variance + best.variance)
        return if (isClear) floor(difference + 0.5).toInt() else 0
    }
}
