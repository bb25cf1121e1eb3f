package org.azx.app.play

import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.startHex
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** The pictures that stand for the games: each is of a game that goes on, played by the rules to its last move. */
class PositionsTest {
    @Test
    fun `each game has a position of its own, in which nobody has won yet`() {
        assertEquals(GAMES.keys, POSITIONS.keys)
        for ((name, moves) in POSITIONS) {
            val start = begin(checkNotNull(GAMES[name]), emptyMap())
            val state = positionFor(name, start)
            assertTrue("$name: ${moves.size}", moves.size > 4)
            assertFalse(name, state.isTerminal)
            assertTrue(name, start.label(checkNotNull(state.lastAction)) in listOf(moves.last(), "pass"))
        }
    }

    @Test
    fun `a board that has no such place is shown as far as it has`() {
        val state = positionFor("hex", startHex(3))
        assertEquals("the fourth column is missing", startHex(3).label(0), "a1")
        assertEquals(startHex(3).lastAction, state.lastAction)
    }
}
