/** A game that the network plays against itself, move by move at a pace that a person chooses. */
package org.azx.app.play.table

import org.azx.app.engine.review.Phase

/** Let the last move be seen before the next one is thought about. */
internal fun Table.watch() {
    if (isPaused) return
    val mine = turn
    isThinking = true
    worker.later(if (session.played == 0) 0 else choices.pace.milliseconds) { if (mine == turn) think() }
}

/** Let a game that is watched stand still, with the thought that is under way given up, or let it go on. */
fun Table.pause(wanted: Boolean) {
    if (!session.isWatched || wanted == isPaused) return
    isPaused = wanted
    if (wanted) leaveThought()
    if (wanted) show() else go()
}

/** One move of a game that is watched and stands still. */
fun Table.step() {
    if (session.isWatched && isPaused && session.phase == Phase.THEIRS && !isThinking) think()
    show()
}
