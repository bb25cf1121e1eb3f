package org.azx.app.engine.games

import org.azx.app.engine.Refusal
import org.azx.app.engine.State
import org.azx.app.engine.assertRefused
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** What the golden files do not say of Reversi. */
class ReversiTest {
    private fun play(size: Int, vararg actions: Int): Reversi =
        actions.fold(startReversi(size)) { state, action -> state.apply(action) }

    @Test
    fun `a disc turns over what lies between it and another one`() {
        val state = play(8, 19)
        assertEquals(listOf(4, 1), state.scores.toList())
        assertEquals(listOf("C3", "E3", "C5"), state.legalActions().map(state::label))
        assertEquals(Refusal(Refusal.Code.OCCUPIED), state.whyIllegal(19))
        assertEquals(Refusal(Refusal.Code.TURNS_NOTHING), state.whyIllegal(0))
        assertEquals(Refusal(Refusal.Code.NO_PASS), state.whyIllegal(64))
        assertRefused("reversi: action 0 is illegal here, choose action 18, 20, 34.") { state.apply(0) }
    }

    @Test
    fun `who can turn nothing passes, and discs are counted at the end`() {
        val stuck = play(4, 11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14)
        assertTrue(stuck.mustPass)
        assertEquals(listOf(16), stuck.legalActions().toList())
        assertEquals(Refusal(Refusal.Code.MUST_PASS), stuck.whyIllegal(0))
        val over = stuck.apply(16).apply(0)
        assertTrue(over.isTerminal)
        assertEquals(Triple(listOf(13, 3), 10, 1), Triple(over.scores.toList(), over.score(), over.returns()))
    }

    @Test
    fun `as many positions are reached as others count`() {
        fun count(state: State, plies: Int): Int =
            if (plies == 0) 1 else state.legalActions().sumOf { count(state.apply(it), plies - 1) }
        assertEquals(listOf(4, 12, 56, 244, 1396), (1..5).map { count(startReversi(), it) })
    }

    @Test
    fun `other sizes are not played`() {
        assertRefused("reversi: size 7 is not played, choose one of 4, 6, 8, 10.") { startReversi(7) }
    }
}
