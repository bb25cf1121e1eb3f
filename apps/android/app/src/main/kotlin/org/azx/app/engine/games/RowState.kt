/** What the games share in which pieces stay where they were put, and so many in a row win. */
package org.azx.app.engine.games

import org.azx.app.engine.Encoding
import org.azx.app.engine.PIECES
import org.azx.app.engine.Player
import org.azx.app.engine.Reason
import org.azx.app.engine.State
import org.azx.app.engine.encode
import org.azx.app.engine.lastPlane
import org.azx.app.engine.ownerOf
import org.azx.app.engine.resultOf
import org.azx.app.engine.unknownPlane

// The planes that every such game draws.
private val PLANES = PIECES + "last"
internal val NO_CELL = Reason(Reason.Kind.NO_SUCH_ACTION, "no cell of the board")

/**
 * A position whose action is the cell of a new piece.
 *
 * `cells` has 0 for an empty cell, 1 and 2 for a piece of player 0 and 1 (do not write to it); `winner` has enough in
 * a row.
 */
abstract class RowState internal constructor(
    private val kind: Kind,
    val cells: ByteArray,
    val played: Int,
    final override val lastAction: Int?,
    val winner: Player?,
) : State {
    /** What all positions of one game share. */
    internal class Kind(val name: String, val grid: Grid, val encoding: Encoding)

    override val actions: Int get() = cells.size
    override val board: List<Int> get() = kind.encoding.board
    override val encoding: Encoding get() = kind.encoding
    override val toMove: Player get() = played and 1
    override val isTerminal: Boolean get() = winner != null || played == cells.size

    override fun returns(): Int = resultOf(winner)

    /** The cells in a row that have won, ascending; none where nobody has. */
    fun winningLine(): IntArray =
        if (winner == null || lastAction == null) IntArray(0) else winningRow(cells, kind.grid, lastAction)

    /** The longest row that has won, from its left or upper end to the other; none where nobody has won. */
    fun longestLine(): IntArray =
        if (winner == null || lastAction == null) IntArray(0) else longestRow(cells, kind.grid, lastAction)

    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane(kind.name, name, PLANES + "signed")
        return if (name == "last") lastPlane(cells.size, lastAction) else piecesOf(cells, ownerOf(name, toMove))
    }

    override fun encode(into: FloatArray) = encode(this, kind.encoding, into)
}
