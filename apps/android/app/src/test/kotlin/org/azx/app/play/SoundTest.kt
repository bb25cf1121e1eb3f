package org.azx.app.play

import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.math.abs

class SoundTest {
    private fun Session.after(vararg actions: Int): Session =
        actions.fold(this) { session, action -> session.play(action) }

    @Test
    fun `every tone is heard, is short, and begins and ends in silence`() {
        for (tone in Tone.entries) {
            val samples = tone.samples()
            assertTrue("$tone", samples.size in 1000..22050)
            assertTrue("$tone", samples.maxOf { abs(it.toInt()) } in 3000 until Short.MAX_VALUE.toInt())
            assertEquals(0, samples.first().toInt())
            assertTrue("$tone", abs(samples.last().toInt()) < 200)
        }
        assertEquals("each has its own", 3, Tone.entries.map { it.samples().size }.toSet().size)
    }

    @Test
    fun `a move, a capture and the end have tones, and nothing else has one`() {
        val start = startSession(TicTacToe(), 0)
        val game = start.after(0, 3, 1, 4)
        assertEquals(Tone.PLACE, toneBetween(start, start.after(0)))
        assertEquals(Tone.END, toneBetween(game, game.after(2)))
        assertNull("taken back", toneBetween(game, game.undo()))
        assertNull("another game", toneBetween(game, startSession(TicTacToe(), 0)))
        assertNull("another position of the same game", toneBetween(game, game.show(1)))
        val go = startSession(startGo(9), 0).after(1, 0)
        assertEquals(Tone.CAPTURE, toneBetween(go, go.after(9)))
        val dots = startSession(startDotsAndBoxes(3), 0).after(0, 3, 12)
        assertEquals(Tone.CAPTURE, toneBetween(dots, dots.after(13)))
    }
}
