/** The review of a game: a search for each position. */
package org.azx.app.play.table

import org.azx.app.engine.review.DEEPER
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.Seen
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.analyse
import org.azx.app.play.failureOf

/** Whether a review is offered: in a replay or after the end, with a network that has a value. */
val Table.canReview: Boolean get() = opened.network.hasValue && (isReplay || session.phase == Phase.OVER)

val Table.isReviewing: Boolean get() = reviewed != null

/** Search all positions that are not known yet, one after the other. A move or another game ends the review. */
fun Table.review() {
    if (isReviewing || session.isSeen) return
    val asked = Asked().also { reviewed = it }
    look(asked)
    show()
}

/**
 * Search the next unknown position, then, deeper, each position beside a blunder. `found` are the findings so far: they
 * are shown together, so that no blunder is shown and taken back.
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

/** End the review. Its findings stay with the game. */
fun Table.stopReview() {
    val asked = reviewed ?: return
    asked.isOver = true
    reviewed = null
    keep()
    show()
}

/** Show the next position after a mistake or a blunder. */
fun Table.showNextMistake() {
    val next = session.nextMistake(if (isReplay) session.ply else session.setUp) ?: return
    if (!isReplay) replay(true)
    showAt(next)
}
