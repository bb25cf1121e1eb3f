/**
 * Hex on 3 by 3 to 13 by 13 cells: who joins their two sides of the rhombus with a chain of stones wins.
 *
 * Cells are numbered row by row, row 0 on top, each row half a cell further to the right than the one above it. Player 0
 * joins the top row and the bottom row, player 1 the left column and the right one. With the rule "swap" the second
 * player may take the first stone over. The action is that stone's cell; the stone becomes the second player's, on the cell
 * mirrored in the diagonal from a1.
 */
package org.azx.app.engine.games

import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.Sudden
import org.azx.app.engine.illegal
import org.azx.app.engine.lastPlane
import org.azx.app.engine.mark
import org.azx.app.engine.namesOfPlanes
import org.azx.app.engine.other
import org.azx.app.engine.ownerOf
import org.azx.app.engine.refuseOutside
import org.azx.app.engine.unknownPlane

val HEX_SIZES: List<Int> = sizesOf("hex")
val HEX_RULES: List<String> = settingOf("hex", "rule").choices.map { it as String }
val HEX_REFERENCE_SIZE: Int = settingOf("hex", "size").default as Int

private const val SWAP = "swap"
private val NONE = IntArray(0)

/** Row and column steps to the six cells that touch one. */
private val NEIGHBOURS = listOf(-1 to 0, -1 to 1, 0 to -1, 0 to 1, 1 to -1, 1 to 0)
private val PLANES = namesOfPlanes(0) + listOf("mover_joined", "opponent_joined")

/** The empty board. `size` 3 to 13, `rule` plain or swap; GameError otherwise. */
fun startHex(size: Int = HEX_REFERENCE_SIZE, rule: String = "plain"): Hex {
    if (size !in HEX_SIZES) throw GameError("hex: size $size is not possible, choose a number from 3 to 13.")
    if (rule !in HEX_RULES) throw GameError("hex: rule '$rule' is unknown, use ${HEX_RULES.joinToString(" or ")}.")
    return Hex(Hex.Kind(size, rule), ByteArray(size * size), 0, null, null)
}

