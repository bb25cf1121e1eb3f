/**
 * Connect4 on 4 to 10 rows by 4 to 10 columns: an action is the cell a disc lands on.
 *
 * Cells are numbered row by row, row 0 on top: 0 is top left, the last one bottom right.
 */
package org.azx.app.engine.games

import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal

val CONNECT4_ROWS: Int = settingOf("connect4", "rows").default as Int
val CONNECT4_COLUMNS: Int = settingOf("connect4", "columns").default as Int

private val NONE = IntArray(0)

// Made when first needed; they are for all games on a board.
private val KINDS = GAMES.getValue("connect4").shapes.associate { shape ->
    val board = shape.board
    board to lazy { RowState.Kind("connect4", encodingOf("connect4", board[0], board[1]), wins = 4) }
}

/** The empty board; GameError if this number of rows and columns is not played. */
fun startConnect4(rows: Int = CONNECT4_ROWS, columns: Int = CONNECT4_COLUMNS): Connect4 {
    val kind = KINDS[listOf(rows, columns)]?.value
        ?: throw GameError("connect4: $rows rows of $columns are not played, choose numbers from 4 to 10.")
    return Connect4(kind, ByteArray(rows * columns), 0, NONE, null)
}

/** A position; `startConnect4` makes the first one. `winner` has four in a row. */
class Connect4 internal constructor(
    private val kind: Kind,
    cells: ByteArray,
    played: Int,
    recent: IntArray,
    winner: Player?,
) : RowState(kind, cells, played, recent, winner) {
    val columns: Int get() = kind.grid.columns

    override val mostLegal: Int get() = columns

    override fun forEachLegal(take: (Int) -> Unit) {
        for (at in cells.indices) if (isEmpty(at) && isLowest(at)) take(at)
    }

    /** Whether a cell is on the bottom or on a disc. */
    private fun isLowest(at: Int): Boolean = at >= cells.size - columns || !isEmpty(at + columns)

    override fun whyIllegal(action: Int): Refusal? {
        val found = super.whyIllegal(action)
        val isFull = found?.code == Refusal.Code.OCCUPIED && !isEmpty(action % columns)
        return when {
            isFull -> Refusal(Refusal.Code.FULL)
            found == null && !isLowest(action) -> Refusal(Refusal.Code.NOT_LOWEST)
            else -> found
        }
    }

    override fun make(cells: ByteArray, played: Int, recent: IntArray, winner: Player?) =
        Connect4(kind, cells, played, recent, winner)

    /** The number of the column, 0 on the left. */
    override fun label(action: Int): String = (action % columns).toString()
}
