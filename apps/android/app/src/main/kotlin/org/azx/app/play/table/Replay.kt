/** A walk through the positions of a game, and lines that a person tries out from there. */
package org.azx.app.play.table

import org.azx.app.play.Notice
import org.azx.app.play.Session
import org.azx.app.play.newIdentity

/** The session whose position is shown: the game, or a line beside it. */
val Table.displayed: Session get() = line?.session ?: session

/** Whether moves can be tried out. */
val Table.canTry: Boolean get() = isReplay && !displayed.visible.isTerminal

/** Walk through the game, or return to playing. Other people's game is only walked through. */
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

/** In a replay, show the position after `moves` moves. */
fun Table.showAt(moves: Int) {
    if (!isReplay) return
    showOther { session = session.show(moves) }
}

/** Go one move on or back. In a line, go on along the record's line if it has one. */
fun Table.walk(moves: Int) {
    val next = branches.firstOrNull()
    when {
        line != null && moves > 0 && next != null -> tryOut(next)
        line != null && moves < 0 -> takeBack()
        else -> showAt(session.ply + moves)
    }
}

/** Show another position. What was said of the present one goes. */
private fun Table.showOther(change: (Line?) -> Unit) {
    forgetHint()
    val before = line
    leaveLine()
    change(before)
    show()
}

/** Stop showing the line. */
private fun Table.leaveLine() {
    line = null
    retry?.end()
    retry = null
}

/** Show the position after `moves` moves; begins a replay if necessary. */
fun Table.lookAt(moves: Int) {
    if (!isReplay) replay(true)
    showAt(moves)
}

/** Play a move of either side in a line of the person's own; if it is illegal, say why. */
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
        // Moves are judged one after the other.
        if (line == null) retry?.attempt(action)
        return
    }
    retry = null
    // The next move of the game itself makes no line.
    if (line == null && session.actions.getOrNull(session.ply) == action) return showAt(session.ply + 1)
    line = Line.tryOut(session, line, action).also(::keepLine)
}

/** Take the last move of the line back. */
fun Table.takeBack() = showOther { line = it?.takeBack() }

/** Leave the line for the game's position before it. A mistake that was tried again is shown. */
fun Table.toGame() = showAt(if (isRetrying) session.ply + 1 else session.ply)

/** Whether a new game can begin at the shown position. */
val Table.canPlayFromHere: Boolean get() = canTry && (line != null || session.isRead || session.ply < session.moves)

/** Begin a new game at the shown position. This game stays unchanged in the library. */
fun Table.playFromHere() {
    if (!canPlayFromHere) return
    val next = line?.session ?: session.shorten(session.ply)
    drop()
    line = null
    isReplay = false
    isPlayedOn = false
    isPaused = false
    identity = session.newIdentity()
    change(next.takeOver())
    go()
}
