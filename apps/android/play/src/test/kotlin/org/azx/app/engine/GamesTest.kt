package org.azx.app.engine

import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.byName
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters

/** What holds for every game. */
@RunWith(Parameterized::class)
class EveryGameTest(private val game: String) {
    private val state = begin(byName(game))

    @Test
    fun `refuses an action that there is not and says which are legal`() {
        val legal = state.legalActions().joinToString(", ")
        for (action in listOf(-1, state.actions, Int.MAX_VALUE, Int.MIN_VALUE)) {
            assertRefused("$game: action $action is illegal here, choose action $legal.") { state.apply(action) }
            assertEquals(Refusal.Code.NO_SUCH_ACTION, state.whyIllegal(action)?.code)
        }
    }

    @Test
    fun `does not change when an action makes the next state, or none`() {
        val before = snapshot()
        val next = state.apply(state.legalActions()[0])
        next.apply(next.legalActions()[0])
        assertRefused("illegal") { state.apply(-1) }
        assertEquals(before, snapshot())
    }

    private fun snapshot(): List<Any?> =
        listOf(state.legalActions().toList(), state.encode().toList(), state.toMove, state.lastAction)

    @Test
    fun `is encoded over whatever an array holds`() {
        val next = state.apply(state.legalActions()[0])
        for (write in listOf<(FloatArray) -> Unit>(next::encode, { encode(next, next.encoding, it) })) {
            val used = FloatArray(sizeOf(next.encoding)) { 7f }.also(write)
            assertArrayEquals(next.encode(), used, 0f)
        }
    }

    @Test
    fun `has a plane for no name but its own`() {
        assertRefused("$game: there is no plane 'knights', use ") { state.plane("knights") }
    }

    @Test
    fun `refuses every action once it is over`() {
        var end = state
        while (!end.isTerminal) end = end.apply(end.legalActions().last())
        assertEquals(0, end.legalActions().size)
        assertEquals(Refusal(Refusal.Code.OVER), end.whyIllegal(0))
        assertRefused("$game: action 0 is illegal here, the game is over.") { end.apply(0) }
    }

    companion object {
        @JvmStatic
        @Parameters(name = "{0}")
        fun games(): List<Array<String>> = GAMES.keys.map { arrayOf(it) }
    }
}

class Connect4Test {
    @Test
    fun `is played on other boards`() {
        val won = startConnect4(8, 4).after(28, 29, 24, 25, 20, 21, 16) as Connect4
        assertEquals(listOf(0, 1), listOf(won.winner, won.returns()))
        assertArrayEquals(intArrayOf(16, 20, 24, 28), won.winningLine())
        val full = startConnect4(4, 10).after(30, 20, 10, 0)
        assertEquals(Refusal(Refusal.Code.FULL), full.whyIllegal(30))
        assertEquals(Refusal(Refusal.Code.NOT_LOWEST), full.whyIllegal(1))
        assertEquals("9", full.label(39))
        assertRefused("connect4: 3 rows of 7 are not played, choose numbers from 4 to 10.") { startConnect4(3, 7) }
    }

    @Test
    fun `lets a disc fall, and shows the four that win`() {
        val won = startConnect4().after(35, 36, 28, 29, 21, 22, 14) as Connect4
        assertEquals(listOf(0, 1), listOf(won.winner, won.returns()))
        assertArrayEquals(intArrayOf(14, 21, 28, 35), won.winningLine())
        assertArrayEquals(intArrayOf(14, 21, 28, 35), won.longestLine())
        assertEquals(Refusal(Refusal.Code.NOT_LOWEST), startConnect4().whyIllegal(3))
        assertEquals(Refusal(Refusal.Code.OCCUPIED), startConnect4().apply(38).whyIllegal(38))
        assertEquals(0, (startConnect4().apply(38) as Connect4).winningLine().size)
        assertEquals("3", startConnect4().label(38))
    }

    @Test
    fun `refuses a disc in a full column`() {
        val full = startConnect4().after(35, 28, 21, 14, 7, 0)
        for (action in listOf(0, 35)) assertEquals(Refusal(Refusal.Code.FULL), full.whyIllegal(action))
        assertEquals((36..41).toList(), full.legalActions().toList())
    }
}

class TicTacToeTest {
    @Test
    fun `shows both lines that one mark completes`() {
        val won = TicTacToe().after(0, 1, 8, 3, 2, 5, 6, 7, 4) as TicTacToe
        assertEquals(listOf(0, 1), listOf(won.winner, won.returns()))
        assertArrayEquals(intArrayOf(0, 2, 4, 6, 8), won.winningLine())
        assertArrayEquals("one of two", intArrayOf(0, 4, 8), won.longestLine())
        assertEquals(Refusal(Refusal.Code.OCCUPIED), TicTacToe().apply(4).whyIllegal(4))
        assertEquals("4", TicTacToe().label(4))
    }
}

class DotsAndBoxesTest {
    private val boxed = startDotsAndBoxes().after(0, 3, 12, 13) as DotsAndBoxes

    @Test
    fun `gives the box to who completes it and makes the other one pass`() {
        assertArrayEquals(intArrayOf(0), boxed.completed)
        assertArrayEquals(intArrayOf(0, 1), boxed.scores)
        assertEquals(listOf<Any>(2, true, 24), listOf(boxed.owners[0].toInt(), boxed.mustPass, boxed.pass))
        assertArrayEquals(intArrayOf(24), boxed.legalActions())
        assertEquals(Refusal(Refusal.Code.MUST_PASS), boxed.whyIllegal(1))
        assertRefused("dots_and_boxes: action 1 is illegal here, choose action 24.") { boxed.apply(1) }
        assertEquals(listOf("pass", "7"), listOf(boxed.label(24), boxed.label(7)))
    }

    @Test
    fun `lets who completed a box move again after the pass`() {
        val again = boxed.apply(24)
        assertEquals(listOf<Any>(1, false, 0), listOf(again.toMove, again.mustPass, again.completed.size))
        assertEquals(Refusal(Refusal.Code.NO_PASS), again.whyIllegal(24))
        assertEquals(Refusal(Refusal.Code.DRAWN), again.whyIllegal(0))
        assertNull(again.whyIllegal(1))
    }

    @Test
    fun `needs no pass after the last edge`() {
        var end: State = startDotsAndBoxes(2)
        while (!end.isTerminal) end = end.apply(end.legalActions()[0])
        val last = end as DotsAndBoxes
        assertTrue(last.completed.isNotEmpty() && !last.mustPass)
        assertEquals(4, last.scores.sum())
    }

    @Test
    fun `is not played on other sizes`() {
        assertRefused("dots_and_boxes: size 7 is not played, choose one from 2 to 6.") { startDotsAndBoxes(7) }
    }
}
