package org.azx.app.play.table

import org.azx.app.play.Session

/** A line that a person tries out: a session that branches off after `from` moves. It leaves the game unchanged. */
class Line private constructor(val from: Int, val session: Session) {
    /** The number of moves in the line, forced passes included. */
    val length: Int get() = session.moves - from

    /** The line without its last move and the forced passes behind it; null if nothing is left. */
    fun takeBack(): Line? {
        var moves = session.moves - 1
        while (moves > from && session.states[moves].mustPass) moves--
        return if (moves > from) Line(from, session.shorten(moves)) else null
    }

    companion object {
        /** A line of one move from the shown position, or `line` with one move more. GameError if the move is illegal. */
        fun tryOut(game: Session, line: Line?, action: Int): Line {
            val from = line?.from ?: game.ply
            return Line(from, (line?.session ?: game.shorten(from)).play(action))
        }
    }
}
