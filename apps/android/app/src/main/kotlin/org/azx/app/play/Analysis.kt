/** Searches of one position, for hints and reviews: each begun anew. */
package org.azx.app.play

import org.azx.app.engine.Search
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.Known
import org.azx.app.engine.review.MOST
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.candidates
import org.azx.app.engine.review.pointsOf
import org.azx.app.engine.review.seeRoot
import org.azx.app.engine.review.solvedEnd
import kotlin.math.max

/** What somebody has asked for, until it is over because nobody wants it any more; any thread may look. */
class Asked {
    @Volatile
    var isOver = false
}

/**
 * What a search says of a position: `seen` is null where the network has no value to tell it by; `candidates` are the
 * moves that it considers, the best one first, of all its `visits`, and `lines` how it goes on after each; `isWhole` is
 * false where it was ended early. `points` are what the moves gain or lose against the best of them; null where chances
 * alone are known.
 */
class Analysis(
    val seen: Seen?,
    val candidates: List<Candidate>,
    val lines: List<List<Int>>,
    private val visits: Int,
    val isWhole: Boolean,
    val points: Map<Int, Int>? = null,
    private val others: List<Candidate> = emptyList(),
) {
    /**
     * The same with the best moves of an end that is solved in front, whether or not the search has looked at them; no more
     * moves than a person is told of. Without `known` the same.
     */
    fun withBest(known: Known?): Analysis {
        val all = candidates.zip(lines)
        val missing = known?.left.orEmpty() - candidates.map { it.action }.toSet()
        if (all.isEmpty() || known == null || missing.isEmpty()) return this
        val brought = missing.map { action ->
            val seen = others.find { it.action == action && it.visits > 0 }
            (seen ?: Candidate(action, 0, checkNotNull(known.chance), 0.0)) to emptyList<Int>()
        }
        val (best, rest) = all.partition { it.first.action in known.left }
        val told = (best + brought + rest).take(max(MOST, all.size))
        return Analysis(seen, told.map { it.first }, told.map { it.second }, visits, isWhole, points, others)
    }

    /**
     * The same with the points of its moves in `state`, which it looked at; it blocks while playouts are made. What an end
     * that is solved is best at is always there, and comes first: there visits do not count. Points of Go are told against
     * what the search thinks best, which stays in front.
     */
    fun measure(state: State): Analysis =
        withBest(state.solvedEnd()).run { measure(state.pointsOf(candidates.map { it.action })) }

    /** The same with these points of its moves. */
    fun measure(points: Map<Int, Int>?): Analysis {
        val worth = { at: Int -> points?.get(candidates[at].action) ?: 0 }
        val isPut = candidates.isNotEmpty() && worth(0) < 0
        val order = if (isPut) candidates.indices.sortedByDescending(worth) else candidates.indices.toList()
        return Analysis(seen, order.map(candidates::get), order.map(lines::get), visits, isWhole, points, others)
    }

    /** The share of the visits of each candidate, 0 to 1, by action. */
    val shares: Map<Int, Double> get() = candidates.associate { it.action to it.visits.toDouble() / max(1, visits) }

    /** The chance of each candidate for who plays it, by action; null where the network has no value to tell it by. */
    val rates: Map<Int, Double>? get() = seen?.let { candidates.associate { it.action to it.winRate } }
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
    val most = simulations ?: MOST_SIMULATIONS
    var (made, told) = 0 to System.nanoTime()
    val isFull = { simulations == null && search.positions >= MOST_POSITIONS }
    val isDone = { made >= most || search.state.isTerminal || isFull() }
    while (!asked.isOver && !isDone()) {
        made += search.run(most - made, SLICE_SECONDS)
        if (simulations == null && System.nanoTime() - told >= TELL_NANOSECONDS) {
            told = System.nanoTime()
            tell(found(search, isWhole = false))
        }
    }
    return found(search, isDone())
}

private fun Thinker.found(search: Search, isWhole: Boolean): Analysis {
    val seen = if (hasValue || search.state.isTerminal) seeRoot(search) else null
    val visited = candidates(search, Int.MAX_VALUE)
    val best = visited.take(MOST)
    val lines = best.map { search.line(it.action, MOST_MOVES).drop(1) }
    return Analysis(seen, best, lines, visited.sumOf { it.visits }, isWhole, others = visited)
}
