package org.azx.app.screens.play

import android.view.KeyEvent
import android.view.View
import android.widget.Spinner
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Strength
import org.azx.app.screens.Hold
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.assertPhase
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

/** Lines that are tried out in a replay, the keys, and the questions before a game is lost. */
class TryingTest : Stage() {
    private val moves = intArrayOf(38, 31, 24, 35)

    private fun replayGame(): PlayActivity {
        choose("connect4")
        remember("connect4", 0, *moves)
        return play("connect4").get().also { it.press(R.id.mode_replay) }
    }

    @Test
    fun `moves of both sides are tried out and taken back`() {
        val activity = replayGame()
        assertFalse("the end of the game is where it goes on anyway", activity.isSeen(R.id.line))
        activity.press(R.id.back)
        activity.press(R.id.back)
        activity.tap(activity.board.actionOf(0))
        activity.tap(activity.board.actionOf(1))
        assertEquals("Line of your own: 2 after move 2", activity.text(R.id.ply_text))
        assertEquals(listOf(38, 31, 35, 36), activity.board.shown?.state?.let { activity.play.line?.session?.actions })
        assertEquals("the game is as it was", moves.toList(), activity.play.session.actions)
        assertEquals("Your turn", activity.text(R.id.status))
        activity.press(R.id.take_back)
        assertEquals("Line of your own: 1 after move 2", activity.text(R.id.ply_text))
        activity.press(R.id.take_back)
        assertNull(activity.play.line)
        assertEquals("Move 2 of 4", activity.text(R.id.ply_text))
        activity.tap(activity.board.actionOf(6))
        activity.press(R.id.to_game)
        assertEquals("Move 2 of 4", activity.text(R.id.ply_text))
        activity.tap(activity.board.actionOf(6))
        activity.press(R.id.end)
        assertEquals("walking on leaves the line", "Move 4 of 4", activity.text(R.id.ply_text))
    }

    @Test
    fun `a hint of one position is not shown at another`() {
        val hold = Hold(20)
        watch(hold::before)
        val activity = replayGame()
        activity.press(R.id.back)
        activity.press(R.id.hint)
        await("the hint's question") { hold.isReached }
        activity.press(R.id.back)
        hold.release()
        settle(activity)
        assertEquals("Move 2 of 4", activity.text(R.id.ply_text))
        assertNull(activity.board.shown?.heat)
        assertEquals("", activity.text(R.id.notice))
    }

    @Test
    fun `a move that is not possible is refused in a line too`() {
        choose("tictactoe")
        remember("tictactoe", 0, 0, 4)
        val activity = play("tictactoe").get()
        activity.press(R.id.mode_replay)
        activity.tap(4)
        assertEquals("Not possible: that place is occupied.", activity.text(R.id.notice))
        assertNull(activity.play.line)
        activity.tap(8)
        assertEquals("", activity.text(R.id.notice))
        assertEquals(1, activity.play.line?.length)
    }

    @Test
    fun `forced passes come and go with the move before them`() {
        choose("dots_and_boxes")
        remember("dots_and_boxes", 0, 0, 3, 12, 5)
        val activity = play("dots_and_boxes").get()
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        activity.tap(13)
        assertEquals("the box's edge and the pass", 2, activity.play.line?.length)
        activity.press(R.id.take_back)
        assertNull(activity.play.line)
    }

    @Test
    fun `a line is played on as a game of its own, and the one before stays`() {
        val activity = replayGame()
        activity.press(R.id.back)
        activity.press(R.id.back)
        activity.tap(activity.board.actionOf(0))
        activity.tap(activity.board.actionOf(1))
        val before = activity.play.identity.id
        activity.press(R.id.play_from_here)
        settle(activity)
        assertNull("nothing is asked", activity.asking.dialog)
        assertFalse(activity.play.isReplay)
        assertEquals(listOf(38, 31, 35, 36), activity.play.session.actions)
        activity.assertPhase(Phase.YOURS)
        assertEquals(moves.toList(), library[before]?.actions)
        assertEquals(2, library.list().size)
    }

    @Test
    fun `a line beyond the end of the game is played on without a question`() {
        val activity = replayGame()
        activity.tap(activity.board.actionOf(0))
        activity.press(R.id.play_from_here)
        settle(activity)
        assertNull("nothing is lost by it", activity.asking.dialog)
        assertEquals("and AI has answered", 6, activity.play.session.moves)
    }

