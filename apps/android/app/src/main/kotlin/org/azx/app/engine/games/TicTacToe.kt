/** Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right. */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.Layout
import org.azx.app.engine.OCCUPIED
import org.azx.app.engine.OVER
import org.azx.app.engine.Player
import org.azx.app.engine.Reason
import org.azx.app.engine.illegal

private val GRID = Grid(TicTacToe.SIDE, TicTacToe.SIDE, wins = TicTacToe.SIDE)
private val KIND = RowState.Kind("tictactoe", GRID, TicTacToe.ENCODING)

/**
 * A position; `TicTacToe()` is the first one.
 *
 * `cells` has 0 for an empty cell, 1 and 2 for a mark of player 0 and 1 (do not write to it); `winner` has three in a
 * row.
 */
class TicTacToe private constructor(
    cells: ByteArray,
    played: Int,
    lastAction: Int?,
    winner: Player?,
) : RowState(KIND, cells, played, lastAction, winner) {
    constructor() : this(ByteArray(CELLS), 0, null, null)

    /** The empty cells, ascending; none once the game is over. */
    override fun legalActions(): IntArray {
        val found = IntArray(if (winner == null) CELLS - played else 0)
        var count = 0
        if (winner == null) for (at in 0 until CELLS) if (cells[at] == EMPTY.toByte()) found[count++] = at
        return found
    }

    override fun whyIllegal(action: Int): Reason? = when {
        isTerminal -> OVER
        action !in 0 until CELLS -> NO_CELL
        else -> if (cells[action] == EMPTY.toByte()) null else OCCUPIED
    }

    override fun apply(action: Int): TicTacToe {
        if (winner != null || action !in 0 until CELLS || cells[action] != EMPTY.toByte()) {
            throw illegal("tictactoe", action, legalActions())
        }
        val next = withPiece(cells, action, toMove)
        return TicTacToe(next, played + 1, action, if (hasRow(next, GRID, action)) toMove else null)
    }

    /** The cell's number. */
    override fun label(action: Int): String = action.toString()

    companion object {
        const val SIDE = 3
        const val CELLS = SIDE * SIDE
        val ENCODING = Encoding(Layout.FLAT, listOf(SIDE, SIDE), listOf("signed"))
    }
}
