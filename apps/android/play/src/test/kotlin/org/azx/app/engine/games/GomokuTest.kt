package org.azx.app.engine.games

import org.azx.app.engine.Refusal
import org.azx.app.engine.assertRefused
import org.azx.app.engine.encode
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

private const val H8 = 7 * 15 + 7

class GomokuTest {
    private fun Gomoku.play(vararg points: Int): Gomoku = points.fold(this) { state, point -> state.apply(point) }

    /** Black's stones by their labels, white's on points that change nothing. */
    private fun stones(rule: String, vararg black: String): Gomoku {
        var state = startGomoku(15, rule)
        for ((turn, label) in black.withIndex()) {
            state = state.play((0 until 225).first { state.label(it) == label }, 2 * turn)
        }
        return state
    }

    private fun assertForbidden(code: Refusal.Code, vararg black: String) {
        val state = stones("renju", *black)
        val reason = Refusal(code)
        assertEquals(reason, state.whyIllegal(H8))
        assertEquals(reason, state.forbiddenPoints()[H8])
        assertFalse(H8 in state.legalActions())
        assertRefused("gomoku: action 112 is illegal here, choose action 1, 3, 5") { state.apply(H8) }
        val free = stones("freestyle", *black)
        assertNull(free.whyIllegal(H8))
        assertTrue(free.forbiddenPoints().isEmpty() && H8 in free.legalActions())
    }

    @Test
    fun `forbids black threes, fours and overlines under renju alone`() {
        assertForbidden(Refusal.Code.DOUBLE_THREE, "G8", "I8", "H7", "H9")
        assertForbidden(Refusal.Code.DOUBLE_FOUR, "E8", "F8", "G8", "H7", "H6", "H5")
        assertForbidden(Refusal.Code.OVERLINE, "E8", "F8", "G8", "I8", "J8")
    }

    @Test
    fun `forbids white nothing`() {
        val state = stones("renju", "G8", "I8", "H7", "H9").play(224)
        assertEquals(1, state.toMove)
        assertTrue(state.forbiddenPoints().isEmpty())
        assertNull(state.whyIllegal(H8))
        assertEquals(225 - 9, state.legalActions().size)
    }

    @Test
    fun `shows the row that wins, also one of six`() {
        val won = stones("freestyle", "E8", "F8", "G8", "I8", "J8").apply(H8)
        assertEquals(listOf(0, 1, true), listOf(won.winner, won.returns(), won.isTerminal))
        assertArrayEquals(intArrayOf(109, 110, 111, 112, 113, 114), won.winningLine())
        assertArrayEquals(intArrayOf(109, 110, 111, 112, 113, 114), won.longestLine())
        assertEquals(0, won.legalActions().size)
        assertRefused("gomoku: action 0 is illegal here, the game is over.") { won.apply(0) }
    }

    @Test
    fun `lets white win too, also with six under renju`() {
        var state = startGomoku(15, "renju")
        for ((turn, white) in listOf(0, 1, 2, 4, 5, 3).withIndex()) state = state.play(30 + 4 * turn, white)
        assertEquals(listOf(1, -1), listOf(state.winner, state.returns()))
        assertEquals(6, state.winningLine().size)
    }

    @Test
    fun `is a draw on a full board`() {
        // Rows of five with at most four alike in any line.
        val rows = "XXXXO OOOOX XXXXO OOOOX XOXOX".replace(" ", "")
        val (black, white) = listOf('X', 'O').map { mark -> rows.indices.filter { rows[it] == mark } }
        var state = startGomoku(5)
        for (turn in white.indices) state = state.play(black[turn], white[turn])
        assertFalse(state.isTerminal)
        val end = state.play(black.last())
        assertEquals(listOf(true, null, 0), listOf(end.isTerminal, end.winner, end.returns()))
        assertEquals(0, end.legalActions().size + end.winningLine().size)
    }

    @Test
    fun `is a draw on a board that white fills, though no point is left to black`() {
        val rows = "XXOOXX .OXXOO XXOOXX OOXXOO XXOOXX OOXXOO".replace(" ", "")
        val cells = ByteArray(36) { ".XO".indexOf(rows[it]).toByte() }
        val end = Gomoku(Gomoku.Kind(6, "renju", Renju(6)), cells, 35, IntArray(0), null).apply(6)
        assertEquals(listOf(true, null, 0), listOf(end.isTerminal, end.winner, end.returns()))
    }

    @Test
    fun `lets black lose where every empty point is forbidden`() {
        // Black's only empty point would make six; white's stone on A1 fills the other one.
        val kind = Gomoku.Kind(6, "renju", Renju(6))
        val rows = "XX.XXX OOXOXO XOXOXO OXOXOX XOXOXO .XOXOX".replace(" ", "")
        val cells = ByteArray(36) { ".XO".indexOf(rows[it]).toByte() }
        val end = Gomoku(kind, cells, 33, IntArray(0), null).apply(30)
        assertEquals(listOf(true, 1, -1, 30), listOf(end.isTerminal, end.winner, end.returns(), end.lastAction))
        assertEquals(0, end.legalActions().size + end.winningLine().size + end.forbiddenPoints().size)
    }

    @Test
    fun `says what is occupied and what is no point`() {
        val state = startGomoku().apply(H8)
        assertEquals(Refusal(Refusal.Code.OCCUPIED), state.whyIllegal(H8))
        assertEquals(Refusal(Refusal.Code.NO_SUCH_ACTION), state.whyIllegal(225))
        assertEquals(listOf("A15", "H8", "O1"), listOf(0, H8, 224).map(state::label))
        assertRefused("gomoku: action 225 is no point of this board, choose 0 to 224.") { state.label(225) }
    }

    @Test
    fun `draws in one go what the planes say`() {
        var state = startGomoku()
        for (point in listOf(0, 3, 224, 7, H8, 100)) {
            assertArrayEquals(encode(state, state.encoding), state.encode(), 0f)
            state = state.apply(point)
        }
        assertArrayEquals(encode(state, state.encoding), state.encode(), 0f)
        assertRefused("gomoku: there is no plane 'mover@4', use mover, mover@1, ") { state.plane("mover@4") }
    }

    @Test
    fun `is not played on other sizes or by other rules`() {
        assertRefused("gomoku: size 4 is not possible, choose a number from 5 to 19.") { startGomoku(4) }
        assertRefused("gomoku: rule 'swap2' is unknown, use freestyle or renju.") { startGomoku(15, "swap2") }
    }
}
