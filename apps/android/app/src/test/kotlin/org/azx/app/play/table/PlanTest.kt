package org.azx.app.play.table

import org.azx.app.engine.HashEvaluator
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startGo
import org.azx.app.engine.priors
import org.azx.app.play.Session
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random

/** The plan of a series, its tally, and its openings. */
class PlanTest {
    @Test
    fun `sides change after each game, and two games have one opening`() {
        val rounds = roundsOf(4)
        assertEquals(listOf(0, 1, 0, 1), rounds.map { it.first })
        assertEquals(listOf(0, 0, 1, 1), rounds.map { it.opening })
        assertEquals("a game alone has none", listOf(Round(0, null)), roundsOf(1))
    }

    @Test
    fun `a win is that of a side, whichever player it was`() {
        val (one, two) = roundsOf(2)
        var tally = Tally().countIn(one, 0).countIn(two, 0).countIn(one, null)
        assertEquals(Tally(1 to 1, 1), tally)
        assertEquals(3, tally.played)
        tally = tally.countIn(two, 1)
        assertEquals("player 1 is the first side", Tally(2 to 1, 1), tally)
        assertEquals(2 to 1, tally.byPlayer(one))
        assertEquals(1 to 2, tally.byPlayer(two))
    }

    private fun policy(session: Session): Map<Int, Double> {
        val legal = session.latest.legalActions()
        val found = priors(HashEvaluator.evaluate(session.latest), legal)
        return legal.indices.associate { legal[it] to found[it] }
    }

    @Test
    fun `openings differ, are as long as they should be, and end no game`() {
        val known = HashSet<List<Int>>()
        repeat(20) {
            val drawn = drawOpening(TicTacToe(), pliesOf("tictactoe"), ::policy, known, Random(it))
            assertEquals(2, drawn.moves)
            assertTrue("$known", known.add(drawn.actions))
        }
        val long = drawOpening(TicTacToe(), 9, ::policy, emptySet(), Random(1))
        assertFalse(long.latest.isTerminal)
    }

    @Test
    fun `nobody passes by choice in an opening`() {
        val go = startGo(5)
        val passing: Ask = { session -> policy(session).mapValues { if (it.key == 25) 1.0 else 0.01 } }
        val drawn = drawOpening(go, 4, passing, emptySet())
        assertEquals(4, drawn.moves)
        assertFalse(25 in drawn.actions)
    }
}
