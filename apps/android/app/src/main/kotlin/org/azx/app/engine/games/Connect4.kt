/**
 * Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.
 *
 * Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right.
 */
package org.azx.app.engine.games

import org.azx.app.engine.Player
import org.azx.app.engine.Refusal

private val KIND = RowState.Kind("connect4", encodingOf("connect4"), wins = 4)

/** A position; `Connect4()` is the first one. `winner` has four in a row. */
class Connect4 private constructor(cells: ByteArray, played: Int, recent: IntArray, winner: Player?) :
    RowState(KIND, cells, played, recent, winner) {
    constructor() : this(ByteArray(CELLS), 0, IntArray(0), null)

    override val mostLegal: Int get() = COLUMNS

    override fun forEachLegal(take: (Int) -> Unit) {
        for (at in 0 until CELLS) if (isEmpty(at) && isLowest(at)) take(at)
    }

    /** Whether a cell is on the bottom or on a disc. */
    private fun isLowest(at: Int): Boolean = at >= CELLS - COLUMNS || !isEmpty(at + COLUMNS)

    override fun whyIllegal(action: Int): Refusal? {
        val found = super.whyIllegal(action)
        val isFull = found?.code == Refusal.Code.OCCUPIED && !isEmpty(action % COLUMNS)
        return when {
            isFull -> Refusal(Refusal.Code.FULL)
            found == null && !isLowest(action) -> Refusal(Refusal.Code.NOT_LOWEST)
            else -> found
        }
    }

    override fun make(cells: ByteArray, played: Int, recent: IntArray, winner: Player?) =
        Connect4(cells, played, recent, winner)

    /** The number of the column, 0 on the left. */
    override fun label(action: Int): String = (action % COLUMNS).toString()

    companion object {
        const val ROWS = 6
        const val COLUMNS = 7
        private const val CELLS = ROWS * COLUMNS
    }
}
