/**
 * The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
 *
 * The order is the same in every language: what is proven to be best, then most visits, then the largest prior, then the
 * lowest action.
 */
package org.azx.app.engine.review

import org.azx.app.engine.Search
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.number

/** How many moves a person is told of. */
val MOST: Int = THRESHOLDS.number("candidates").toInt()

/** A move of a search: how often it was visited, its chance of winning for who plays it (0 to 1), and its prior. */
data class Candidate(val action: Int, val visits: Int, val winRate: Double, val prior: Double)

private val ORDER = compareByDescending<Candidate> { it.visits }.thenByDescending { it.prior }.thenBy { it.action }

/**
 * The `most` best of those that were visited, the best one first; before them the actions that are `proven` to be best,
 * visited or not.
 */
fun rank(candidates: List<Candidate>, most: Int = MOST, proven: List<Int> = emptyList()): List<Candidate> {
    val first = compareByDescending<Candidate> { it.action in proven }
    return candidates.filter { it.visits > 0 || it.action in proven }.sortedWith(first.then(ORDER)).take(most)
}

/**
 * What a search considers at its root; none before its second simulation or where the game is over. What is `known` to be
 * best comes first: a short search may have tried none of it.
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
