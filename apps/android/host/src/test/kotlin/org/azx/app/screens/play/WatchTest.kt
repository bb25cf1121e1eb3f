package org.azx.app.screens.play

import android.os.Looper
import android.view.View
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Pace
import org.azx.app.play.Strength
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.assertPhase
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
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.Shadows.shadowOf
import java.time.Duration

/** A game that the network plays against itself. */
class WatchTest : Stage() {
    private fun watchGame(): PlayActivity {
        choose("tictactoe", Choices(Strength.POLICY, Begins.WATCH))
        return play("tictactoe").get()
    }

    /** Let the time of one move at the usual pace pass. */
    private fun PlayActivity.look() {
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(Pace.USUAL.milliseconds))
        settle(this)
    }

    @Test
    fun `goes on by itself, and a person cannot play in it`() {
        val activity = watchGame()
        assertEquals("the first move comes at once", 1, activity.play.session.moves)
        assertEquals("AI against AI: O to move", activity.text(R.id.status))
        assertTrue(activity.text(R.id.graph_title).startsWith("Chances of X by move"))
        for (id in listOf(R.id.undo, R.id.hint, R.id.stop)) assertFalse(activity.isSeen(id))
        assertFalse("nobody can give it up", activity.play.canResign)
        activity.tap(activity.play.session.latest.legalActions()[0])
        assertEquals(1, activity.play.session.moves)
        activity.look()
        assertEquals("the next one after a look", 2, activity.play.session.moves)
        repeat(8) { activity.look() }
        activity.assertPhase(Phase.OVER)
        assertTrue(activity.isSeen(R.id.result_card))
        assertFalse("there are no sides to swap", activity.isSeen(R.id.swap_sides))
    }

    @Test
    fun `the screen stays on while it goes on by itself, and only then`() {
        val activity = watchGame()
        val isKept = { activity.findViewById<View>(R.id.play).keepScreenOn }
        assertTrue(isKept())
        activity.press(R.id.pause)
        assertFalse("it stands still", isKept())
        activity.press(R.id.pause)
        assertTrue(isKept())
        repeat(9) { activity.look() }
        activity.assertPhase(Phase.OVER)
        assertFalse("it is over", isKept())
        choose("gomoku")
        assertFalse("a person plays", play("gomoku").get().findViewById<View>(R.id.play).keepScreenOn)
    }

    @Test
    fun `stands still, makes one move, and goes on`() {
        val activity = watchGame()
        activity.press(R.id.pause)
        assertEquals("Paused: O to move", activity.text(R.id.status))
        repeat(3) { activity.look() }
        assertEquals(1, activity.play.session.moves)
        activity.press(R.id.step)
        settle(activity)
        activity.look()
        assertEquals("one move alone", 2, activity.play.session.moves)
        assertEquals("Go on", activity.text(R.id.pause))
        activity.press(R.id.pause)
        activity.look()
        activity.look()
        assertTrue(activity.play.session.moves >= 3)
        activity.press(R.id.mode_replay)
        assertTrue("a replay stands still", activity.play.isPaused)
    }

    @Test
    fun `is as fast as a person likes, and that is remembered`() {
        val activity = watchGame()
        activity.findViewById<Spinner>(R.id.speed).setSelection(Pace.SLOW.ordinal)
        idle()
        // The look that has begun lasts as long as it was said.
        activity.look()
        val moves = activity.play.session.moves
        activity.look()
        assertEquals("a second is too short now", moves, activity.play.session.moves)
        activity.look()
        activity.look()
        assertEquals(moves + 1, activity.play.session.moves)
        assertEquals(Pace.SLOW, play("tictactoe").get().play.choices.pace)
    }

    @Test
    fun `is kept, stands still when somebody comes back, and is no game of the person's`() {
        choose("tictactoe", Choices(Strength.POLICY, Begins.WATCH))
        remember("tictactoe", NOBODY, 4, 0)
        val activity = play("tictactoe").get()
        assertEquals(listOf(4, 0), activity.play.session.actions)
        assertTrue(activity.play.isPaused)
        repeat(2) { activity.look() }
        assertEquals(2, activity.play.session.moves)
        assertEquals("nobody is asked for a move", false, activity.board.shown?.canPlay)
        activity.findViewById<Spinner>(R.id.begins).setSelection(Begins.YOU.ordinal)
        idle()
        activity.press(R.id.new_game)
        activity.agree()
        activity.assertPhase(Phase.YOURS)
        assertFalse(activity.isSeen(R.id.watch))
    }

    @Test
    fun `plays Dots and Boxes and Go to the end`() {
        for (bundle in listOf("dots_and_boxes", "go")) {
            choose(bundle, Choices(Strength.POLICY, Begins.WATCH, pace = Pace.FAST))
            val activity = play(bundle).get()
            var moves = 0
            while (activity.play.session.phase != Phase.OVER && moves++ < 30) activity.look()
            assertTrue("$bundle: ${activity.play.session.moves}", activity.play.session.moves >= 24)
            assertEquals("$bundle has not failed", null, activity.play.failure)
        }
    }
}
