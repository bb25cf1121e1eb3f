package org.azx.app.screens.play

import android.widget.Spinner
import org.azx.app.R
import org.azx.app.bundle.BundleError
import org.azx.app.engine.review.Verdict
import org.azx.app.play.table.isRetrying
import org.azx.app.screens.LANDSCAPE
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.board
import org.azx.app.screens.idle
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.android.controller.ActivityController
import java.util.concurrent.CountDownLatch

/** A mistake that a person tries to do better. */
class RetryTest : Stage() {
    // AI lets a column of three grow to four by its move 6.
    private val won = intArrayOf(38, 37, 31, 30, 24, 23, 17)

    /** The screen of a game that was analysed, at the move that does not block. */
    private fun analysed(): ActivityController<PlayActivity> {
        choose("connect4")
        remember("connect4", 0, *won)
        val controller = play("connect4")
        val activity = controller.get()
        activity.findViewById<Spinner>(R.id.review_simulations).setSelection(0)
        idle()
        activity.press(R.id.analyse)
        settle(activity)
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        return controller
    }

    private fun retried(): PlayActivity = analysed().get().also { it.press(R.id.retry) }

    @Test
    fun `a better move is asked for, and the answer is not told`() {
        val activity = retried()
        assertEquals("Move 5 of 7", activity.text(R.id.ply_text))
        assertEquals("Find a better move than column 3.", activity.text(R.id.verdict))
        assertNull("the board does not show it", activity.board.shown?.better)
        assertFalse(activity.isSeen(R.id.retry))
        assertTrue("back to the game", activity.isSeen(R.id.to_game))
        activity.press(R.id.to_game)
        assertNull(activity.play.retry)
        assertEquals("the mistake is shown", "Move 6 of 7", activity.text(R.id.ply_text))
        assertTrue(activity.isSeen(R.id.retry))
    }

    @Test
    fun `the mistake itself is not looked at`() {
        val activity = retried()
        activity.tap(activity.board.actionOf(2))
        idle()
        assertEquals("Column 3 was played in the game. Try another move.", activity.text(R.id.verdict))
        assertNull(activity.play.line)
        assertTrue(activity.play.isRetrying)
    }

    @Test
    fun `a bad move is judged and taken back`() {
        val gate = CountDownLatch(1)
        var isHeld = false
        watch { if (isHeld) gate.await() }
        val activity = retried()
        isHeld = true
        activity.tap(activity.board.actionOf(6))
        assertEquals("Looking at column 7.", activity.text(R.id.verdict))
        activity.tap(activity.board.actionOf(0))
        assertEquals("one after the other", "Looking at column 7.", activity.text(R.id.verdict))
        gate.countDown()
        settle(activity)
        val said = activity.text(R.id.verdict)
        assertEquals("Column 7 does not block column 4. Try another move.", said)
        assertNull(activity.play.line)
        assertEquals("it is not kept", 0, activity.play.identity.beside.lines.size)
        assertTrue("and another one can be tried", activity.play.isRetrying)
    }

    @Test
    fun `a good move ends it, and stays as a variation`() {
        val activity = retried()
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        assertEquals("Column 4 is the move that the review prefers.", activity.text(R.id.verdict))
        assertFalse(activity.play.isRetrying)
        assertEquals("Line of your own: 1 after move 5", activity.text(R.id.ply_text))
        val kept = activity.play.identity.beside.lines.single()
        assertEquals(5 to true, kept.from to kept.isOwn)
        endProcess()
        val later = library.list().single().identity.beside.lines.single()
        assertEquals("after the end of the process too", kept.actions, later.actions)
        activity.tap(activity.board.actionOf(0))
        assertNull("whoever goes on tries something out", activity.play.retry)
        assertEquals(2, activity.play.line?.length)
    }

    @Test
    fun `a move that is not possible is refused, and is no try`() {
        val activity = retried()
        activity.play.play(38)
        assertTrue(activity.play.isRetrying)
        assertTrue(activity.text(R.id.notice), activity.text(R.id.notice).startsWith("Not possible: "))
    }

    @Test
    fun `a try outlives the device's turn, and who leaves is asked again`() {
        val controller = analysed()
        val activity = controller.get()
        activity.press(R.id.retry)
        val turned = turn(controller, LANDSCAPE)
        assertEquals("Find a better move than column 3.", turned.text(R.id.verdict))
        val asked = activity.play.retry
        turned.play.simulations = 1_000_000
        turned.tap(turned.board.actionOf(3))
        assertEquals("Looking at column 4.", turned.text(R.id.verdict))
        controller.pause().stop()
        await("the end of the search") { !turned.isBusy }
        controller.start().resume()
        idle()
        assertEquals(asked, turned.play.retry)
        assertEquals("Find a better move than column 3.", turned.text(R.id.verdict))
        assertNull(turned.play.line)
    }

    @Test
    fun `walking on, a new game and a move of the game end it`() {
        val activity = retried()
        activity.press(R.id.forward)
        assertNull(activity.play.retry)
        activity.press(R.id.retry)
        assertNotNull(activity.play.retry)
        activity.press(R.id.mode_play)
        assertNull(activity.play.retry)
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        activity.press(R.id.retry)
        activity.play.restart()
        assertNull(activity.play.retry)
    }

    @Test
    fun `a network that fails says so, and the move is asked for again`() {
        var isBroken = false
        watch { if (isBroken) throw BundleError("error_no_number", "connect4") }
        val activity = retried()
        isBroken = true
        activity.tap(activity.board.actionOf(0))
        settle(activity)
        assertTrue(activity.text(R.id.notice), activity.text(R.id.notice).contains("what is no number"))
        assertEquals("Find a better move than column 3.", activity.text(R.id.verdict))
        assertNull(activity.play.line)
    }

    @Test
    fun `only a move that has a better one is tried again`() {
        val activity = analysed().get()
        val judged = activity.play.session.judged
        activity.press(R.id.first)
        assertFalse(activity.isSeen(R.id.retry))
        judged.forEachIndexed { at, move ->
            activity.press(R.id.forward)
            assertEquals("move ${at + 1}", move.verdict != Verdict.GOOD, activity.isSeen(R.id.retry))
        }
    }
}
