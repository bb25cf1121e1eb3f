package org.azx.app.play

import org.azx.app.engine.GameError
import org.azx.app.engine.Json
import org.azx.app.engine.ROW
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.engine.Uniform
import org.azx.app.engine.begin
import org.azx.app.engine.fromManifest
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.parseJson
import org.azx.app.engine.records.Written
import org.azx.app.engine.records.readRecord
import org.azx.app.engine.review.Phase
import org.azx.app.engine.withRow
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** The steps of docs/adding-a-game.md that need no screen; `AddingABoardTest` has the one that does. */
class AddingAGameTest {
    private fun start(vararg actions: Int, size: Int = 6): State =
        actions.fold(begin(ROW, mapOf("size" to size))) { state, action -> state.apply(action) }

    private fun best(state: State): Int = Search(state, Uniform).also { it.run(400) }.bestAction()

    @Test
    fun `it is found while it is there, and not afterwards`() {
        assertThrows(GameError::class.java) { byName("row") }
        withRow {
            assertEquals("row", GAMES.keys.last())
            assertEquals(listOf(1, 8), begin(byName("row"), mapOf("size" to "8")).board)
            assertThrows(GameError::class.java) { begin(byName("row"), mapOf("size" to 7)) }
        }
        assertFalse("row" in GAMES)
    }

    @Test
    fun `a network's manifest is read, and its policy numbered`() {
        val planes = """{"layout": "channels_first", "board": [1, 8], "planes": ["mover", "opponent"]}"""

        @Suppress("UNCHECKED_CAST")
        val manifest = parseJson("""{"game": "row", "actions": "cell", "encoding": $planes}""") as Json
        val reading = withRow { fromManifest(manifest, 8, ::byName) }
        assertEquals(mapOf("size" to 8), reading.settings)
        val state = reading.start().apply(2)
        val tensor = FloatArray(16).also { it[10] = 1f }
        assertArrayEquals(tensor, reading.tensor(state), 0f)
        val outputs = FloatArray(8) { it.toFloat() }
        assertArrayEquals(outputs, reading.policy(outputs, state), 0f)
    }

    @Test
    fun `a search finds a win in one move, and stops another`() {
        assertTrue(best(start(2, 0, 3, 5)) in listOf(1, 4))
        assertEquals(2, best(start(0, 7, 1, size = 8)))
    }

    @Test
    fun `a game is played to its end, and its record read back`() {
        var session = startSession(start(3), 0)
        // The network plays the first cell that is free.
        while (session.phase != Phase.OVER) {
            val state = session.latest
            session = session.play(if (session.phase == Phase.YOURS) best(state) else state.legalActions().first())
        }
        assertEquals(0 to 4, session.winner to session.moves)
        assertEquals(3, session.undo().moves)
        val states = listOf(start()) + session.states
        val line = Written(ROW, emptyMap(), states).line()
        assertTrue(line, line.startsWith("row size=6: 3 0 "))
        withRow {
            val record = readRecord(line)
            assertEquals("row", record.game)
            val read = record.states(begin(ROW, record.settings)).mapNotNull { it.lastAction }
            assertEquals(listOf(3) + session.actions, read)
        }
    }
}
