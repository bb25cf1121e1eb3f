/** Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right. */
package org.azx.app.engine.games

import org.azx.app.engine.Player

private val KIND = RowState.Kind("tictactoe", encodingOf("tictactoe"), wins = TicTacToe.SIDE)

/** A position; `TicTacToe()` is the first one. `winner` has three in a row. */
class TicTacToe private constructor(cells: ByteArray, played: Int, recent: IntArray, winner: Player?) :
    RowState(KIND, cells, played, recent, winner) {
    constructor() : this(ByteArray(SIDE * SIDE), 0, IntArray(0), null)

    override fun forEachLegal(take: (Int) -> Unit) {
        for (at in cells.indices) if (isEmpty(at)) take(at)
    }

    override fun make(cells: ByteArray, played: Int, recent: IntArray, winner: Player?) =
        TicTacToe(cells, played, recent, winner)

    /** The cell's number. */
    override fun label(action: Int): String = action.toString()

    companion object {
        const val SIDE = 3
    }
}
