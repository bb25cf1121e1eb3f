/** What moves gain or lose against the best: boxes or discs of a solved end, points of Go by random playouts. */
package org.azx.app.engine.review

import org.azx.app.engine.State
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.hasBegun
import org.azx.app.engine.games.ownership
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.hypot
import kotlin.math.sqrt

// Two means differ if they are this many standard errors apart.
private const val CLEARLY = 2.0

// On a larger board playouts take too long.
private const val LARGEST = 13

/**
 * Points by action, against the first one, which a search thinks best; null if only chances are known. `known` are the
 * proofs of this position. GameError if an action is illegal.
 */
fun State.pointsOf(actions: List<Int>, known: Known = findKnown(this)): Map<Int, Int>? = when (this) {
    is Go -> pointsSeen(actions)
    else -> pointsSolved(actions, known)
}

/** The same in a solved end, in which no move's points depend on the others; null elsewhere. */
fun State.pointsSolved(actions: List<Int>, known: Known): Map<Int, Int>? {
    if (known.margin == null) return null
    return actions.associateWith { -(countLost(known, findKnown(apply(it))) ?: return null) }
}

/** null on a large board, and in an opening, where random games say little about a stone. */
private fun Go.pointsSeen(actions: List<Int>): Map<Int, Int>? {
    if (!hasBegun || size > LARGEST || actions.isEmpty()) return null
    val best = leadAfter(actions[0])
    return actions.associateWith { if (it == actions[0]) 0 else leadAfter(it).differenceFrom(best) }
}

/** The player's mean lead after a move, and its standard error. */
private fun Go.leadAfter(action: Int): Lead {
    val found = apply(action).ownership()
    val mean = if (toMove == 0) found.meanLead else -found.meanLead
    return Lead(mean, found.spread / sqrt(found.playouts.toDouble()))
}

/** In whole points; 0 if the playouts do not tell the two apart. */
private fun Lead.differenceFrom(best: Lead): Int {
    val difference = mean - best.mean
    val isClear = abs(difference) > CLEARLY * hypot(spread, best.spread)
    return if (isClear) floor(difference + 0.5).toInt() else 0
}
