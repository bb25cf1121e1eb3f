/** The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly. */
package org.azx.app.engine.games

import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.number
import org.azx.app.engine.other

/** With more open edges than this a position is not solved: of twenty there are a million sets. */
private val MOST_OPEN: Int = THRESHOLDS.number("solved_edges").toInt()

/** How the game ends; null with more than `MOST_OPEN` open edges. */
fun solveEnd(state: DotsAndBoxes): Solved? {
    val edges = state.edges.indices.filter { state.edges[it].toInt() == 0 }
    if (edges.size > MOST_OPEN) return null
    val scores = state.scores
    val lead = scores[state.toMove] - scores[other(state.toMove)]
    val leads = Leads(edges.map { edge -> state.boxesBeside(edge).map { setOf(edges, it) }.toIntArray() })
    if (state.mustPass) return Solved(lead - leads.whole, state.legalActions().toList())
    return Solved(lead + leads.whole, edges.indices.filter { leads.play(it) == leads.whole }.map { edges[it] })
}

/** Those of a box's `sides` that are among the open `edges`, as a set of their places there. */
private fun setOf(edges: List<Int>, sides: IntArray): Int =
    sides.map { edges.indexOf(it) }.filter { it >= 0 }.fold(0) { set, at -> set or (1 shl at) }

/** By each set of the open edges the boxes by which who moves there gets ahead; `boxes` are those beside each edge. */
private class Leads(private val boxes: List<IntArray>) {
    private val leads = ByteArray(1 shl boxes.size)

    init {
        for (left in 1 until leads.size) {
            var best = Int.MIN_VALUE
            for (at in boxes.indices) if (left shr at and 1 == 1) best = maxOf(best, play(at, left))
            leads[left] = best.toByte()
        }
    }

    /** With all of the edges open. */
    val whole: Int get() = leads.last().toInt()

    /** By how many boxes who plays edge `at` of those that are `left` gets ahead; who completes one moves again. */
    fun play(at: Int, left: Int = leads.size - 1): Int {
        val rest = left xor (1 shl at)
        var completed = 0
        for (box in boxes[at]) if (box and rest == 0) completed++
        return if (completed > 0) completed + leads[rest] else -leads[rest]
    }
}
