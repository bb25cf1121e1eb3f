/** The end of a game of Reversi, solved: by how many discs the player to move wins if both play perfectly. */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Player
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.mark
import org.azx.app.engine.number
import org.azx.app.engine.other

/** With more empty cells than this a position is not solved. */
private val MOST_EMPTY: Int = THRESHOLDS.number("solved_cells").toInt()

/** More discs than a board has. */
private const val BEYOND = 1_000

/** How the game ends; null with more than `MOST_EMPTY` empty cells while it goes on. */
fun solveEnd(state: Reversi): Solved? {
    val (kind, cells, mover) = Triple(state.kind, state.cells, state.toMove)
    if (!state.isTerminal && cells.count { it.toInt() == EMPTY } > MOST_EMPTY) return null
    if (state.moves.isEmpty()) {
        return Solved(leadOf(kind, cells, mover, -BEYOND, BEYOND), state.legalActions().toList())
    }
    var margin = -BEYOND
    val best = mutableListOf<Int>()
    for (at in state.moves) {
        // From one below the best on, so that a move that is as good is known to be.
        val lead = -leadOf(kind, kind.withDisc(cells, at, mover), other(mover), -BEYOND, 1 - margin)
        if (lead > margin) best.clear()
        margin = maxOf(margin, lead)
        if (lead == margin) best += at
    }
    return Solved(margin, best)
}

/** The margin for `player`, who is to move: exact between `low` and `high`, else a bound. */
private fun leadOf(kind: Discs, cells: ByteArray, player: Player, low: Int, high: Int): Int {
    val moves = kind.moves(cells, player)
    if (moves.isEmpty()) {
        val isOver = kind.moves(cells, other(player)).isEmpty()
        return if (isOver) leadNow(cells, player) else -leadOf(kind, cells, other(player), -high, -low)
    }
    var best = -BEYOND
    for (at in moves) {
        val after = kind.withDisc(cells, at, player)
        best = maxOf(best, -leadOf(kind, after, other(player), -high, -maxOf(low, best)))
        if (best >= high) break
    }
    return best
}

private fun leadNow(cells: ByteArray, player: Player): Int =
    cells.count { it.toInt() == mark(player) } - cells.count { it.toInt() == mark(other(player)) }
