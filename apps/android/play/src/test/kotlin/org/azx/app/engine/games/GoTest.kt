package org.azx.app.engine.games

import org.azx.app.engine.Refusal
import org.azx.app.engine.assertRefused
import org.azx.app.engine.encode
import org.azx.app.engine.findForced
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** The action that people call `label`. */
internal fun Go.at(label: String): Int = (0 until actions).first { label(it) == label }

internal fun Go.play(vararg labels: String): Go = labels.fold(this) { state, label -> state.apply(state.at(label)) }

/** The moves to a drawing in the upper left corner of a 9 by 9 board, passes included; black begins. */
internal fun movesTo(drawing: String, toMove: Int = 0): List<Int> {
    val marks = drawing.split(" ").joinToString("") { it.padEnd(9, '.') }.padEnd(81, '.')
    val stones = listOf('X', 'O').map { mark -> marks.indices.filter { marks[it] == mark } }
    val count = maxOf(stones[0].size, stones[1].size)
    val moves = (0 until count).flatMap { turn -> stones.map { it.getOrElse(turn) { 81 } } }
    if (toMove == 0) return moves
    // Black's last stone needs no pass behind it where white is to move.
    return if (moves.last() == 81) moves.dropLast(1) else moves + 81
}

/** The position after these moves. */
internal fun goFrom(drawing: String, toMove: Int = 0, komi: Double = GO_KOMI): Go =
    movesTo(drawing, toMove).fold(startGo(9, komi)) { state, action -> state.apply(action) }

/** The rows of the board as they would be drawn, without empty ones at the end. */
internal fun drawing(state: Go): String {
    val rows = state.cells.map { ".XO"[it.toInt()] }.chunked(9) { it.joinToString("").trimEnd('.') }
    return rows.joinToString(" ").trimEnd()
}

class GoTest {
    /** Why a stone is illegal, once `legalActions` and `apply` have agreed. */
    private fun why(state: Go, label: String): Refusal? {
        val action = state.at(label)
        val reason = state.whyIllegal(action)
        assertEquals(reason == null, action in state.legalActions())
        if (reason == null) {
            state.apply(action)
        } else {
            assertRefused("go: action $action is illegal here, choose action ") { state.apply(action) }
        }
        return reason
    }

    private fun assertTakes(toMove: Int, before: String, label: String, after: String, captured: Int) {
        val state = goFrom(before, toMove)
        assertNull(why(state, label))
        val next = state.play(label)
        assertEquals(after, drawing(next))
        assertEquals(before, drawing(state))
        assertEquals(captured, next.captured.size)
        assertTrue(next.captured.all { state.cells[it] > 0 && next.cells[it] < 1 })
        assertEquals(listOf(captured, 0), listOf(next.prisoners[toMove], next.prisoners[1 - toMove]))
    }

    @Test
    fun `takes off what a stone leaves without a liberty`() {
        assertTakes(0, "OX", "A8", ".X X", 1)
        assertTakes(0, ".XOO ..XX", "E9", ".X..X ..XX", 2)
        assertTakes(1, " ..O .OX ..O", "D7", " ..O .O.O ..O", 1)
        assertTakes(1, "..O .OXO OX.XO .OOO", "C7", "..O .O.O O.O.O .OOO", 3)
        assertTakes(1, ".OOO OXXXO OX.XO OXXXO .OOO", "C7", ".OOO O...O O.O.O O...O .OOO", 8)
        assertTakes(0, ".OX OX X", "A9", "X.X .X X", 2)
    }

    @Test
    fun `forbids suicide, of one stone or of many`() {
        for (board in listOf(".O O", "XXO .XO XXO OOO")) {
            val label = if (board.startsWith('.')) "A9" else "A8"
            assertEquals(Refusal(Refusal.Code.SUICIDE), why(goFrom(board), label))
            assertNull(why(goFrom(board, toMove = 1), label))
        }
        assertEquals(Refusal(Refusal.Code.SUICIDE), why(goFrom(".OOO OXXXO OX.XO OXXXO .OOO"), "C7"))
    }

    @Test
    fun `forbids an occupied point to both`() {
        assertEquals(Refusal(Refusal.Code.OCCUPIED), why(goFrom(" ..X"), "C8"))
        assertEquals(Refusal(Refusal.Code.OCCUPIED), why(goFrom(" ..X", toMove = 1), "C8"))
    }

    @Test
    fun `lets a snapback take more than was thrown in`() {
        val state = goFrom("OX..O OXXXO .OOO", toMove = 1).play("C9", "D9")
        assertEquals("OX.XO OXXXO .OOO", drawing(state))
        assertEquals("O.O.O O...O .OOO", drawing(state.play("C9")))
    }

    @Test
    fun `forbids to take a ko back before a move elsewhere, and says which board would come again`() {
        val before = goFrom(".XO XO.O .XO")
        val taken = before.play("C8")
        assertEquals(".XO X.XO .XO", drawing(taken))
        assertEquals(Refusal(Refusal.Code.SUPERKO, before.played), why(taken, "B8"))
        assertNull(why(taken.play("E5", "A1"), "B8"))
    }

