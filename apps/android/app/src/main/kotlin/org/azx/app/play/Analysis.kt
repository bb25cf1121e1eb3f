/** Searches of one position, for hints and reviews: each begun anew. */
package org.azx.app.play

import org.azx.app.engine.Search
import org.azx.app.engine.Settings
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.candidates
import org.azx.app.engine.review.seeRoot
import kotlin.math.max

/** What somebody has asked for, until it is over because nobody wants it any more; any thread may look. */
class Asked {
    @Volatile
    var isOver = false
}

/**
 * What a search says of a position: `seen` is null where the network has no value to tell it by; `candidates` are the
 * moves that it considers, the best one first, of all its `visits`; `isWhole` is false where it was ended early.
 */
class Analysis(val seen: Seen?, val candidates: List<Candidate>, private val visits: Int, val isWhole: Boolean) {
    /** The share of the visits of each candidate, 0 to 1, by action. */
    val shares: Map<Int, Double> get() = candidates.associate { it.action to it.visits.toDouble() / max(1, visits) }

    /** The chance of each candidate for who plays it, by action; null where the network has no value to tell it by. */
    val rates: Map<Int, Double>? get() = seen?.let { candidates.associate { it.action to it.winRate } }
}

// As a thought's: often enough that its end is heard at once.
private const val SLICE_SECONDS = 0.05

/**
 * What a search of so many simulations says of a position, given as the actions that lead to it; the result where the
 * game is over. GameError where they cannot be played. It blocks, and ends early with `asked`.
 */
fun Thinker.analyse(settings: Settings, actions: List<Int>, simulations: Int, asked: Asked): Analysis {
    val search = Search(actions.fold(reading.start(settings)) { state, action -> state.apply(action) }, network)
    val isTerminal = search.state.isTerminal
    var made = 0
    while (made < simulations && !asked.isOver && !isTerminal) made += search.run(simulations - made, SLICE_SECONDS)
    val seen = if (hasValue || isTerminal) seeRoot(search) else null
    return Analysis(seen, candidates(search), search.children().sumOf { it.visits }, isTerminal || made >= simulations)
}
