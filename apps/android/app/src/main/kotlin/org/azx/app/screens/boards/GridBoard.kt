/** What the boards of cells share, of which each is an action: all but those of Connect4 and of Dots and Boxes. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.RectF
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.games.CellState
import org.azx.app.engine.mark
import kotlin.math.floor

/** A spot is a cell, numbered row by row; `size` is the number of cells a side. */
abstract class GridBoard(context: Context, protected val size: Int) : BoardView(context) {
    override val spots = size * size
    override val ratio get() = 1f

    override val pitch: Float get() = cell

    protected open fun centreX(at: Int) = left + (at % size + 0.5f) * cell

    protected open fun centreY(at: Int) = top + (at / size + 0.5f) * cell

    /** The pieces of the position shown, one a cell. */
    protected val cells: ByteArray get() = (shown?.state as? CellState)?.cells ?: ByteArray(spots)

    /** What a person calls a cell. */
    protected open fun placeName(at: Int): String = shown?.state?.label(at).orEmpty()

    /** What a person calls a piece of player 0 (1) or player 1 (2). */
    protected abstract fun pieceName(piece: Int): String

    /** Why an empty cell is forbidden; null if it is not. */
    protected open fun whyForbidden(at: Int): String? = null

    override fun spotAt(x: Float, y: Float): Int {
        val (column, row) = floor((x - left) / cell).toInt() to floor((y - top) / cell).toInt()
        return if (row in 0 until size && column in 0 until size) row * size + column else NONE
    }

    override fun boundsOf(spot: Int, into: RectF) {
        val (x, y) = left + spot % size * cell to top + spot / size * cell
        into.set(x, y, x + cell, y + cell)
    }

    override fun actionOf(spot: Int): Int = spot

    override fun describe(spot: Int): String {
        val shown = shown ?: return ""
        val isDead = shown.counted?.dead?.contains(spot) == true
        val dead = if (isDead) say(R.string.board_dead) else null
        return sentence(spot, placeName(spot), contentOf(spot), dead, remark(spot, shown))
    }

    /** What else is said of a cell: that it was played last. */
    protected open fun remark(spot: Int, shown: Shown): String? =
        if (spot == shown.last) say(R.string.board_last) else null

    private fun contentOf(spot: Int): String {
        val piece = cells[spot].toInt()
        if (piece != EMPTY) return pieceName(piece)
        return whyForbidden(spot) ?: say(R.string.board_empty)
    }

    override fun announce(action: Int): String? {
        val state = shown?.state?.takeIf { action in 0 until spots } ?: return null
        return say(R.string.board_move, pieceName(mark(1 - state.toMove)), placeName(action))
    }
}