    @Test
    fun `counts passes as moves, and names the first of equal boards`() {
        val taken = startGo().play("B9", "C9", "A8", "D8", "B7", "C7", "pass", "B8", "C8")
        assertArrayEquals(intArrayOf(taken.at("B8")), taken.captured)
        assertEquals(8, why(taken, "B8")?.move)
        assertNull(why(taken.play("J1", "pass"), "B8"))
        // Black has two stones more, so that the drawing stands before and after white's pass.
        val waited = goFrom(".XO....XX XO.O .XO")
        assertEquals(waited.pass, waited.lastAction)
        assertEquals(waited.played - 1, why(waited.play("C8"), "B8")?.move)
    }

    @Test
    fun `does not let a triple ko go round`() {
        val kos = ".XO XO.O .XO .XO X.XO .XO .XO XO.O .XO"
        val before = goFrom(kos)
        val state = before.play("C8", "B5", "C2", "B8", "C5")
        assertEquals(before.played, why(state, "B2")?.move)
        assertNull(why(state.play("J9", "J1"), "B2"))
    }

    @Test
    fun `forbids to send two and take one back though the other player is to move`() {
        val before = goFrom(".O.O XXOO .X", toMove = 1)
        val sent = before.play("A9", "C9")
        assertEquals(listOf("..XO XXOO .X", 1), listOf(drawing(sent), sent.toMove))
        // The board was the same before the pass that gave white the move.
        assertEquals(before.played - 1, why(sent, "B9")?.move)
    }

    @Test
    fun `is over after two passes in a row, not after two of one player`() {
        val state = startGo().play("pass", "E5", "pass")
        assertFalse(state.isTerminal)
        val over = state.play("pass")
        assertTrue(over.isTerminal)
        assertEquals(listOf(0, -1), listOf(over.legalActions().size, over.returns()))
        assertEquals(Refusal.Code.OVER, over.whyIllegal(0)?.code)
        assertRefused("go: action 81 is illegal here, the game is over.") { over.apply(81) }
        assertTrue(startGo().play("pass", "pass").isTerminal)
    }

    @Test
    fun `lets area and komi decide, and a whole komi make a draw`() {
        val walls = List(9) { "..XO" }.joinToString(" ")
        for ((komi, result) in listOf(-28.0 to 1, -27.0 to 0, -26.0 to -1)) {
            val state = goFrom(walls, komi = komi)
            assertEquals(-27 - komi, state.score(), 0.0)
            assertEquals(0, state.returns())
            assertEquals(result, state.play("pass", "pass").returns())
        }
    }

    @Test
    fun `does not take a pass that draws for one that loses`() {
        for (state in listOf(startGo(9, 0.0), startGo(9, 0.0).play("pass"))) {
            val forced = findForced(state)
            assertArrayEquals(state.legalActions(), forced.moves)
            assertNull(forced.result)
        }
    }

    @Test
    fun `counts stones and what only they reach`() {
        assertEquals(0.0, startGo(9, 0.0).score(), 0.0)
        assertEquals(81.0, goFrom(" ..X", komi = 0.0).score(), 0.0)
        val between = goFrom(List(9) { "..X.O" }.joinToString(" "), komi = 0.0)
        assertEquals(27.0 - 45.0, between.score(), 0.0)
        val (black, white) = between.areasWithout()
        assertArrayEquals(IntArray(27) { it / 3 * 9 + it % 3 }, black)
        assertEquals(45, white.size)
        // A white stone in black's area is alive, so that nobody has the points around it.
        val alive = goFrom("O.XO " + List(8) { "..XO" }.joinToString(" "), komi = 0.0)
        assertEquals(9.0 - 55.0, alive.score(), 0.0)
    }

    @Test
    fun `draws in one go what the planes say, and shares the history`() {
        val state = goFrom(".XO XO.O .XO").play("C8", "pass", "E5", "B8", "C3", "J9", "pass")
        assertArrayEquals(encode(state, state.encoding), state.encode(), 0f)
        assertArrayEquals(encode(startGo(), startGo().encoding), startGo().encode(), 0f)
        assertEquals(81 * 17, startGo().encode().size)
        assertRefused("go: there is no plane 'mover@8', use mover, mover@1, ") { state.plane("mover@8") }
    }

    @Test
    fun `calls points as people do`() {
        val state = startGo()
        assertEquals(listOf("A9", "J9", "J1", "pass"), listOf(0, 8, 80, 81).map(state::label))
        assertEquals("T19", startGo(19).label(18))
        assertRefused("go: action 82 is no point of this board, choose 0 to 81.") { state.label(82) }
    }

    @Test
    fun `knows what was played`() {
        assertNull(startGo().lastAction)
        assertEquals(listOf(40, 81), listOf(startGo().apply(40).lastAction, startGo().apply(81).lastAction))
        assertEquals(360, startGo(19).apply(360).lastAction)
    }

    @Test
    fun `is not played on other sizes or with a komi that is no number`() {
        assertRefused("go: size 4 is not played, choose one from 5 to 19.") { startGo(4) }
        for (komi in listOf(Double.NaN, Double.POSITIVE_INFINITY)) {
            assertRefused("go: komi $komi is no number of points, choose one such as 7.5.") { startGo(9, komi) }
        }
    }
}
