/**
 * Reversi on boards of 4 to 10 cells a side, an even number.
 *
 * A disc is put on an empty cell so that it turns discs over: the opponent's that lie in a row between it and another
 * disc of the mover's. Who cannot turn any must pass; the game ends where neither player can, and who has more discs
 * wins. Cells are numbered row by row, row 0 on top; the last action is the pass. Black is player 0.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.illegal
import org.azx.app.engine.lastPlane
import org.azx.app.engine.mark
import org.azx.app.engine.namesOfPlanes
import org.azx.app.engine.other
import org.azx.app.engine.ownerOf
import org.azx.app.engine.refuseOutside
import org.azx.app.engine.unknownPlane

val REVERSI_SIZES: List<Int> = sizesOf("reversi")

private val USUAL_SIZE = settingOf("reversi", "size").default as Int
private val PLANES = namesOfPlanes(0) + "legal"
private val STEPS = (-1..1).flatMap { down -> (-1..1).map { down to it } } - (0 to 0)

/** What all positions of one size share: by cell the cells in each of the eight directions, the nearest first. */
internal class Discs(private val size: Int) {
    val encoding = encodingOf("reversi", size, size)
    private val rays = Array(size * size) { at -> raysOf(at) }

    /** In the next cell alone there is nothing between two discs. */
    private fun raysOf(at: Int): Array<IntArray> =
        STEPS.map { (down, right) -> rayFrom(at, size, down, right) }.filter { it.size > 1 }.toTypedArray()

    /** The cells on which a disc of `player` turns some over, ascending. */
    fun moves(cells: ByteArray, player: Player): IntArray {
        val found = IntArray(cells.size)
        var count = 0
        for (at in cells.indices) {
            if (cells[at].toInt() == EMPTY && turnsAny(cells, at, player)) found[count++] = at
        }
        return found.copyOf(count)
    }

    private fun turnsAny(cells: ByteArray, at: Int, player: Player): Boolean {
        for (ray in rays[at]) if (countTurned(ray, cells, player) > 0) return true
        return false
    }

    /** How many discs at the beginning of a ray a disc of `player` before it turns over. */
    private fun countTurned(ray: IntArray, cells: ByteArray, player: Player): Int {
        // Two values and no pair: a search asks this very often, and allocates nothing for it.
        val own = mark(player)
        val theirs = mark(other(player))
        for (count in ray.indices) {
            val disc = cells[ray[count]].toInt()
            if (disc == own) return count
            if (disc != theirs) return 0
        }
        return 0
    }

    /** The board after a disc of `player` on the cell `at`. */
    fun withDisc(cells: ByteArray, at: Int, player: Player): ByteArray {
        val after = cells.copyOf()
        after[at] = mark(player).toByte()
        for (ray in rays[at]) {
            for (place in 0 until countTurned(ray, cells, player)) after[ray[place]] = mark(player).toByte()
        }
        return after
    }
}

private val KINDS: Map<Int, Discs> = REVERSI_SIZES.associateWith { Discs(it) }

/** Four discs in the middle, white's on d4 and e5 of 8 x 8, black to move; GameError if the size is not played. */
fun startReversi(size: Int = USUAL_SIZE): Reversi {
    val kind = KINDS[size]
        ?: throw GameError("reversi: size $size is not played, choose one of ${REVERSI_SIZES.joinToString(", ")}.")
    val cells = ByteArray(size * size)
    val (low, high) = size / 2 - 1 to size / 2
    for (at in listOf(low * size + high, high * size + low)) cells[at] = mark(0).toByte()
    for (at in listOf(low * size + low, high * size + high)) cells[at] = mark(1).toByte()
    return Reversi(kind, cells, 0, kind.moves(cells, 0), isTerminal = false, lastAction = null)
}

/**
 * A position; `startReversi` makes the first one. `moves` are the cells on which the player to move may put a disc (do not
 * write to it); without them the player must pass, or the game is over.
 */
class Reversi internal constructor(
    internal val kind: Discs,
    cells: ByteArray,
    override val toMove: Player,
    val moves: IntArray,
    override val isTerminal: Boolean,
    override val lastAction: Int?,
) : CellState(cells) {
    override val pass: Int get() = cells.size

    /** Whether the player to move can turn no disc while the opponent can. */
    override val mustPass: Boolean get() = moves.isEmpty() && !isTerminal
    override val actions: Int get() = cells.size + 1
    override val encoding: Encoding get() = kind.encoding

    override val scores: IntArray get() = IntArray(2) { player -> cells.count { it.toInt() == mark(player) } }

    /** The discs by which black leads. */
    fun score(): Int = scores.let { (black, white) -> black - white }

    override fun findLegal(): IntArray = if (mustPass) intArrayOf(pass) else moves

    override fun whyIllegal(action: Int): Refusal? = refuseOutside(action) ?: when {
        action == pass -> if (mustPass) null else Refusal(Refusal.Code.NO_PASS)
        !isEmpty(action) -> Refusal(Refusal.Code.OCCUPIED)
        else -> if (action in moves) null else Refusal(Refusal.Code.TURNS_NOTHING)
    }

    override fun apply(action: Int): Reversi {
        if (whyIllegal(action) != null) throw illegal("reversi", action, legalActions())
        val next = if (action == pass) cells else kind.withDisc(cells, action, toMove)
        val answers = kind.moves(next, other(toMove))
        val isOver = answers.isEmpty() && kind.moves(next, toMove).isEmpty()
        return Reversi(kind, next, other(toMove), answers, isOver, action)
    }

    override fun returns(): Int = if (isTerminal) score().compareTo(0) else 0

    /** "legal" is 1 where the player to move may put a disc. */
    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane("reversi", name, PLANES)
        if (name == "last") return lastPlane(cells.size, lastAction)
        if (name != "legal") return piecesOf(cells, ownerOf(name, toMove))
        return FloatArray(cells.size).also { plane -> for (at in moves) plane[at] = 1f }
    }

    /** The cell's column as a letter and its row counted from the top, D3; or `pass`. */
    override fun label(action: Int): String {
        if (action !in 0 until actions) {
            throw GameError("reversi: action $action is none of this board, choose 0 to ${actions - 1}.")
        }
        return if (action == pass) "pass" else nameOfCell(action, size, 'A')
    }
}
