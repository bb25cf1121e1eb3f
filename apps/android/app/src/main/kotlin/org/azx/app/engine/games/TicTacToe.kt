/** Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right. */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.Layout
import org.azx.app.engine.OCCUPIED
import org.azx.app.engine.OVER
import org.azx.app.engine.Player
import org.azx.app.engine.Reason
import org.azx.app.engine.State
import org.azx.app.engine.encode
import org.azx.app.engine.illegal
import org.azx.app.engine.other
import org.azx.app.engine.resultOf
import org.azx.app.engine.unknownPlane

private val PLANES = listOf("mover", "opponent")
private val GRID = Grid(TicTacToe.SIDE, TicTacToe.SIDE, wins = TicTacToe.SIDE)
private val NO_CELL = Reason(Reason.Kind.NO_SUCH_ACTION, "no cell of the board")

/**
 * A position; `TicTacToe()` is the first one.
 *
 * `cells` has 0 for an empty cell, 1 and 2 for a mark of player 0 and 1 (do not write to it); `winner` has three in a
 * row.
 */
class TicTacToe private constructor(
    val cells: ByteArray,
    val played: Int,
    override val lastAction: Int?,
    val winner: Player?,
) : State {
    constructor() : this(ByteArray(CELLS), 0, null, null)

    override val actions: Int get() = CELLS
    override val board: List<Int> get() = ENCODING.board
    override val encoding: Encoding get() = ENCODING
    override val toMove: Player get() = played and 1
    override val isTerminal: Boolean get() = winner != null || played == CELLS

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

    override fun returns(): Int = resultOf(winner)

    /** The cells in a row that have won, ascending; none where nobody has. */
    fun winningLine(): IntArray =
        if (winner == null || lastAction == null) IntArray(0) else winningRow(cells, GRID, lastAction)

    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane("tictactoe", name, PLANES + "signed")
        return piecesOf(cells, if (name == "mover") toMove else other(toMove))
    }

    override fun encode(into: FloatArray) = encode(this, ENCODING, into)

    /** The cell's number. */
    override fun label(action: Int): String = action.toString()

    companion object {
        const val SIDE = 3
        const val CELLS = SIDE * SIDE
        val ENCODING = Encoding(Layout.FLAT, listOf(SIDE, SIDE), listOf("signed"))
    }
}
