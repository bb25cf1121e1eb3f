/**
 * Dots and Boxes on n x n boxes: an action draws one edge between two neighbouring dots.
 *
 * Edges are numbered row by row, first the horizontal ones (n + 1 rows of n), then the vertical ones (n rows of n + 1). The
 * last action is the pass. Boxes are numbered row by row. Who completes a box moves again: the opponent must pass, so that
 * the players always alternate.
 */
package org.azx.app.engine.games

import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.State
import org.azx.app.engine.Sudden
import org.azx.app.engine.illegal
import org.azx.app.engine.lastPlane
import org.azx.app.engine.mark
import org.azx.app.engine.other
import org.azx.app.engine.refuseOutside
import org.azx.app.engine.unknownPlane

val DOTS_AND_BOXES_SIZES: List<Int> = sizesOf("dots_and_boxes")

private val REFERENCE_SIZE = settingOf("dots_and_boxes", "size").default as Int
private val NOTHING = IntArray(0)
private const val DRAWN: Byte = 1

/** What all positions of one size share; `sides` are above, below, left and right of each box. */
internal class Boxes(val size: Int) {
    val edges = 2 * size * (size + 1)
    val encoding = encodingOf("dots_and_boxes", 2 * size + 1, size + 1)
    val sides = Array(size * size) { box ->
        val left = size * (size + 1) + (box / size) * (size + 1) + box % size
        intArrayOf(box, box + size, left, left + 1)
    }

    /** The one or two boxes that each edge is a side of. */
    val boxesBy = Array(edges) { edge -> sides.indices.filter { edge in sides[it] }.toIntArray() }

    /** Where the plane "edges" has each edge: a row of horizontal ones leaves the last column free. */
    val cells = IntArray(edges) { if (it < size * (size + 1)) it + it / size else it + size + 1 }
}

private val BOXES: Map<Int, Boxes> = DOTS_AND_BOXES_SIZES.associateWith { Boxes(it) }

/** The empty grid of `size` x `size` boxes; GameError if the size is not 2 to 6. */
fun startDotsAndBoxes(size: Int = REFERENCE_SIZE): DotsAndBoxes {
    val grid = BOXES[size] ?: throw GameError("dots_and_boxes: size $size is not played, choose one from 2 to 6.")
    return DotsAndBoxes(grid, ByteArray(grid.edges), ByteArray(size * size), 0, 0, null, NOTHING)
}

/**
 * A position; `startDotsAndBoxes` makes the first one.
 *
 * `edges` has 1 for a drawn edge. `owners` has 0 for an open box, 1 or 2 for one of player 0 or 1. `completed` are the boxes
 * that the last action completed. Do not write to any of them. `mustPass` is true if the opponent has just completed a box
 * and moves again.
 */
class DotsAndBoxes internal constructor(
    private val grid: Boxes,
    val edges: ByteArray,
    val owners: ByteArray,
    private val drawn: Int,
    override val toMove: Player,
    override val lastAction: Int?,
    val completed: IntArray,
) : State {
    /** Boxes a side. */
    val size: Int get() = grid.size

    override val pass: Int get() = edges.size

    override val mustPass: Boolean get() = completed.isNotEmpty() && !isTerminal
    override val actions: Int get() = edges.size + 1
    override val encoding: Encoding get() = grid.encoding
    override val isTerminal: Boolean get() = drawn == edges.size

    override val scores: IntArray get() = intArrayOf(boxesOf(0), boxesOf(1))

    private fun boxesOf(player: Player): Int {
        val own = mark(player).toByte()
        var count = 0
        for (owner in owners) if (owner == own) count++
        return count
    }

    /** The four edges of each box that `edge` is a side of. */
    fun boxesBeside(edge: Int): List<IntArray> = grid.boxesBy[edge].map { grid.sides[it] }

    override fun legalActions(): IntArray {
        if (mustPass) return intArrayOf(pass)
        val found = IntArray(edges.size - drawn)
        var count = 0
        for (at in edges.indices) if (edges[at] != DRAWN) found[count++] = at
        return found
    }

    /** Nothing: boxes are counted at the end, and a search sees that as early as this could. */
    override fun sudden() = Sudden(IntArray(0), IntArray(legalActions().size))

    override fun whyIllegal(action: Int): Refusal? = refuseOutside(action) ?: when {
        action == pass -> if (mustPass) null else Refusal(Refusal.Code.NO_PASS)
        else -> if (edges[action] == DRAWN) Refusal(Refusal.Code.DRAWN) else null
    }

    override fun apply(action: Int): DotsAndBoxes {
        if (whyIllegal(action) != null) throw illegal("dots_and_boxes", action, legalActions())
        if (action == pass) return DotsAndBoxes(grid, edges, owners, drawn, other(toMove), action, NOTHING)
        val next = edges.copyOf()
        next[action] = DRAWN
        val done = findCompleted(next, action)
        return DotsAndBoxes(grid, next, ownersWith(done), drawn + 1, other(toMove), action, done)
    }

    private fun findCompleted(edges: ByteArray, action: Int): IntArray {
        var done = NOTHING
        for (box in grid.boxesBy[action]) if (isWhole(edges, box)) done += box
        return done
    }

    private fun isWhole(edges: ByteArray, box: Int): Boolean {
        for (side in grid.sides[box]) if (edges[side] != DRAWN) return false
        return true
    }

    /** Whether a box beside a free edge lacks this edge alone. */
    fun completes(edge: Int): Boolean =
        grid.boxesBy[edge].any { box -> grid.sides[box].count { edges[it] == DRAWN } == 3 }

    private fun ownersWith(boxes: IntArray): ByteArray {
        if (boxes.isEmpty()) return owners
        val next = owners.copyOf()
        for (box in boxes) next[box] = mark(toMove).toByte()
        return next
    }

    override fun returns(): Int = if (isTerminal) boxesOf(0).compareTo(boxesOf(1)) else 0

    /**
     * "edges" is 1 where an edge is drawn: the horizontal ones in the upper size + 1 rows (whose last column stays
     * zero), the vertical ones below. The last column has the number of the mover's boxes in row 0 ("mover_boxes"), the
     * opponent's in row 1 ("opponent_boxes"). Row 2 has a 1 there if the mover must pass ("must_pass").
     */
    override fun plane(name: String): FloatArray {
        val index = encoding.planes.indexOf(name)
        val cells = (2 * size + 1) * (size + 1)
        if (name == "last") return lastPlane(cells, lastCell)
        if (index < 0) throw unknownPlane("dots_and_boxes", name, encoding.planes + "last")
        val plane = FloatArray(cells)
        if (index == 0) {
            for (edge in edges.indices) plane[grid.cells[edge]] = edges[edge].toFloat()
            return plane
        }
        val number = if (name == "must_pass") (if (mustPass) 1 else 0) else boxesOf(whose(name))
        plane[index * (size + 1) - 1] = number.toFloat()
        return plane
    }

    /** Where the plane "edges" has the edge drawn last; null before the first move and after a pass. */
    private val lastCell: Int? get() = if (lastAction == null || lastAction == pass) null else grid.cells[lastAction]

    private fun whose(plane: String): Player = if (plane == "mover_boxes") toMove else other(toMove)

    /** The edge's number, or `pass`. */
    override fun label(action: Int): String = if (action == pass) "pass" else action.toString()
}
