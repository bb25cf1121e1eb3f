/** Searches of one position, for hints and reviews: each begun anew. */
package org.azx.app.play

import org.azx.app.engine.Search
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.Known
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.candidates
import org.azx.app.engine.review.findKnown
import org.azx.app.engine.review.pointsOf
import org.azx.app.engine.review.seeRoot
import kotlin.math.max
import kotlin.math.min

/** What somebody has asked for, until it is over because nobody wants it any more; any thread may look. */
class Asked {
    @Volatile
    var isOver = false
}

/**
 * What a search says of a position, of which this is `known`: `seen` is null where the network has no value to tell it by;
 * `candidates` are the moves that it considers, the best one first, of all its `visits`, and `lines` how it goes on after
 * each; `isWhole` is false where it was ended early. `points` are what the moves gain or lose against the best of them;
 * null where chances alone are known.
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
    /** The same with the points of its moves in `state`, which it looked at; it blocks while playouts are made. */
    fun measure(state: State): Analysis = measure(state.pointsOf(candidates.map { it.action }, known))

    /**
     * The same with these points of its moves, in the order of what they lose where an end is solved: there visits do not
     * count. Points of Go are told against what the search thinks best, which stays in front.
     */
    fun measure(points: Map<Int, Int>?): Analysis {
        val worth = { at: Int -> points?.get(candidates[at].action) ?: 0 }
        val order = candidates.indices.let { if (known.margin == null) it.toList() else it.sortedByDescending(worth) }
        return Analysis(seen, order.map(candidates::get), order.map(lines::get), visits, isWhole, known, points)
    }

    /** The share of the visits of each candidate, 0 to 1, by action. */
    val shares: Map<Int, Double> get() = candidates.associate { it.action to it.visits.toDouble() / max(1, visits) }

    /** The chance of who is to move: what is proven before what was searched; null if nothing tells it. */
    val chance: Double? get() = known.provenChance ?: seen?.chance

    /**
     * The chance of each candidate for who plays it, by action, what is proven before what was searched; null if the network
     * has no value to tell it by.
     */
    val rates: Map<Int, Double>?
        get() = seen?.let { candidates.associate { it.action to known.chanceBy(it.action, it.winRate) } }
}

/** The mover's chance where the rules, a solved end or an opening table prove it; else null. */
val Known.provenChance: Double? get() = chance ?: outcome?.let { (1.0 + it) / 2 }

/** The mover's chance by `action`: what is proven, else what a search found within the bounds of what is proven. */
private fun Known.chanceBy(action: Int, searched: Double): Double {
    val best = provenChance ?: return searched
    return when {
        action in left -> best
        // Another way to win may be there.
        result == 1 -> searched
        // A win or a draw that is given away is worth half a point less, or a whole one.
        outcome != null -> min(searched, max(0.0, best - 0.5))
        else -> min(searched, best)
    }
}

// As a thought's: often enough that its end is heard at once.
private const val SLICE_SECONDS = 0.05

// A table that changes more often cannot be read.
private const val TELL_NANOSECONDS = 250_000_000

// How many moves a line has that is told.
private const val MOST_MOVES = 4

// Where nobody has said how far, a search ends when its positions would fill the memory, or it meets but ends of the game.
private const val MOST_POSITIONS = 50_000
private const val MOST_SIMULATIONS = 250_000

/**
 * What a search of so many simulations says of a position, given as the actions that lead to it; the result where the
 * game is over. Without a number it goes on until it is as large as the memory allows, and tells now and then what it
 * has found. GameError where they cannot be played. It blocks, and ends early with `asked`.
 */
fun Thinker.analyse(
    settings: Settings,
    actions: List<Int>,
    simulations: Int?,
    asked: Asked,
    tell: (Analysis) -> Unit = {},
): Analysis {
    val search = Search(actions.fold(reading.start(settings)) { state, action -> state.apply(action) }, network)
    // Once, as to solve an end may take longer than to search it.
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
