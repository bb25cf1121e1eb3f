package org.azx.app.play.table

import org.azx.app.play.Session
import org.azx.app.play.isForcedPass

/**
 * A line that a person tries out: a session of its own that branches off from the game after `from` moves, with moves
 * of both sides. The game is not changed by it.
 */
class Line private constructor(val from: Int, val session: Session) {
    /** How many moves the line has, forced passes counted. */
    val length: Int get() = session.moves - from

    /** The line without its last move, and the passes that the rules forced after it; null where nothing is left. */
    fun takeBack(): Line? {
        var moves = session.moves - 1
        while (moves > from && isForcedPass(session.states[moves])) moves--
        return if (moves > from) Line(from, session.shorten(moves)) else null
    }

    companion object {
        /** The line of one move from the position that is shown, or of one more. GameError where it is illegal. */
        fun tryOut(game: Session, line: Line?, action: Int): Line {
            val from = line?.from ?: game.ply
            return Line(from, (line?.session ?: game.shorten(from)).play(action))
        }
    }
}
