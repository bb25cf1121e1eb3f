package org.azx.app.screens.play

import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BundleError
import org.azx.app.play.Analysis
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.play.table.displayed
import org.azx.app.play.table.isLive
import org.azx.app.screens.Hold
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

/** A position that is looked at for as long as it is shown. */
class LiveTest : Stage() {
    private val moves = intArrayOf(38, 31, 24, 37)

    private val Analysis?.made: Int get() = this?.candidates.orEmpty().sumOf { it.visits }

    private fun replayed(): ActivityController<PlayActivity> {
        choose("connect4")
        remember("connect4", 0, *moves)
        return play("connect4").also { it.get().press(R.id.mode_replay) }
    }

    private fun awaitMore(activity: PlayActivity, than: Int = 0) =
        await("a deeper look") { activity.play.found.made > than }

    @Test
    fun `it looks deeper and deeper until it is switched off`() {
        val activity = replayed().get()
        assertFalse(activity.findViewById<View>(R.id.live).isSelected)
        activity.press(R.id.live)
        assertTrue(activity.findViewById<View>(R.id.live).isSelected)
        assertFalse("what is looked at needs no hint", activity.findViewById<View>(R.id.hint).isEnabled)
        awaitMore(activity)
        val first = activity.play.found.made
        awaitMore(activity, than = first)
        assertTrue("the board has it too", checkNotNull(activity.board.shown?.rates).isNotEmpty())
        assertTrue(activity.isSeen(R.id.candidates))
        activity.press(R.id.live)
        settle(activity)
        assertFalse(activity.play.isLive)
        assertNull("nothing is said of it any more", activity.play.found)
        assertNull(activity.board.shown?.heat)
        assertTrue(activity.findViewById<View>(R.id.hint).isEnabled)
    }

    @Test
    fun `each candidate says how it goes on`() {
        val activity = replayed().get()
        activity.press(R.id.live)
        awaitMore(activity)
        val found = checkNotNull(activity.play.found)
        val row = activity.findViewById<ViewGroup>(R.id.candidate_rows).getChildAt(1) as ViewGroup
        val line = found.lines[0].joinToString(", ") { "column ${it % 7 + 1}" }
        assertEquals(3, found.lines[0].size)
        val name = "Column ${found.candidates[0].action % 7 + 1}"
        assertEquals("$name\nthen $line", (row.getChildAt(0) as TextView).text.toString())
        assertTrue("${row.contentDescription}", row.contentDescription.startsWith("$name, then $line, Visits "))
        var state = activity.play.displayed.visible.apply(found.candidates[0].action)
        for (action in found.lines[0]) state = state.apply(action)
    }

    @Test
    fun `another position is looked at once it is shown, a line's too`() {
        val activity = replayed().get()
        activity.press(R.id.live)
        awaitMore(activity)
        activity.press(R.id.first)
        assertNull("what was found was about another one", activity.play.found)
        awaitMore(activity)
        assertEquals("the first player's", 0, checkNotNull(activity.play.found?.seen).mover)
        activity.press(R.id.forward)
        activity.tap(activity.board.actionOf(0))
        assertNull(activity.play.found)
        awaitMore(activity)
        assertEquals(0, checkNotNull(activity.play.found?.seen).mover)
        assertEquals(1, activity.play.line?.length)
    }

    @Test
    fun `it rests where nobody looks, while the game goes on, and where a person is to find the move`() {
        val controller = replayed()
        val activity = controller.get()
        activity.press(R.id.live)
        awaitMore(activity)
        controller.pause().stop()
        settle(activity)
        assertTrue("the wish stays", activity.play.isLive)
        val before = activity.play.found.made
        controller.start().resume()
        await("a look anew") { activity.isBusy }
        awaitMore(activity, than = before)
        activity.press(R.id.analyse)
        await("the review") { activity.play.session.isSeen }
        await("a look after the review") { activity.isBusy }
        activity.press(R.id.mode_play)
        settle(activity)
        activity.press(R.id.mode_replay)
        await("a look in the next replay") { activity.isBusy }
        activity.play.restart()
        settle(activity)
        assertFalse("another game", activity.play.isLive)
    }

    @Test
    fun `it outlives the device's turn`() {
        val controller = replayed()
        controller.get().press(R.id.live)
        awaitMore(controller.get())
        val before = controller.get().play.found.made
        val turned = turned(controller, LANDSCAPE)
        idle()
        assertTrue(turned.findViewById<View>(R.id.live).isSelected)
        awaitMore(turned, than = before)
        turned.press(R.id.live)
        settle(turned)
    }

    @Test
    fun `a network that fails ends it, and says so`() {
        watch { if (it > 400) throw BundleError("error_no_number", "connect4") }
        val activity = replayed().get()
        activity.press(R.id.live)
        await("the failure") { !activity.play.isLive }
        settle(activity)
        assertTrue(activity.text(R.id.notice), activity.text(R.id.notice).contains("what is no number"))
        assertFalse(activity.findViewById<View>(R.id.live).isSelected)
    }

    @Test
    fun `the network moves first where it is its turn`() {
        val hold = Hold(5)
        watch(hold::before)
        choose("connect4", Choices(Strength.SIMULATIONS_50, Begins.YOU))
        val activity = play("connect4").get()
        activity.tap(activity.board.actionOf(3))
        await("the network's pause") { hold.isReached }
        activity.press(R.id.mode_replay)
        activity.press(R.id.live)
        assertNull(activity.play.found)
        hold.release()
        await("the network's move") { activity.play.session.moves == 2 }
        awaitMore(activity)
        activity.press(R.id.live)
        settle(activity)
    }

    @Test
    fun `only a replay has it, by a network with a value`() {
        choose("connect4")
        remember("connect4", 0, 38, 37, 31, 30, 24, 23, 17)
        val activity = play("connect4").get()
        assertTrue("the game is over", activity.isSeen(R.id.analyse))
        assertFalse(activity.isSeen(R.id.live))
        activity.press(R.id.mode_replay)
        assertTrue(activity.isSeen(R.id.live))
        activity.press(R.id.live)
        assertFalse("a game that is over is not looked at", activity.isBusy)
        activity.press(R.id.back)
        awaitMore(activity)
        assertNotNull(activity.play.found)
        activity.press(R.id.live)
        settle(activity)
    }
}
