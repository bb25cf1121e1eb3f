package org.azx.app.screens.play

import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Phase
import org.azx.app.screens.LANDSCAPE
import org.azx.app.screens.PHONE
import org.azx.app.screens.Stage
import org.azx.app.screens.TABLET
import org.azx.app.screens.assertPhase
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
import org.robolectric.RuntimeEnvironment

/** Who sits at the board, and what is said when a game is over. */
class ResultTest : Stage() {
    private fun PlayActivity.chip(id: Int): String = findViewById<View>(id).contentDescription.toString()

    private val won = intArrayOf(0, 3, 1, 4, 2)

    @Test
    fun `the chips say who plays with what, and whose turn it is`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        assertEquals("You, X, to move", activity.chip(R.id.player_one))
        assertEquals("AI, O, policy only", activity.chip(R.id.player_two))
        assertTrue(activity.findViewById<View>(R.id.player_one).isSelected)
        val mark = activity.findViewById<View>(R.id.player_one).findViewById<TextView>(R.id.mark)
        assertEquals("to move", mark.text)
        assertTrue("it is said in words, not by colour alone", mark.isShown)
    }

    @Test
    fun `the chips count boxes and captured stones`() {
        choose("dots_and_boxes")
        remember("dots_and_boxes", 0, 0, 5, 3, 8, 12, 20, 13, 24)
        val dots = play("dots_and_boxes").get()
        assertEquals("You, blue, 1 box, to move", dots.chip(R.id.player_one))
        assertTrue(dots.chip(R.id.player_two), dots.chip(R.id.player_two).endsWith("0 boxes"))
        choose("go")
        remember("go", 1, 1, 0, 9)
        val go = play("go").get()
        assertEquals("AI, black, policy only, 1 captured", go.chip(R.id.player_two))
        assertEquals("You, white, 0 captured, to move", go.chip(R.id.player_one))
    }

    @Test
    fun `a game that is over has its result, why, and what to do next`() {
        choose("tictactoe")
        remember("tictactoe", 0, *won)
        val activity = play("tictactoe").get()
        assertEquals("You won!", activity.text(R.id.result))
        assertEquals("3 in a row from row 1, column 1 to row 1, column 3", activity.text(R.id.why))
        assertEquals("You, X, won", activity.chip(R.id.player_one))
        assertFalse("one button is enough", activity.isSeen(R.id.new_game))
        activity.press(R.id.result_replay)
        assertFalse(activity.isSeen(R.id.result_card))
        assertEquals("Move 0 of 5", activity.text(R.id.ply_text))
        activity.press(R.id.mode_play)
        activity.press(R.id.result_new)
        assertFalse(activity.isSeen(R.id.result_card))
        assertEquals(0, activity.play.session.moves)
    }

    /** All that a person reads on a screen, text by text. */
    private fun textsIn(view: View): List<String> = when {
        !view.isShown -> emptyList()
        view is ViewGroup -> List(view.childCount, view::getChildAt).flatMap(::textsIn)
        else -> listOfNotNull((view as? TextView)?.text?.toString())
    }

    @Test
    fun `who has won is said once`() {
        for (device in listOf(PHONE, LANDSCAPE, TABLET, "w800dp-h1280dp-port-mdpi")) {
            RuntimeEnvironment.setQualifiers(device)
            choose("tictactoe")
            remember("tictactoe", 0, *won)
            val activity = play("tictactoe").get()
            assertEquals(device, 1, textsIn(activity.window.decorView).count { "You won" in it })
        }
    }

    @Test
    fun `sides are swapped in the next game`() {
        choose("tictactoe")
        remember("tictactoe", 0, *won)
        val activity = play("tictactoe").get()
        activity.press(R.id.swap_sides)
        settle(activity)
        assertEquals("the network has begun", 1, activity.play.session.moves)
        assertEquals(1, activity.play.session.human)
        activity.assertPhase(Phase.YOURS)
        activity.tap(activity.play.session.latest.legalActions()[0])
        settle(activity)
        assertTrue(activity.play.session.moves >= 3)
    }

    @Test
    fun `a draw, a lost game and counted ones say why`() {
        val full = "Draw" to "The board is full, and nobody has a row."
        val column = "You won!" to "4 in a row in column 1"
        val score = "You won!" to "Score: black 81, white 0 and 7.5 komi; black wins by 73.5"
        val ends = listOf(
            Triple("tictactoe", intArrayOf(0, 1, 2, 4, 3, 5, 7, 6, 8), full),
            Triple("connect4", intArrayOf(35, 36, 28, 29, 21, 22, 14), column),
            Triple("go", intArrayOf(40, 81, 81), score),
        )
        for ((bundle, actions, said) in ends) {
            choose(bundle)
            remember(bundle, 0, *actions)
            val activity = play(bundle).get()
            if (activity.play.session.phase == Phase.SCORING) activity.press(R.id.agree)
            assertEquals(said, activity.text(R.id.result) to activity.text(R.id.why))
        }
    }
}
