/** Searches of one position, for hints and reviews: each begun anew. */
package org.azx.app.play

import org.azx.app.engine.Search
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.after
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.Known
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.candidates
import org.azx.app.engine.review.findKnown
import org.azx.app.engine.review.pointsOf
import org.azx.app.engine.review.seeRoot
import kotlin.math.max

/** A question under way; `isOver` once its answer is no longer wanted. Any thread may look. */
class Asked {
    @Volatile
    var isOver = false
}

/**
 * The result of a search; `known` is what the rules prove of its position.
 *
 * `seen` is null if the network has no value. `candidates` are the moves that the search considers, the best one first,
 * of all its `visits`, and `lines` the moves that follow each. `isWhole` is false if the search was ended early. `points`
 * are what the moves gain or lose against the best of them; null if only chances are known.
 */
class Analysis(
    val seen: Seen?,
    val candidates: List<Candidate>,
    val lines: List<List<Int>>,
    private val visits: Int,
    val isWhole: Boolean,
    val known: Known,
    val points: Map<Int, Int>? = null,
) {
    /** The same with the points of its moves in `state`, its position. Blocks while playouts are made. */
    fun measure(state: State): Analysis = measure(state.pointsOf(candidates.map { it.action }, known))

    /**
     * The same with these points of its moves. In a solved end the moves stand in the order of what they lose: visits do
     * not count there. Points of Go are against the move that the search thinks best, which stays in front.
     */
    fun measure(points: Map<Int, Int>?): Analysis {
        val worth = { at: Int -> points?.get(candidates[at].action) ?: 0 }
        val order = candidates.indices.let { if (known.margin == null) it.toList() else it.sortedByDescending(worth) }
        return Analysis(seen, order.map(candidates::get), order.map(lines::get), visits, isWhole, known, points)
    }

    /** The share of the visits of each candidate, 0 to 1, by action. */
    val shares: Map<Int, Double> get() = candidates.associate { it.action to it.visits.toDouble() / max(1, visits) }
}

/** The mover's chance if the rules, a solved end or an opening table prove it; else null. */
val Known.provenChance: Double? get() = chance ?: outcome?.let { (1.0 + it) / 2 }

// As for a thought: short enough that a stop is noticed at once.
private const val SLICE_SECONDS = 0.05

// A table that changes more often cannot be read.
private const val TELL_NANOSECONDS = 250_000_000

// The length of a line.
private const val MOST_MOVES = 4

// A search without a limit ends before its positions fill the memory, or if it only meets ends of the game.
private const val MOST_POSITIONS = 50_000
private const val MOST_SIMULATIONS = 250_000

/**
 * The result of a search of the position that `actions` lead to; of a game that is over, its result.
 *
 * Without `simulations` the search goes on until it is as large as the memory allows, and calls `tell` now and then.
 * Blocks; ends early once `asked` is over. GameError if an action cannot be played.
 */
fun Thinker.analyse(
    settings: Settings,
    actions: List<Int>,
    simulations: Int?,
    asked: Asked,
    tell: (Analysis) -> Unit = {},
): Analysis {
    val search = Search(reading.start(settings).after(actions), network)
    // Once: solving an end may take longer than searching it.
    val known = findKnown(search.state)
    val most = simulations ?: MOST_SIMULATIONS
    var (made, told) = 0 to System.nanoTime()
    val isFull = { simulations == null && search.positions >= MOST_POSITIONS }
    val isDone = { made >= most || search.state.isTerminal || isFull() }
    while (!asked.isOver && !isDone()) {
        made += search.run(most - made, SLICE_SECONDS)
        if (simulations == null && System.nanoTime() - told >= TELL_NANOSECONDS) {
            told = System.nanoTime()
            tell(found(search, known, isWhole = false))
        }
    }
    return found(search, known, isDone())
}

private fun Thinker.found(search: Search, known: Known, isWhole: Boolean): Analysis {
    val seen = if (hasValue || search.state.isTerminal) seeRoot(search, known) else null
    val best = candidates(search, known = known)
    val lines = best.map { search.line(it.action, MOST_MOVES).drop(1) }
    return Analysis(seen, best, lines, search.children().sumOf { it.visits }, isWhole, known)
}
