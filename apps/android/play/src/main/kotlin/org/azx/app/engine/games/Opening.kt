/**
 * Openings of Connect4 on 6 rows by 7 columns, solved: who wins if both play perfectly.
 *
 * games/data/connect4_openings.json has the outcome of every position with at most `most_discs` discs, mirror images
 * counted once, in the order of `listOpenings`.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Player
import org.azx.app.engine.mark
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import org.azx.app.engine.readTable

// Read when first needed.
private val TABLE: Map<String, Any?> by lazy { membersOf(readTable("connect4_openings")) }

// A position with more discs is not in the table. No game ends before the last of them is played.
private val MOST_DISCS: Int by lazy { TABLE.number("most_discs").toInt() }

// A column is a 1, then from the bottom up a bit for each disc, 1 for player 1's; a position has 7 bits a column.
private const val BITS = 7
private const val FULL = 1L shl 6
private const val COLUMN = (1L shl BITS) - 1

// Three outcomes stand in a letter, as digits to the base 3: a loss for who moves, a draw, a win.
private const val PACKED = 3
private const val FIRST_LETTER = 'A'

private val OUTCOMES: Map<Long, Int> by lazy {
    val digits = (TABLE.getValue("outcomes") as String).asSequence().flatMap { letter ->
        generateSequence(letter - FIRST_LETTER) { it / PACKED }.take(PACKED).map { it % PACKED }
    }
    listOpenings().zip(digits.asIterable()).associate { (opening, digit) -> opening to digit - 1 }
}

/** The `outcome` for the player to move if both play perfectly: 1, 0 or -1. The actions `kept` keep it, ascending. */
class Opening(val outcome: Int, val kept: List<Int>)

/** How the game ends; null on another board, and where the table lacks the positions after the moves. */
fun solveOpening(state: Connect4): Opening? {
    if (state.columns != CONNECT4_COLUMNS || state.actions != CONNECT4_ROWS * CONNECT4_COLUMNS) return null
    if (state.played >= MOST_DISCS) return null
    val outcome = outcomeOf(state)
    return Opening(outcome, state.legalActions().filter { outcomeOf(state.apply(it) as Connect4) == -outcome })
}

private fun outcomeOf(state: Connect4): Int {
    val columns = LongArray(state.columns) { 1 }
    for (at in state.cells.indices.reversed()) {
        val mark = state.cells[at].toInt()
        if (mark != EMPTY) columns[at % state.columns] = 2 * columns[at % state.columns] + if (mark == mark(1)) 1 else 0
    }
    return OUTCOMES.getValue(asOne(columns))
}

/** Every position of the table: by the number of discs, then as they first come up, columns from left to right. */
private fun listOpenings(): List<Long> {
    val levels = mutableListOf(listOf(asOne(LongArray(CONNECT4_COLUMNS) { 1 })))
    for (played in 0 until MOST_DISCS) {
        val after = LinkedHashSet<Long>()
        levels.last().forEach { addMoves(it, played and 1, after) }
        levels += after.toList()
    }
    return levels.flatten()
}

/** Add the positions to which a disc of a player leads, columns from left to right. */
private fun addMoves(opening: Long, player: Player, found: MutableSet<Long>) {
    val columns = LongArray(CONNECT4_COLUMNS) { opening shr BITS * (CONNECT4_COLUMNS - 1 - it) and COLUMN }
    for (at in columns.indices) {
        if (columns[at] < FULL) found += asOne(columns.copyOf().also { it[at] = 2 * it[at] + player })
    }
}

/** A position and its mirror image as one number, the lower of the two. */
private fun asOne(columns: LongArray): Long = minOf(
    columns.fold(0L) { number, column -> number shl BITS or column },
    columns.foldRight(0L) { column, number -> number shl BITS or column },
)
