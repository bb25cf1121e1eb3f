package org.azx.app.screens.play

import android.view.View
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.bundle.SMALL
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.areasWithout
import org.azx.app.engine.records.Ending
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.play.table.hint
import org.azx.app.screens.Stage
import org.azx.app.screens.assertThinks
import org.azx.app.screens.board
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import kotlin.math.max

/** A game of each kind, by taps, against the real network to its end. */
class WholeGamesTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    /** Play `bundle` to its end; `prompt` asks for a move. */
    private fun wholeGame(
        bundle: String,
        strength: Strength,
        prompt: Int,
        choice: (PlayActivity) -> Int?,
    ): PlayActivity {
        choose(bundle, Choices(strength, Begins.YOU))
        val activity = play(bundle).get()
        assertEquals(activity.getString(prompt), activity.text(R.id.status))
        while (activity.play.session.phase != Phase.OVER) {
            if (activity.play.session.phase == Phase.SCORING) {
                activity.press(R.id.agree)
                continue
            }
            val before = activity.play.session.moves
            val action = choice(activity)
            if (action == null) activity.press(R.id.pass) else activity.tap(action)
            settle(activity)
            assertTrue("a move was made", activity.play.session.moves > before)
        }
        assertEnd(activity)
        return activity
    }

    private fun assertEnd(activity: PlayActivity) {
        val ends = listOf(R.string.ai_won, R.string.draw, R.string.you_won).map(activity::getString)
        assertEquals(ends[activity.play.session.result + 1], activity.text(R.id.status))
        assertEquals(
            "the result ends the curve",
            activity.play.session.curve().last().second, (activity.play.session.result + 1) / 2.0, 0.0,
        )
    }

    /** A legal move that depends on how far the game is. */
    private fun some(activity: PlayActivity): Int {
        val legal = activity.play.session.latest.legalActions()
        return legal[activity.play.session.moves * 7 % legal.size]
    }

    /** What a line of the panel has as a number; 0 if nothing is known. */
    private fun PlayActivity.count(id: Int): Int = text(id).toIntOrNull() ?: 0

    @Test
    fun `Connect4 with a search of 50 simulations`() {
        var (deepest, most) = 0 to 0
        val activity = wholeGame("connect4", Strength.SIMULATIONS_50, R.string.tap_column) {
            val action = some(it)
            deepest = max(deepest, it.count(R.id.depth))
            most = max(most, it.count(R.id.simulations))
            // The board is tapped by columns.
            it.board.run { (0 until spots).map(::actionOf).first { each -> each % 7 == action % 7 } }
        }
        assertEquals("-1: the network wins", -1, activity.play.session.result)
        assertThinks(50, most)
        assertTrue("$deepest", deepest > 2)
        assertTrue(activity.text(R.id.rate).contains("%"))
    }

    @Test
    fun `Tic-tac-toe, whose network has no value`() {
        var unknown = 0
        wholeGame("tictactoe", Strength.POLICY, R.string.tap_cell) {
            val isProven = it.play.progress?.proven == true
            val isUnknown = it.text(R.id.rate) == it.getString(R.string.unknown)
            assertEquals("only what the rules prove is known of chances", !isProven, isUnknown)
            if (it.play.session.moves > 0 && isUnknown) unknown++
            some(it)
        }
        assertTrue("a thought that proves nothing", unknown > 0)
    }

    @Test
    fun `Tic-tac-toe, whose network has a value alone`() {
        install(temporary.root) { put(File(SMALL, "value_only"), emptyList()) }
        var most = 0
        val activity = wholeGame("value_only", Strength.SIMULATIONS_50, R.string.tap_cell) {
            most = max(most, it.count(R.id.simulations))
            some(it)
        }
        assertEquals("fewer only where the rules prove the result", 50, most)
        assertTrue(activity.text(R.id.rate), activity.text(R.id.rate).contains("%"))
    }

    @Test
    fun `without a policy there is neither a hint nor a move without a search`() {
        install(temporary.root) { put(File(SMALL, "value_only"), emptyList()) }
        choose("value_only", Choices(Strength.POLICY, Begins.YOU, alwaysHeat = true))
        val activity = play("value_only").get()
        assertEquals(Strength.SIMULATIONS_50, activity.play.choices.strength)
        assertEquals(Strength.entries.size - 1, activity.findViewById<Spinner>(R.id.strength).count)
        assertEquals("50 simulations", activity.findViewById<Spinner>(R.id.strength).selectedItem)
        assertNull("no move is better than another before a search", activity.play.heat)
        for (id in listOf(R.id.hint, R.id.always_heat)) assertFalse(activity.findViewById<View>(id).isShown)
        activity.play.hint()
        settle(activity)
        assertNull(activity.play.heat)
    }

    @Test
    fun `Dots and Boxes with forced passes`() {
        val activity = wholeGame("dots_and_boxes", Strength.POLICY, R.string.tap_edge) { some(it) }
        val scores = activity.text(R.id.summary).filter { it.isDigit() }.map { it.digitToInt() }
        assertEquals("all boxes are somebody's", 9, scores.sum())
        assertTrue("somebody had to pass", 24 in activity.play.session.actions)
    }

    @Test
    fun `Gomoku`() {
        wholeGame("gomoku", Strength.POLICY, R.string.tap_point) { some(it) }
    }

    @Test
    fun `Go, with passes and a score`() {
        val activity = wholeGame("go", Strength.POLICY, R.string.tap_point_or_pass) {
            if (it.play.session.moves > 40 || it.play.session.latest.lastAction == 81) null else some(it)
        }
        val end = activity.play.session.latest as Go
        val dead = (activity.play.session.ending as Ending.Agreed).dead
        val (black, white) = end.areasWithout(dead).map { it.size }
        val summary = activity.text(R.id.summary)
        assertTrue(summary, summary.startsWith("Score: black $black, white $white and 7.5 komi;"))
    }
}