    @Test
    fun `a new game asks how strong the network is, and nothing else as none is lost by it`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        activity.press(R.id.new_game)
        activity.agree(false)
        activity.tap(4)
        settle(activity)
        activity.press(R.id.new_game)
        assertNull("nothing is said of a loss", activity.warning())
        activity.chooseCasual()
        activity.agree(false)
        assertEquals("it goes on", 2, activity.play.session.moves)
        assertEquals("and as strong as it was", Strength.POLICY, activity.play.choices.strength)
        activity.press(R.id.new_game)
        activity.chooseCasual()
        checkNotNull(activity.asking.dialog).findViewById<Spinner>(R.id.terms_begins).setSelection(Begins.AI.ordinal)
        idle()
        activity.agree()
        settle(activity)
        assertEquals("it has begun", 1, activity.play.session.human)
        assertEquals("and the one before is there", listOf(2), library.list().map { it.actions.size })
        assertEquals(Strength.LEVEL_3, activity.play.choices.strength)
        assertEquals("what is asked is remembered", Strength.LEVEL_3, play("tictactoe").get().play.choices.strength)
    }

    /** What the dialog says is lost; null if it says nothing of that. */
    private fun PlayActivity.warning(): String? =
        checkNotNull(asking.dialog).findViewById<TextView>(android.R.id.message)?.text?.toString()?.ifEmpty { null }

    private fun PlayActivity.chooseCasual() {
        val steps = ArrayList<View>()
        val levels = checkNotNull(asking.dialog).findViewById<View>(R.id.terms_levels)
        levels.findViewsWithText(steps, getString(R.string.level_3), View.FIND_VIEWS_WITH_CONTENT_DESCRIPTION)
        steps.single().performClick()
    }

    @Test
    fun `a question is closed with its screen`() {
        choose("tictactoe")
        remember("tictactoe", 0, 4, 0)
        val controller = play("tictactoe")
        controller.get().press(R.id.new_game)
        val dialog = checkNotNull(controller.get().asking.dialog)
        assertTrue(dialog.isShowing)
        controller.pause().stop().destroy()
        assertFalse(dialog.isShowing)
    }

    private fun PlayActivity.strike(keyCode: Int, meta: Int = 0): Boolean {
        val events = listOf(KeyEvent.ACTION_DOWN, KeyEvent.ACTION_UP).map { KeyEvent(0, 0, it, keyCode, 0, meta) }
        return events.map { dispatchKeyEvent(it) }.first().also { idle() }
    }

    @Test
    fun `arrow keys, home and end go through a replay`() {
        val activity = replayGame()
        for ((key, at) in listOf(
            KeyEvent.KEYCODE_DPAD_LEFT to 3,
            KeyEvent.KEYCODE_DPAD_LEFT to 2,
            KeyEvent.KEYCODE_DPAD_RIGHT to 3,
            KeyEvent.KEYCODE_MOVE_HOME to 0,
            KeyEvent.KEYCODE_DPAD_LEFT to 0,
            KeyEvent.KEYCODE_MOVE_END to 4,
        )) {
            assertTrue(activity.strike(key))
            assertEquals(at, activity.play.session.ply)
        }
        activity.press(R.id.mode_play)
        activity.strike(KeyEvent.KEYCODE_DPAD_LEFT)
        assertEquals("no replay, no walk", 4, activity.play.session.ply)
    }

    @Test
    fun `U takes back and H asks for a hint`() {
        choose("connect4")
        remember("connect4", 0, *moves)
        val activity = play("connect4").get()
        activity.strike(KeyEvent.KEYCODE_U, KeyEvent.META_CTRL_ON or KeyEvent.META_CTRL_LEFT_ON)
        assertEquals("a combination is somebody else's", 4, activity.play.session.moves)
        activity.strike(KeyEvent.KEYCODE_H)
        settle(activity)
        assertNotNull(activity.board.shown?.heat)
        activity.strike(KeyEvent.KEYCODE_U)
        assertEquals(2, activity.play.session.moves)
        activity.strike(KeyEvent.KEYCODE_U)
        assertEquals(0, activity.play.session.moves)
        assertFalse("nothing is left to take back", activity.strike(KeyEvent.KEYCODE_U))
    }
}
