package org.azx.app.engine.games

import org.azx.app.engine.Player
import org.azx.app.engine.State
import org.azx.app.engine.mark

/** A position with these pieces by their cells, to be looked at: no moves need lead there. */
fun State.arrange(pieces: Map<Int, Player>): State {
    val cells = ByteArray(board[0] * board[1])
    for ((at, player) in pieces) cells[at] = mark(player).toByte()
    return if (this is CellState) arranged(cells) else this
}
