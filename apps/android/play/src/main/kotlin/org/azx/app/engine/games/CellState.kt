package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.State
import org.azx.app.engine.Sudden

/** A position of pieces on cells: `cells` has 0 for an empty one, 1 and 2 for a piece of player 0 and 1. Do not write to it. */
abstract class CellState internal constructor(val cells: ByteArray) : State {
    // Volatile, as a screen and a search may ask the same state.
    @Volatile
    private var legal: IntArray? = null

    /** Cells a row; on square boards cells a side. */
    val size: Int get() = board[1]

    override val actions: Int get() = cells.size

    final override fun legalActions(): IntArray = legal ?: findLegal().also { legal = it }

    /** The legal actions in ascending order; none once the game is over. */
    protected abstract fun findLegal(): IntArray

    protected fun isEmpty(at: Int): Boolean = cells[at].toInt() == EMPTY

    /** The winning cells of both sides as `sudden` has them: a piece takes its cell from the opponent, and changes no other. */
    protected fun suddenBy(wins: IntArray, theirs: IntArray): Sudden {
        val legal = legalActions()
        return Sudden(wins, IntArray(legal.size) { theirs.size - if (legal[it] in theirs) 1 else 0 })
    }

    /** The cells of what has won, ascending; none if nothing has. */
    open fun winningLine(): IntArray = longestLine().sortedArray()

    /** The longest row or a shortest chain that has won, from end to end; none if nothing has. */
    open fun longestLine(): IntArray = IntArray(0)

    /** The same game with these cells, to be looked at: no moves need lead there. A game that cannot have them stays as it is. */
    internal open fun arranged(cells: ByteArray): State = this
}
