package org.azx.app.screens.play

import android.view.View
import org.azx.app.R
import org.azx.app.engine.games.Gomoku
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.assertPhase
import org.azx.app.screens.board
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** What a person is told of the rules. */
class RulesTest : Stage() {
    private val renju = mapOf("rule" to "renju")

    @Test
    fun `a full column is refused with its reason`() {
        choose("connect4")
        remember("connect4", 0, 35, 28, 21, 14, 7, 0)
        val activity = play("connect4").get()
        activity.tap(0)
        settle(activity)
        assertEquals("Not possible: the column is full.", activity.text(R.id.notice))
        assertEquals(6, activity.play.session.moves)
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        assertEquals("the game goes on", 8, activity.play.session.moves)
        assertEquals("", activity.text(R.id.notice))
    }

    @Test
    fun `an edge that is drawn is refused`() {
        choose("dots_and_boxes")
        remember("dots_and_boxes", 0, 0, 5)
        val activity = play("dots_and_boxes").get()
        activity.tap(5)
        assertEquals("Not possible: that edge is drawn already.", activity.text(R.id.notice))
    }

    @Test
    fun `a forced pass is told`() {
        choose("dots_and_boxes")
        remember("dots_and_boxes", 1, 0, 3, 12)
        val activity = play("dots_and_boxes").get()
        activity.tap(13)
        assertEquals(activity.getString(R.string.ai_passes), activity.text(R.id.notice))
        assertEquals(activity.getString(R.string.tap_edge), activity.text(R.id.status))
        assertEquals("Boxes: you 1, AI 0", activity.text(R.id.summary))
    }

    @Test
    fun `a person's own forced pass is told`() {
        choose("dots_and_boxes", Choices(Strength.SIMULATIONS_200, Begins.YOU))
        remember("dots_and_boxes", 0, 0, 3, 12)
        val activity = play("dots_and_boxes").get()
        assertEquals("the network takes the box", listOf(13, 24), activity.play.session.actions.subList(3, 5))
        assertEquals(activity.getString(R.string.you_pass), activity.text(R.id.notice))
        activity.assertPhase(Phase.YOURS)
    }

    @Test
    fun `black's forbidden point is marked and refused with Renju`() {
        choose("gomoku")
        remember("gomoku", 0, 110, 0, 111, 14, 82, 210, 97, 224, settings = renju)
        val activity = play("gomoku").get()
        assertEquals("renju", activity.play.choices.rule)
        assertTrue("the board knows it", 112 in (activity.board.shown!!.state as Gomoku).forbiddenPoints())
        assertTrue(activity.board.describe(112), activity.board.describe(112).contains("forbidden"))
        activity.tap(112)
        assertEquals("Not possible: forbidden to black: double three.", activity.text(R.id.notice))
        assertEquals(8, activity.play.session.moves)
    }

    @Test
    fun `only Go has the pass`() {
        choose("connect4")
        val activity = play("connect4").get()
        assertFalse(activity.findViewById<View>(R.id.pass).isShown)
    }

    @Test
    fun `superko is refused with its reason`() {
        choose("go")
        remember("go", 1, 1, 2, 9, 12, 19, 20, 80, 10, 11)
        val activity = play("go").get()
        assertEquals("Captured: by black 1, by white 0.", activity.text(R.id.summary))
        activity.tap(10)
        val reason = "superko, the stone would repeat the board after move 8"
        assertEquals("Not possible: $reason.", activity.text(R.id.notice))
        activity.assertPhase(Phase.YOURS)
    }

    @Test
    fun `suicide is refused with its reason`() {
        choose("go")
        remember("go", 0, 80, 1, 78, 9)
        val activity = play("go").get()
        activity.tap(0)
        assertEquals("Not possible: suicide: the stone would have no liberty.", activity.text(R.id.notice))
    }

    @Test
    fun `two passes end a game of Go with its score`() {
        choose("go")
        remember("go", 0, 40, 81)
        val activity = play("go").get()
        assertTrue(activity.text(R.id.summary), activity.text(R.id.summary).endsWith("AI passed."))
        activity.press(R.id.pass)
        settle(activity)
        activity.assertPhase(Phase.SCORING)
        assertEquals(activity.getString(R.string.tap_dead), activity.text(R.id.status))
        assertTrue(activity.findViewById<View>(R.id.agree).isShown)
        val black = activity.findViewById<View>(R.id.player_one).contentDescription
        assertEquals("there is no score yet, and nobody moves", "You, black, 0 captured", black)
        activity.tap(40)
        val dead = "Without the dead stones white wins by 7.5, with all stones alive black wins by 73.5."
        assertEquals(dead, activity.text(R.id.notice))
        assertTrue(activity.board.describe(40), activity.board.describe(40).contains(", dead"))
        activity.tap(40)
        activity.press(R.id.agree)
        settle(activity)
        assertEquals(activity.getString(R.string.you_won), activity.text(R.id.status))
        assertEquals("Score: black 81, white 0 and 7.5 komi; black wins by 73.5", activity.text(R.id.summary))
        assertFalse(activity.findViewById<View>(R.id.pass).isEnabled)
    }
}
