/** A game is looked at again: each position by a search of its own. */
package org.azx.app.play.table

import org.azx.app.engine.review.DEEPER
import org.azx.app.engine.review.Seen
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.Phase
import org.azx.app.play.analyse
import org.azx.app.play.failureOf

/** Whether the game is looked at again, by a network that can say how good a position is. */
val Table.canReview: Boolean get() = opened.network.hasValue && (isReplay || session.phase == Phase.OVER)

val Table.isReviewing: Boolean get() = reviewed != null

/** Look at every position that is not known yet, one after the other, until a move or another game ends it. */
fun Table.review() {
    if (isReviewing || session.isSeen) return
    val asked = Asked().also { reviewed = it }
    look(asked)
    show()
}

/**
 * Look at the next position that is not known, then again, deeper, at each beside a blunder, `found` so far: all of it is
 * told together, so that no blunder is said and taken back.
 */
private fun Table.look(asked: Asked, found: Map<Int, Seen> = emptyMap()) {
    val known = found.entries.fold(session) { session, (moves, seen) -> session.know(seen, moves) }
    val again = if (found.isEmpty()) null else known.doubted.firstOrNull()
    if (found.isNotEmpty() && again == null) {
        found.forEach { (moves, seen) -> know(seen, moves) }
        return look(asked)
    }
    // The network may have moved meanwhile.
    val moves = again ?: session.nextUnseen ?: return stopReview()
    val (chosen, actions) = settings to session.actions.take(moves)
    val count = if (again == null) simulations else DEEPER * simulations
    worker.ask({ opened.thinker.analyse(chosen, actions, count, asked) }) { answer ->
        if (reviewed !== asked) return@ask
        answer.fold({ analysis ->
            val seen = analysis.seen?.takeIf { analysis.isWhole }?.let { it.copy(isSure = it.isSure || again != null) }
            if (seen == null) stopReview() else look(asked, found + (moves to seen))
        }, ::failReview)
        show()
    }
}

private fun Table.failReview(error: Throwable) {
    notice = Notice.NoHint(failureOf(error))
    stopReview()
}

/** End the review; what it has seen is kept with the game. */
fun Table.stopReview() {
    val asked = reviewed ?: return
    asked.isOver = true
    reviewed = null
    keep()
    show()
}

/** Show the next position that a mistake or a blunder leads to. */
fun Table.showNextMistake() {
    val next = session.nextMistake(if (isReplay) session.ply else session.setUp) ?: return
    if (!isReplay) replay(true)
    showAt(next)
}
