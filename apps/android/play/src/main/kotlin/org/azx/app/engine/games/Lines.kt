/** Pieces on a board of rows and columns: rows of equal pieces, and planes. */
package org.azx.app.engine.games

import org.azx.app.engine.Player
import org.azx.app.engine.mark

// Rows down and columns right of the four lines through a cell.
internal val DOWN = intArrayOf(0, 1, 1, 1)
internal val RIGHT = intArrayOf(1, 0, 1, -1)

/** The size of a board, and how many pieces in a row win on it. */
class Grid(val rows: Int, val columns: Int, val wins: Int)

/** How many cells from `at` (not counted) on in one direction hold what `at` holds. */
private fun reach(cells: ByteArray, grid: Grid, at: Int, down: Int, right: Int): Int {
    var row = at / grid.columns + down
    var column = at % grid.columns + right
    var count = 0
    while (row >= 0 && row < grid.rows && column >= 0 && column < grid.columns) {
        if (cells[row * grid.columns + column] != cells[at]) break
        count++
        row += down
        column += right
    }
    return count
}

/** Whether the piece at `at` is part of a row that wins. */
fun hasRow(cells: ByteArray, grid: Grid, at: Int): Boolean {
    for (line in DOWN.indices) {
        val behind = reach(cells, grid, at, -DOWN[line], -RIGHT[line])
        if (behind + 1 + reach(cells, grid, at, DOWN[line], RIGHT[line]) >= grid.wins) return true
    }
    return false
}

/** The winning rows through `at`, each from its left or upper end to the other. */
fun winningRows(cells: ByteArray, grid: Grid, at: Int): List<IntArray> = DOWN.indices.map { line ->
    val behind = reach(cells, grid, at, -DOWN[line], -RIGHT[line])
    val length = behind + 1 + reach(cells, grid, at, DOWN[line], RIGHT[line])
    IntArray(length) { at + (it - behind) * (DOWN[line] * grid.columns + RIGHT[line]) }
}.filter { it.size >= grid.wins }

/** The cell that lies these steps from `at` on a square board; null beyond the edge. */
private fun cellAt(at: Int, size: Int, down: Int, right: Int): Int? {
    val (row, column) = at / size + down to at % size + right
    return if (row in 0 until size && column in 0 until size) row * size + column else null
}

/** The cells of a square board that lie these `steps`, down and right, from `at`; none beyond the edge. */
internal fun cellsAround(at: Int, size: Int, steps: List<Pair<Int, Int>>): IntArray =
    steps.mapNotNull { (down, right) -> cellAt(at, size, down, right) }.toIntArray()

/** The cells of a square board from the next one after `at` to the edge. */
internal fun rayFrom(at: Int, size: Int, down: Int, right: Int): IntArray =
    generateSequence(cellAt(at, size, down, right)) { cellAt(it, size, down, right) }.toList().toIntArray()

/** What people call a cell: the letter of its column from `first` on, and the row's number from above or from below. */
internal fun nameOfCell(at: Int, size: Int, first: Char, fromBelow: Boolean = false): String =
    "${first + at % size}${if (fromBelow) size - at / size else at / size + 1}"

/** 1 at the pieces of a player. */
fun piecesOf(cells: ByteArray, player: Player): FloatArray {
    val plane = FloatArray(cells.size)
    val own = mark(player).toByte()
    for (at in cells.indices) if (cells[at] == own) plane[at] = 1f
    return plane
}

/** `cells` with one more piece. */
fun withPiece(cells: ByteArray, at: Int, player: Player): ByteArray {
    val next = cells.copyOf()
    next[at] = mark(player).toByte()
    return next
}
