package org.azx.app.engine.games

import org.azx.app.engine.Player
import org.azx.app.engine.State
import org.azx.app.engine.mark

/** The board of a position with these pieces by their cells, to be looked at: whether moves lead there is not asked. */
fun State.arrange(pieces: Map<Int, Player>): State {
    val cells = ByteArray(board[0] * board[1])
    for ((at, player) in pieces) cells[at] = mark(player).toByte()
    return when (this) {
        is RowState -> arranged(cells)
        is Hex -> arranged(cells)
        is Go -> arranged(cells)
        else -> this
    }
}
