package org.azx.app.play

import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.areasWithout
import org.azx.app.engine.records.Ending
import org.azx.app.engine.review.Phase
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test

/** Resignation, and what is agreed on after two passes in Go. */
class EndingTest {
    private fun session(game: String, human: Int, vararg actions: Int): Session =
        actions.fold(startSession(begin(GAMES.getValue(game)), human)) { session, action -> session.play(action) }

    private val passed = session("go", 0, 40, 0, 81, 81)

    @Test
    fun `two passes in Go leave the dead stones to be agreed on`() {
        assertEquals(Phase.SCORING, passed.phase)
        assertEquals(Phase.THEIRS, session("go", 0, 40, 0, 81).playOn().phase)
        val agreed = passed.agree(listOf(0))
        assertEquals(Phase.OVER, agreed.phase)
        assertEquals(1, agreed.result)
        assertEquals(-1, passed.agree(listOf(40)).result)
        assertEquals(listOf(4 to 1.0), agreed.curve())
        assertNull("the last pass is taken back", agreed.undo().ending)
        assertEquals(listOf(40, 0), passed.playOn().actions)
        assertEquals(Phase.YOURS, passed.playOn().phase)
    }

    @Test
    fun `a tap toggles a chain`() {
        val state = session("go", 0, 40, 0, 41, 81).latest as Go
        assertEquals(listOf(40, 41), toggleChain(state, emptyList(), 41))
        assertEquals(listOf(0), toggleChain(state, listOf(0, 40, 41), 40))
        assertEquals(listOf(0), toggleChain(state, listOf(0), 5))
        assertFalse(0 in state.areasWithout(listOf(0))[1])
        assertTrue(0 in state.areasWithout(listOf(0))[0])
    }

    @Test
    fun `a resignation ends any game until it is taken back`() {
        val before = session("connect4", 1, 38)
        val resigned = before.resign()
        assertEquals(Phase.OVER, resigned.phase)
        assertEquals(-1, resigned.result)
        assertTrue(resigned.canUndo)
        assertEquals(Phase.YOURS, resigned.undo().phase)
        assertSame(Ending.Resigned, resigned.show(0).ending)
    }

    @Test
    fun `how a game was ended is kept`() {
        val agreed = savedText(passed.agree(listOf(0)))
        assertTrue(agreed, agreed.endsWith("\nend agreed 0"))
        val read = SavedGame.from(agreed)?.session(begin(GAMES.getValue("go")))
        assertEquals(listOf(0), (read?.ending as Ending.Agreed).dead)
        val resigned = savedText(session("go", 0, 40).resign())
        assertSame(Ending.Resigned, SavedGame.from(resigned)?.session(begin(GAMES.getValue("go")))?.ending)
        assertEquals("without an ending nothing is added", 5, savedText(passed).lines().size)
    }

    @Test
    fun `an ending that cannot be is refused`() {
        val start = begin(GAMES.getValue("go"))
        val text = savedText(passed.agree(listOf(0)))
        assertNull(SavedGame.from(text.replace("agreed 0", "agreed x")))
        assertNull(SavedGame.from(text.replace("agreed 0", "lost")))
        assertNull(SavedGame.from(text.replace("agreed 0", "agreed 81"))?.session(start))
        assertNull(SavedGame.from(text.replace("actions 40 0 81 81", "actions 40 0 81"))?.session(start))
        assertNull(SavedGame.from(text.replace("agreed 0", "resigned"))?.session(start))
    }
}
