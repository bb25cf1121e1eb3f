package org.azx.app.screens.play

import android.view.KeyEvent
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.HorizontalScrollView
import android.widget.SeekBar
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.engine.games.Go
import org.azx.app.play.Kept
import org.azx.app.play.RecordGame
import org.azx.app.play.library.text
import org.azx.app.play.recordGame
import org.azx.app.play.recordText
import org.azx.app.play.table.walk
import org.azx.app.screens.Stage
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.reach
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** A game whose stones stand before its first move: a handicap of Go, opened, walked through, reviewed and continued. */
class StandingTest : Stage() {
    private val record = "(;GM[1]SZ[9]HA[2]AB[gc][cg]KM[0.5]PB[Ann]PW[Ben]RE[W+2];W[ee];B[dd])"

    private fun opened(): PlayActivity {
        var found: RecordGame? = null
        elsewhere { found = recordGame(app, record) }
        val screen = start(PlayActivity::class.java, PlayActivity.intent(app, checkNotNull(found))).get()
        return screen.also(::settle)
    }

    private val PlayActivity.moves: List<Button>
        get() = (findViewById<HorizontalScrollView>(R.id.move_list).getChildAt(0) as ViewGroup).run {
            List(childCount) { getChildAt(it) as Button }
        }

    private val PlayActivity.selected: List<String> get() = moves.filter { it.isSelected }.map { it.text.toString() }

    private fun PlayActivity.works(id: Int): Boolean = findViewById<View>(id).isEnabled

    /** Where stones stand in the position that is shown. */
    private val PlayActivity.stones: Set<Int>
        get() = (play.session.visible as Go).cells.run { indices.filter { get(it).toInt() != 0 }.toSet() }

    @Test
    fun `nothing is before the stones that were set up`() {
        val screen = opened()
        assertTrue(screen.isSeen(R.id.stones_set_up))
        assertEquals("Stones were set up before the first move.", screen.text(R.id.stones_set_up))
        assertEquals(listOf("1  E5", "2  D6"), screen.moves.map { it.text.toString() })
        val toTheFirst = listOf(
            { screen.press(R.id.first) },
            { screen.hear(KeyEvent.KEYCODE_MOVE_HOME, KeyEvent(KeyEvent.ACTION_DOWN, 0), screen.play) },
            { repeat(9) { screen.play.walk(-1) } },
            { (screen.reach(R.id.graph) as WinRateGraph).onPoint?.invoke(0) },
        )
        for (go in toTheFirst) {
            screen.moves[1].performClick()
            assertEquals(setOf(24, 56, 40, 30), screen.stones)
            go()
            idle()
            assertEquals(setOf(24, 56), screen.stones)
        }
        assertEquals("Ben to move", screen.text(R.id.status))
        assertEquals("Move 0 of 2", screen.text(R.id.ply_text))
        assertNull("no stone is the last move", screen.play.session.lastMove)
        assertFalse("a pass that was none is not said", "passed" in screen.text(R.id.summary))
        assertEquals(listOf(false, false), listOf(R.id.first, R.id.back).map { screen.works(it) })
        assertEquals(0 to 2, screen.findViewById<SeekBar>(R.id.ply).run { progress to max })
        assertEquals(emptyList<String>(), screen.selected)
        screen.press(R.id.forward)
        assertEquals(listOf("1  E5"), screen.selected)
        assertEquals("Move 1 of 2", screen.text(R.id.ply_text))
        screen.moves[1].performClick()
        assertEquals(setOf(24, 56, 40, 30), screen.stones)
    }

    @Test
    fun `it is reviewed, stored, opened again and written with its stones`() {
        val screen = opened()
        (screen.reach(R.id.review_simulations) as Spinner).setSelection(0)
        screen.press(R.id.analyse)
        settle(screen)
        assertEquals(listOf(40 to 1, 30 to 0), screen.play.session.judged.map { it.action to it.player })
        assertEquals(setOf(3, 4, 5), screen.play.session.seen.keys)
        val kept = library.list().single()
        assertEquals(3 to 2, kept.setUp to kept.played)
        screen.finish()
        endProcess()
        val again = opened()
        assertEquals("it is one entry", listOf(kept.text()), library.list().map { it.text() })
        val session = again.play.session
        assertTrue(session.isSeen)
        assertEquals(3 to 5, session.setUp to session.moves)
        val written = again.play.run { recordText(opened, Kept(session, settings, identity), "" to "") }
        assertTrue(written, written.endsWith("PB[Ann]PW[Ben]RE[W+2]HA[2]AB[gc][cg]PL[W];W[ee];B[dd])\n"))
    }

    @Test
    fun `a game of its own goes on from the stones, and none of them is taken back`() {
        choose("go")
        val screen = opened()
        val read = screen.play.identity.id
        screen.press(R.id.first)
        screen.press(R.id.play_from_here)
        settle(screen)
        assertEquals(3 to 1, screen.play.session.run { moves to human })
        assertFalse("white has not moved yet", screen.works(R.id.undo))
        screen.tap(40)
        settle(screen)
        val own = checkNotNull(library[screen.play.identity.id])
        assertEquals(listOf(24, 81, 56, 40) to 3, own.actions.take(4) to own.setUp)
        assertEquals("the record stays as it was", 5, library[read]?.actions?.size)
        screen.press(R.id.undo)
        settle(screen)
        assertEquals(setOf(24, 56), screen.stones)
        assertFalse(screen.works(R.id.undo))
    }
}