/** A position; `startHex` makes the first one. `winner` has joined their sides. */
class Hex internal constructor(
    private val kind: Kind,
    cells: ByteArray,
    override val toMove: Player,
    val winner: Player?,
    override val lastAction: Int?,
) : CellState(cells) {
    /** What all positions of one game share. */
    internal class Kind(size: Int, val rule: String) {
        val encoding: Encoding = encodingOf("hex", size, size)

        /** By cell, the cells that touch it, ascending. */
        val touching: List<IntArray> = List(size * size) { cellsAround(it, size, NEIGHBOURS) }

        /** By player, the cells of the first side, which is the top or the left one, and of the second. */
        val sides: List<List<IntArray>> = listOf(
            listOf(IntArray(size) { it }, IntArray(size) { (size - 1) * size + it }),
            listOf(IntArray(size) { it * size }, IntArray(size) { it * size + size - 1 }),
        )
    }

    /** "plain" or "swap". */
    val rule: String get() = kind.rule

    override val encoding: Encoding get() = kind.encoding
    override val isTerminal: Boolean get() = winner != null

    /** Whether the player to move may take the first stone over. */
    val isSwapOpen: Boolean
        get() = kind.rule == SWAP && toMove == 1 && cells.sumOf { it.toInt() } == mark(0)

    /** The cell of the last stone; after a swap it is not the one that was played. null before the first. */
    val lastStone: Int? get() = lastAction?.let { if (isEmpty(it)) mirrored(it) else it }

    /** The cell on the other side of the diagonal from a1. */
    private fun mirrored(at: Int): Int = at % size * size + at / size

    /** The empty cells, and the first stone's if it may be taken over. */
    override fun findLegal(): IntArray {
        if (isTerminal) return NONE
        val takesOver = isSwapOpen
        return cells.indices.filter { takesOver || isEmpty(it) }.toIntArray()
    }

    override fun whyIllegal(action: Int): Refusal? = refuseOutside(action)
        ?: if (isEmpty(action) || isSwapOpen) null else Refusal(Refusal.Code.OCCUPIED)

    override fun apply(action: Int): Hex {
        if (whyIllegal(action) != null) throw illegal("hex", action, legalActions())
        if (!isEmpty(action)) {
            val taken = withPiece(ByteArray(cells.size), mirrored(action), 1)
            return Hex(kind, taken, 0, null, action)
        }
        val next = withPiece(cells, action, toMove)
        val group = joined(next, toMove, intArrayOf(action))
        val isWon = kind.sides[toMove].all { side -> side.any { group[it] } }
        return Hex(kind, next, other(toMove), if (isWon) toMove else null, action)
    }

    override fun arranged(cells: ByteArray) = Hex(kind, cells, toMove, null, null)

    override fun returns(): Int = if (winner == null) 0 else 1 - 2 * winner

    /** The cells that win for the mover, and how many the opponent has after each legal action. */
    override fun sudden(): Sudden {
        if (isTerminal) return Sudden(NONE, NONE)
        return suddenBy(winningCells(toMove), winningCells(other(toMove)))
    }

    private fun winningCells(player: Player): IntArray {
        val near = kind.sides[player].map { side ->
            val group = joined(cells, player, side)
            val found = BooleanArray(cells.size)
            for (at in side) found[at] = true
            for (at in group.indices) if (group[at]) for (one in kind.touching[at]) found[one] = true
            found
        }
        return cells.indices.filter { at -> isEmpty(at) && near.all { it[at] } }.toIntArray()
    }

    /** The stones of a player that hang together with one of the `seeds`. */
    private fun joined(cells: ByteArray, player: Player, seeds: IntArray): BooleanArray {
        val own = mark(player).toByte()
        val found = BooleanArray(cells.size)
        val waiting = ArrayDeque<Int>()
        for (at in seeds) {
            if (cells[at] == own && !found[at]) {
                found[at] = true
                waiting += at
            }
        }
        while (waiting.isNotEmpty()) {
            for (near in kind.touching[waiting.removeLast()]) {
                if (cells[near] == own && !found[near]) {
                    found[near] = true
                    waiting += near
                }
            }
        }
        return found
    }

    /** A shortest chain of the winner's stones from the first side to the second; empty if the game goes on. */
    override fun longestLine(): IntArray {
        if (winner == null) return NONE
        val (first, second) = kind.sides[winner]
        val own = mark(winner).toByte()
        val came = HashMap<Int, Int>()
        val waiting = ArrayDeque<Int>()
        for (at in first) {
            if (cells[at] == own) {
                came[at] = -1
                waiting += at
            }
        }
        while (waiting.isNotEmpty()) {
            val at = waiting.removeFirst()
            if (at in second) return backFrom(at, came)
            for (near in kind.touching[at]) {
                if (cells[near] == own && near !in came) {
                    came[near] = at
                    waiting += near
                }
            }
        }
        return NONE
    }

    private fun backFrom(last: Int, came: Map<Int, Int>): IntArray =
        generateSequence(last) { at -> came.getValue(at).takeIf { it >= 0 } }.toList().reversed().toIntArray()

    /** "mover_joined" has those of the mover's stones that hang together with one of the mover's two sides. */
    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane("hex", name, PLANES + "signed")
        if (name == "last") return lastPlane(cells.size, lastAction)
        val player = ownerOf(name.substringBefore('_'), toMove)
        if ('_' !in name) return piecesOf(cells, player)
        val group = joined(cells, player, kind.sides[player][0] + kind.sides[player][1])
        return FloatArray(cells.size) { if (group[it]) 1f else 0f }
    }

    /** The cell's column as a letter and its row counted from the top: a1 is the first. */
    override fun label(action: Int): String {
        if (action in cells.indices) return nameOfCell(action, size, 'a')
        throw GameError("hex: action $action is no cell of this board, choose 0 to ${actions - 1}.")
    }
}
