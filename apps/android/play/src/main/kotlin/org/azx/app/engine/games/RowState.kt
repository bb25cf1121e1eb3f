/** What the games share whose pieces never move, and in which a row of some length wins. */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.State
import org.azx.app.engine.illegal
import org.azx.app.engine.lastPlane
import org.azx.app.engine.namesOfPlanes
import org.azx.app.engine.ownerOf
import org.azx.app.engine.refuseOutside
import org.azx.app.engine.unknownPlane

/**
 * A position whose action is the cell of a new piece. `played` counts the moves, `recent` are the last ones, newest first;
 * `winner` is who has won.
 */
abstract class RowState internal constructor(
    private val kind: Kind,
    cells: ByteArray,
    val played: Int,
    protected val recent: IntArray,
    val winner: Player?,
) : CellState(cells) {
    /** What all positions of one game share; its planes show the board up to `history` plies ago. */
    internal open class Kind(val name: String, val encoding: Encoding, wins: Int, val history: Int = 0) {
        val grid = Grid(encoding.board[0], encoding.board[1], wins)
        val planes = namesOfPlanes(history)
    }

    override val encoding: Encoding get() = kind.encoding
    override val toMove: Player get() = played and 1
    override val isTerminal: Boolean get() = winner != null || played == cells.size
    override val lastAction: Int? get() = recent.firstOrNull()

    /** How many actions may be legal. */
    protected open val mostLegal: Int get() = cells.size - played

    override fun findLegal(): IntArray {
        val found = IntArray(if (isTerminal) 0 else mostLegal)
        var count = 0
        if (!isTerminal) forEachLegal { found[count++] = it }
        return if (count == found.size) found else found.copyOf(count)
    }

    /** Call `take` with each legal action of a game that is not over, ascending. */
    protected abstract fun forEachLegal(take: (Int) -> Unit)

    override fun whyIllegal(action: Int): Refusal? =
        refuseOutside(action) ?: if (isEmpty(action)) null else Refusal(Refusal.Code.OCCUPIED)

    override fun apply(action: Int): State {
        if (whyIllegal(action) != null) throw illegal(kind.name, action, legalActions())
        val next = withPiece(cells, action, toMove)
        val last = IntArray(minOf(maxOf(1, kind.history), recent.size + 1)) { if (it == 0) action else recent[it - 1] }
        return make(next, played + 1, last, winnerOf(next, action))
    }

    /** The position of the same game with these pieces, moves and winner. */
    protected abstract fun make(cells: ByteArray, played: Int, recent: IntArray, winner: Player?): State

    /** Who has won with the piece at `action` in the cells `next`; null if the game goes on. */
    protected open fun winnerOf(next: ByteArray, action: Int): Player? =
        if (hasRow(next, kind.grid, action)) toMove else null

    override fun returns(): Int = if (winner == null) 0 else 1 - 2 * winner

    override fun arranged(cells: ByteArray): State = make(cells, cells.count { it.toInt() != EMPTY }, IntArray(0), null)

    private fun rows(): List<IntArray> =
        if (winner == null || recent.isEmpty()) emptyList() else winningRows(cells, kind.grid, recent[0])

    /** The cells of all rows that have won. */
    override fun winningLine(): IntArray = rows().flatMap { it.asList() }.toSortedSet().toIntArray()

    /** From the left or upper end to the other. */
    override fun longestLine(): IntArray = rows().maxByOrNull { it.size } ?: IntArray(0)

    /** "mover@2" are the pieces that the player who moves now had two plies ago. */
    override fun plane(name: String): FloatArray {
        if (name !in kind.planes) throw unknownPlane(kind.name, name, kind.planes + "signed")
        if (name == "last") return lastPlane(cells.size, lastAction)
        val plane = piecesOf(cells, ownerOf(name.substringBefore('@'), toMove))
        val ago = name.substringAfter('@', "0").toInt()
        for (move in 0 until minOf(ago, recent.size)) plane[recent[move]] = 0f
        return plane
    }
}
