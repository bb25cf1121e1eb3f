/** The end of a game of Go, with proposed, marked and agreed dead stones; and estimates before it. */
package org.azx.app.play.table

import org.azx.app.engine.games.Go
import org.azx.app.engine.games.deadStones
import org.azx.app.engine.games.ownership
import org.azx.app.engine.games.scoreWithout
import org.azx.app.engine.review.Phase
import org.azx.app.play.Counted
import org.azx.app.play.Notice
import org.azx.app.play.counted
import org.azx.app.play.estimateBoard
import org.azx.app.play.toggleChain

val Table.isScoring: Boolean get() = session.phase == Phase.SCORING && !isReplay

val Table.canEstimate: Boolean get() = canPlay && session.latest is Go

/** The dead stones and areas that the board shows; null if all stones count. */
val Table.counted: Counted?
    get() = if (displayed.visible === session.latest) session.counted(dead) ?: estimated else null

/** Mark a chain as dead, or as alive if it was dead. */
internal fun Table.toggle(at: Int) {
    val state = session.latest as? Go ?: return
    mark(state, toggleChain(state, dead ?: return, at))
}

private fun Table.mark(state: Go, found: List<Int>) {
    dead = found
    notice = Notice.Scoring(state.scoreWithout(found), state.score())
    show()
}

/** After two passes, mark the stones that playouts take for dead. */
internal fun Table.propose() {
    val state = session.latest as? Go ?: return
    askNow({ state.deadStones(state.ownership()) }) { mark(state, it) }
}

/** Agree that the marked stones are dead. */
fun Table.agree() {
    if (!isScoring) return
    val found = dead ?: return
    drop()
    change(session.agree(found))
    show()
}

/** Take both passes back: the network plays until captures are real. */
fun Table.playOn() {
    if (!isScoring) return
    drop()
    isPlayedOn = true
    change(session.playOn())
    go()
}

/** Say who is ahead in Go, and show the owner of each point. */
fun Table.estimate() {
    val state = session.latest as? Go ?: return
    if (!canEstimate) return
    val mine = turn
    worker.ask({ estimateBoard(state) }) { answer ->
        if (mine != turn || isReplay) return@ask
        answer.fold({ (estimate, counted) ->
            forgetHint()
            estimated = counted
            notice = Notice.Estimated(estimate)
            show()
        }, ::fail)
    }
}
