/**
 * The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
 *
 * The order is the same in every language: moves that are proven to be best, then by visits, then by prior, then by
 * number.
 */
package org.azx.app.engine.review

import org.azx.app.engine.Search
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.number

/** How many moves a person sees. */
val MOST: Int = THRESHOLDS.number("candidates").toInt()

/** A move of a search: its visits, the chance (0 to 1) of the player who makes it, and its prior. */
class Candidate(val action: Int, val visits: Int, val winRate: Double, val prior: Double)

/**
 * The `most` best of the visited candidates, the best one first. Before them stand the actions that are `proven` to be
 * best, visited or not.
 */
fun rank(candidates: List<Candidate>, most: Int = MOST, proven: List<Int> = emptyList()): List<Candidate> =
    candidates.filter { it.visits > 0 || it.action in proven }.sortedWith { one, other ->
        when {
            (one.action in proven) != (other.action in proven) -> if (one.action in proven) -1 else 1
            one.visits != other.visits -> other.visits.compareTo(one.visits)
            one.prior != other.prior -> other.prior.compareTo(one.prior)
            else -> one.action.compareTo(other.action)
        }
    }.take(most)

/**
 * The moves that a search considers at its root; empty before its second simulation, and if the game is over. Actions that
 * are `known` to be best come first: a short search may have tried none of them.
 */
fun candidates(search: Search, most: Int = MOST, known: Known? = null): List<Candidate> {
    val children = search.children()
    if (children.none { it.visits > 0 }) return emptyList()
    val (proven, chance) = known?.provenBest ?: (emptyList<Int>() to 0.5)
    val found = children.map {
        Candidate(it.action, it.visits, if (it.visits > 0) (it.mean + 1) / 2 else chance, it.prior)
    }
    return rank(found, most, proven)
}
