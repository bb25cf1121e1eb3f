/**
 * Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.
 *
 * Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Layout
import org.azx.app.engine.OCCUPIED
import org.azx.app.engine.OVER
import org.azx.app.engine.Player
import org.azx.app.engine.Reason
import org.azx.app.engine.illegal

private val GRID = Grid(Connect4.ROWS, Connect4.COLUMNS, wins = 4)
private val KIND = RowState.Kind("connect4", GRID, Connect4.ENCODING)
private val NOT_LOWEST = Reason(Reason.Kind.NOT_LOWEST, "a disc falls to the lowest empty cell of its column")

/**
 * A position; `Connect4()` is the first one.
 *
 * `cells` has 0 for an empty cell, 1 and 2 for a disc of player 0 and 1 (do not write to it); `winner` has four in a
 * row.
 */
class Connect4 private constructor(
    cells: ByteArray,
    played: Int,
    lastAction: Int?,
    winner: Player?,
) : RowState(KIND, cells, played, lastAction, winner) {
    constructor() : this(ByteArray(CELLS), 0, null, null)

    /** The lowest empty cell of each column that has one, ascending; none once the game is over. */
    override fun legalActions(): IntArray {
        val found = IntArray(COLUMNS)
        var count = 0
        if (winner == null) for (at in 0 until CELLS) if (isOpen(at)) found[count++] = at
        return found.copyOf(count)
    }

    /** Whether a cell is empty, and is on the bottom or on a disc. */
    private fun isOpen(at: Int): Boolean =
        cells[at] == EMPTY.toByte() && (at >= CELLS - COLUMNS || cells[at + COLUMNS] != EMPTY.toByte())

    /** The cell a disc dropped into `column` (0 on the left) lands on; GameError where it cannot. */
    fun landing(column: Int): Int {
        val legal = legalActions()
        for (action in legal) if (action % COLUMNS == column) return action
        val columns = legal.map { it % COLUMNS }.sorted()
        val instead = if (columns.isEmpty()) OVER.words else "choose column ${columns.joinToString(", ")}"
        throw GameError("connect4: no disc can be dropped into column $column, $instead.")
    }

    override fun whyIllegal(action: Int): Reason? = when {
        isTerminal -> OVER
        action !in 0 until CELLS -> NO_CELL
        cells[action] != EMPTY.toByte() -> OCCUPIED
        else -> if (isOpen(action)) null else NOT_LOWEST
    }

    override fun apply(action: Int): Connect4 {
        if (winner != null || action !in 0 until CELLS || !isOpen(action)) {
            throw illegal("connect4", action, legalActions())
        }
        val next = withPiece(cells, action, toMove)
        // Nobody has four discs before the seventh ply.
        val won = played > 5 && hasRow(next, GRID, action)
        return Connect4(next, played + 1, action, if (won) toMove else null)
    }

    /** The number of the column, 0 on the left. */
    override fun label(action: Int): String = (action % COLUMNS).toString()

    companion object {
        const val ROWS = 6
        const val COLUMNS = 7
        const val CELLS = ROWS * COLUMNS
        val ENCODING = Encoding(Layout.CHANNELS_FIRST, listOf(ROWS, COLUMNS), listOf("mover", "opponent"))
    }
}
