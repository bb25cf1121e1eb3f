package org.azx.app.engine.games

import org.azx.app.engine.Fixtures
import org.azx.app.engine.Refusal
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters
import java.io.File

private const val SIZE = 15
private val KIND = Gomoku.Kind(SIZE, "renju", Renju(SIZE))

/** A drawing of `renju_cases.txt`: the board, the move in question, and what is to be said of it. */
private class Case(val verdict: String, val name: String, val cells: ByteArray, val move: Int)

private fun caseOf(block: String): Case {
    val (title, drawing) = block.lines().let { it.first() to it.drop(1) }
    val top = drawing.size > 1 && drawing[0].all { it == '#' }
    val left = drawing.all { it[0] == '#' }
    val rows = drawing.drop(if (top) 1 else 0).map { if (left) it.drop(1) else it }
    val down = if (top) 0 else (SIZE - rows.size) / 2
    val right = if (left) 0 else (SIZE - rows[0].length) / 2
    val board = CharArray(SIZE * SIZE) { '.' }
    for ((row, line) in rows.withIndex()) {
        for ((column, mark) in line.withIndex()) board[(down + row) * SIZE + right + column] = mark
    }
    val cells = ByteArray(board.size) { maxOf(0, ".XO".indexOf(board[it])).toByte() }
    return Case(title.substringBefore(": "), title.substringAfter(": "), cells, board.indexOf('*'))
}

/** The point that `point` becomes: mirrored where `symmetry` is 4 or more, then turned by so many quarters. */
private fun turn(point: Int, symmetry: Int): Int {
    var row = point / SIZE
    var column = if (symmetry < 4) point % SIZE else SIZE - 1 - point % SIZE
    repeat(symmetry % 4) { row = column.also { column = SIZE - 1 - row } }
    return row * SIZE + column
}

/** The drawn cases, turned and mirrored in every way. */
@RunWith(Parameterized::class)
class RenjuTest(private val symmetry: Int) {
    private fun position(case: Case): Gomoku {
        val cells = ByteArray(case.cells.size)
        for (at in cells.indices) cells[turn(at, symmetry)] = case.cells[at]
        return Gomoku(KIND, cells, 0, IntArray(0), null)
    }

    @Test
    fun `judges every drawing as it is written`() {
        for (case in CASES) {
            val state = position(case)
            val move = turn(case.move, symmetry)
            val reason = REASONS[case.verdict]?.let { Refusal(it) }
            assertEquals(case.name, reason, state.whyIllegal(move))
            assertEquals(case.name, reason, state.forbiddenPoints()[move])
            assertEquals(case.name, reason == null, move in state.legalActions())
        }
    }

    @Test
    fun `gives black the game for exactly five and for nothing else`() {
        for (case in CASES.filter { it.verdict !in REASONS }) {
            val next = position(case).apply(turn(case.move, symmetry))
            assertEquals(case.name, if (case.verdict == "five") 0 else null, next.winner)
        }
    }

    @Test
    fun `names every reason`() {
        val found = CASES.mapNotNull { position(it).whyIllegal(turn(it.move, symmetry)) }.toSet()
        assertEquals(REASONS.values.toSet(), found.map { it.code }.toSet())
    }

    @Test
    fun `forbids all other points as their turned ones`() {
        for (case in CASES) {
            val drawn = Gomoku(KIND, case.cells, 0, IntArray(0), null).forbiddenPoints()
            val expected = drawn.mapKeys { turn(it.key, symmetry) }
            assertEquals(case.name, expected, position(case).forbiddenPoints())
        }
    }

    companion object {
        private val REASONS = mapOf(
            "overline" to Refusal.Code.OVERLINE,
            "double four" to Refusal.Code.DOUBLE_FOUR,
            "double three" to Refusal.Code.DOUBLE_THREE,
        )
        private val CASES = File(Fixtures.root, "tests/games/rules/renju_cases.txt").readText().trim()
            .split("\n\n").drop(1).map(::caseOf)
            .also { cases -> assertTrue("there are too few cases", cases.size > 90) }

        @JvmStatic
        @Parameters(name = "symmetry {0}")
        fun symmetries(): List<Array<Int>> = (0..7).map { arrayOf(it) }
    }
}
