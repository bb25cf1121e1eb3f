/** The network's side of a table: it moves in its turn, and reports its thought. */
package org.azx.app.play.table

import org.azx.app.engine.records.Side
import org.azx.app.engine.review.Phase
import org.azx.app.play.Notice
import org.azx.app.play.Progress
import org.azx.app.play.Thought
import org.azx.app.play.failureOf
import org.azx.app.play.lessen
import org.azx.app.play.strengthOf
import kotlin.random.Random

/** Let the player to move go on. */
internal fun Table.go() {
    when {
        session.phase != Phase.THEIRS -> arrive()
        session.isWatched -> watch()
        else -> think()
    }
    show()
}

internal fun Table.think() {
    isThinking = true
    val (mine, chosen, actions) = Triple(turn, settings, session.actions)
    val side = sides?.toList()?.get(session.latest.toMove)
    val strength = side?.let(::strengthOf) ?: choices.strength
    val (limit, ticket) = strength.limit(Random.nextLong()).lessen(warmth) to opened.thinker.ticket()
    val tell = { found: Progress -> worker.tell { if (mine == turn) hear(found) } }
    val passes = !isPlayedOn
    val think = { opened.seat(side).think(chosen, actions, limit, ticket, passes, tell) }
    worker.ask(think) { if (mine == turn) it.fold(::takeAnswer) { error -> failThought(error, side) } }
}

internal fun Table.fail(error: Throwable) {
    isThinking = false
    failure = failureOf(error)
    show()
}

/** Without its own network the table stops; a guest's may be opened again. */
private fun Table.failThought(error: Throwable, side: Side?) {
    if (opened.isOwn(side)) return fail(error)
    isThinking = false
    isPaused = true
    notice = Notice.NoSeat(failureOf(error))
    show()
}

private fun Table.hear(found: Progress) {
    progress = found
    show()
}

private fun Table.takeAnswer(thought: Thought) {
    isThinking = false
    progress = thought.progress
    val shown = session.ply
    val played = session.rate(thought.progress.winRate).play(thought.action)
    // A person who looks at an earlier position stays there.
    change(if (isReplay && shown < session.moves) played.show(shown) else played)
    go()
}

/** A person's turn has begun, or the game has ended. */
private fun Table.arrive() {
    if (session.phase == Phase.SCORING) return propose()
    if (choices.alwaysHeat && heat == null) warmUp()
}
