/** A walk through the positions of a game, and moves of both sides that are tried out from there. */
package org.azx.app.play.table

import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.newIdentity
import org.azx.app.play.Notice
import org.azx.app.play.Session

/** The session whose position is shown: the game, or a line that branches off from it. */
val Table.displayed: Session get() = line?.session ?: session

/** Whether moves can be tried out. */
val Table.canTry: Boolean get() = isReplay && !displayed.visible.isTerminal

/** Walk through the game, or go on playing; other people's game is only walked through. */
fun Table.replay(wanted: Boolean) {
    if (session.isRead && !wanted) return
    forgetHint()
    leaveLine()
    isReplay = wanted
    if (wanted) pause(true)
    if (!wanted) {
        session = session.show(session.moves)
        if (choices.alwaysHeat) warmUp()
    }
    show()
}

/** In a replay, show the position after so many moves. */
fun Table.showAt(moves: Int) {
    if (!isReplay) return
    showOther { session = session.show(moves) }
}

/** One move on or back: in a line along it, where the record has it go on. */
fun Table.walk(moves: Int) {
    val next = branches.firstOrNull()
    when {
        line != null && moves > 0 && next != null -> tryOut(next)
        line != null && moves < 0 -> takeBack()
        else -> showAt(session.ply + moves)
    }
}

/** Show another position than the one that something was said of. */
private fun Table.showOther(change: (Line?) -> Unit) {
    forgetHint()
    val before = line
    leaveLine()
    change(before)
    show()
}

/** What was tried out is no more shown. */
private fun Table.leaveLine() {
    line = null
    retry?.end()
    retry = null
}

/** Show the position after so many moves, in a replay where there was none. */
fun Table.lookAt(moves: Int) {
    if (!isReplay) replay(true)
    showAt(moves)
}

/** Play a move of either side in a line of the person's own; says why where it cannot be played. */
internal fun Table.tryOut(action: Int) {
    if (!canTry) return
    forgetHint()
    val reason = displayed.whyIllegal(action, displayed.visible)
    if (reason != null) notice = Notice.NotPossible(reason) else tryLegal(action)
    show()
}

private fun Table.tryLegal(action: Int) {
    notice = null
    if (isRetrying) {
        // One move is looked at after the other.
        if (line == null) retry?.attempt(action)
        return
    }
    retry = null
    // The game's own next move is no line.
    if (line == null && session.actions.getOrNull(session.ply) == action) return showAt(session.ply + 1)
    line = Line.tryOut(session, line, action).also(::keepLine)
}

/** Take the last move of the line back. */
fun Table.takeBack() = showOther { line = it?.takeBack() }

/** Leave the line, for the position of the game that it branches off from; a mistake that was tried again is shown. */
fun Table.toGame() = showAt(if (isRetrying) session.ply + 1 else session.ply)

/** Whether a game of its own can begin with the position that is shown. */
val Table.canPlayFromHere: Boolean get() = canTry && (line != null || session.isRead || session.ply < session.moves)

/** Begin a game of its own with the position that is shown, and go on playing; this one stays as it is. */
fun Table.playFromHere() {
    if (!canPlayFromHere) return
    val next = line?.session ?: session.shorten(session.ply)
    drop()
    line = null
    isReplay = false
    isPlayedOn = false
    isPaused = false
    identity = newIdentity(if (session.isWatched) Origin.WATCHED else Origin.PLAYED)
    change(next.takeOver())
    go()
}
