/**
 * The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
 *
 * The order is the same in every language: most visits, then the largest prior, then the lowest action.
 */
package org.azx.app.engine.review

import org.azx.app.engine.Search
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.number

/** How many moves a person is told of. */
val MOST: Int = THRESHOLDS.number("candidates").toInt()

/** A move that a search has visited: how often, its chance of winning for who plays it (0 to 1), and its prior. */
data class Candidate(val action: Int, val visits: Int, val winRate: Double, val prior: Double)

private val ORDER = compareByDescending<Candidate> { it.visits }.thenByDescending { it.prior }.thenBy { it.action }

/** The `most` best of those that were visited, the best one first. */
fun rank(candidates: List<Candidate>, most: Int = MOST): List<Candidate> =
    candidates.filter { it.visits > 0 }.sortedWith(ORDER).take(most)

/** What a search considers at its root; none before its second simulation or where the game is over. */
fun candidates(search: Search, most: Int = MOST): List<Candidate> =
    rank(search.children().map { Candidate(it.action, it.visits, (it.mean + 1) / 2, it.prior) }, most)
