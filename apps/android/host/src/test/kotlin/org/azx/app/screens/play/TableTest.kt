package org.azx.app.screens.play

import android.view.View
import android.widget.SeekBar
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.pointsOf
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.play.table.displayed
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.assertPhase
import org.azx.app.screens.assertThinks
import org.azx.app.screens.await
import org.azx.app.screens.board
import org.azx.app.screens.countQuestions
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.rows
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** What the buttons do, and what happens while the network thinks. */
class TableTest : Stage() {
    private val slow = Choices(Strength.SECONDS_10, Begins.AI)

    /** A screen on which the network has begun to think for ten seconds. */
    private fun thinking(bundle: String): PlayActivity {
        choose(bundle, slow)
        val activity = start(PlayActivity::class.java, PlayActivity.intent(app, bundle)).get()
        await("a thought") { activity.table?.progress != null }
        return activity
    }

    @Test
    fun `a tap while the network thinks is ignored`() {
        val activity = thinking("connect4")
        assertEquals(activity.getString(R.string.waiting), activity.text(R.id.status))
        for (column in 0 until 7) activity.tap(activity.board.actionOf(column))
        activity.assertPhase(Phase.THEIRS)
        assertEquals(0, activity.play.session.moves)
        activity.press(R.id.stop)
        settle(activity)
        assertEquals("only the network has moved", 1, activity.play.session.moves)
    }

    @Test
    fun `while it thinks it shows how far it is, and stop makes it move at once`() {
        val activity = thinking("connect4")
        assertTrue(activity.text(R.id.simulations).filter { it.isDigit() }.toInt() > 0)
        assertTrue(activity.text(R.id.rate).contains("%"))
        val before = countQuestions()
        activity.press(R.id.stop)
        settle(activity)
        assertTrue("it did not think on for ten seconds", countQuestions() - before < 100)
        activity.assertPhase(Phase.YOURS)
        assertFalse(activity.findViewById<View>(R.id.stop).isShown)
        assertTrue(activity.findViewById<View>(R.id.hint).isShown)
    }

    @Test
    fun `a new game while the network thinks makes the old thought worthless`() {
        val activity = thinking("tictactoe")
        activity.findViewById<Spinner>(R.id.begins).setSelection(Begins.YOU.ordinal)
        idle()
        activity.press(R.id.new_game)
        activity.agree()
        settle(activity)
        activity.assertPhase(Phase.YOURS)
        assertEquals(0, activity.play.session.moves)
        assertEquals(activity.getString(R.string.unknown), activity.text(R.id.simulations))
    }

    @Test
    fun `undo while the network thinks gives the move back`() {
        choose("connect4", Choices(Strength.SECONDS_10, Begins.YOU))
        val activity = play("connect4").get()
        activity.tap(activity.board.actionOf(3))
        activity.assertPhase(Phase.THEIRS)
        activity.press(R.id.undo)
        settle(activity)
        activity.assertPhase(Phase.YOURS)
        assertEquals(0, activity.play.session.moves)
        assertFalse("nothing is left to undo", activity.findViewById<View>(R.id.undo).isEnabled)
    }

    @Test
    fun `undo takes back a move and the answer`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        activity.tap(4)
        settle(activity)
        assertEquals(2, activity.play.session.moves)
        activity.press(R.id.undo)
        assertEquals(0, activity.play.session.moves)
        activity.tap(0)
        settle(activity)
        assertEquals(0, activity.play.session.actions[0])
    }

    @Test
    fun `leaving the app ends the thought, coming back begins it anew`() {
        choose("go", slow)
        val controller = start(PlayActivity::class.java, PlayActivity.intent(app, "go"))
        val activity = controller.get()
        await("a thought") { activity.table?.progress != null }
        controller.pause().stop()
        val before = countQuestions()
        settle(activity)
        assertTrue("the thread is free at once", countQuestions() - before < 100)
        activity.assertPhase(Phase.THEIRS)
        controller.restart().start().resume()
        idle()
        assertTrue("it thinks again", activity.isBusy)
        activity.press(R.id.stop)
        settle(activity)
        assertEquals(1, activity.play.session.moves)
    }

    @Test
    fun `a bundle that was opened for nobody does not think`() {
        choose("tictactoe", slow)
        val controller = startAndLeave("tictactoe")
        settle(controller.get())
        controller.get().assertPhase(Phase.THEIRS)
        assertNull(controller.get().play.progress)
        controller.restart().start().resume()
        await("a thought") { controller.get().play.progress != null }
    }

    @Test
    fun `a hint colours the board and names the move`() {
        choose("connect4")
        val activity = play("connect4").get()
        activity.press(R.id.hint)
        settle(activity)
        val heat = checkNotNull(activity.board.shown?.heat)
        assertTrue("the legal moves that a search considers", setOf(35, 36, 37, 38, 39, 40, 41).containsAll(heat.keys))
        assertEquals("each with its share of the visits", heat.keys, activity.board.shown?.rates?.keys)
        assertTrue("${heat.values.sum()}", heat.values.sum() in 0.5..1.0)
        val hint = activity.text(R.id.notice)
        assertTrue(hint, Regex("Hint: column \\d \\(\\d+ %\\), your chances \\d+ %\\.").matches(hint))
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        assertNull("the next move takes the hint away", activity.board.shown?.heat)
        assertEquals("", activity.text(R.id.notice))
    }

    @Test
    fun `a hint of a solved end, and live analysis, say what each move loses in boxes`() {
        choose("dots_and_boxes")
        // A position in which half of the edges are drawn, so that the end is solved.
        remember("dots_and_boxes", 0, 0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19)
        val activity = play("dots_and_boxes").get()
        activity.press(R.id.hint)
        settle(activity)
        val found = checkNotNull(activity.play.found)
        assertEquals(activity.play.displayed.visible.pointsOf(found.candidates.map { it.action }), found.points)
        val shown = checkNotNull(activity.board.shown)
        assertEquals(found.points, checkNotNull(shown.points))
        assertEquals(shown.points?.keys, shown.heat?.keys)
        val lists = { activity.rows(R.id.candidate_rows).map { it.last() } }
        assertEquals(listOf("Boxes against the best", "0"), lists().take(2))
        val told = found.candidates.map { found.points?.getValue(it.action) ?: 0 }
        assertEquals(told.map { if (it < 0) "−${-it}" else "0" }, lists().drop(1))
        activity.tap(found.candidates[0].action)
        settle(activity)
        assertNull("the next move takes the hint away", activity.board.shown?.points)
        activity.press(R.id.mode_replay)
        activity.press(R.id.live)
        await("a first look") { activity.board.shown?.heat != null }
        val looked = checkNotNull(activity.play.found)
        val state = activity.play.displayed.visible
        assertEquals(state.pointsOf(looked.candidates.map { it.action }), activity.board.shown?.points)
        assertEquals("Boxes against the best", lists().first())
        activity.press(R.id.live)
        settle(activity)
    }

    @Test
    fun `a heat map at every move is there without asking`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        activity.press(R.id.always_heat)
        settle(activity)
        assertEquals(9, activity.board.shown?.heat?.size)
        activity.tap(4)
        settle(activity)
        assertEquals(7, activity.board.shown?.heat?.size)
        activity.press(R.id.always_heat)
        assertNull(activity.board.shown?.heat)
    }

    @Test
    fun `a replay walks through the game and leaves it as it is`() {
        choose("connect4")
        remember("connect4", 0, 38, 31, 24, 35)
        val activity = play("connect4").get()
        assertFalse(activity.findViewById<View>(R.id.replay).isShown)
        activity.press(R.id.mode_replay)
        assertEquals("Move 4 of 4", activity.text(R.id.ply_text))
        activity.press(R.id.back)
        assertEquals("Move 3 of 4", activity.text(R.id.ply_text))
        assertEquals(24, activity.board.shown?.last)
        activity.press(R.id.first)
        assertEquals("Move 0 of 4", activity.text(R.id.ply_text))
        activity.press(R.id.forward)
        activity.press(R.id.forward)
        assertEquals(31, activity.board.shown?.last)
        assertEquals("of the position that is shown", "Your turn", activity.text(R.id.status))
        activity.tap(activity.board.actionOf(0))
        assertEquals("a replay is not played", 4, activity.play.session.moves)
        activity.press(R.id.end)
        assertEquals("Move 4 of 4", activity.text(R.id.ply_text))
        activity.press(R.id.first)
        activity.press(R.id.mode_play)
        assertEquals("the game goes on at its end", 4, activity.play.session.ply)
        activity.tap(activity.board.actionOf(0))
        settle(activity)
        assertEquals(6, activity.play.session.moves)
    }

    @Test
    fun `the slider of a replay follows a finger`() {
        choose("connect4")
        remember("connect4", 0, 38, 31, 24, 35)
        val activity = play("connect4").get()
        activity.press(R.id.mode_replay)
        val slider = activity.findViewById<SeekBar>(R.id.ply)
        assertEquals(4, slider.max)
        // A touch in the middle.
        activity.press(R.id.ply)
        assertEquals(2, activity.play.session.ply)
        assertEquals("Move 2 of 4", activity.text(R.id.ply_text))
    }

    @Test
    fun `who begins can be drawn or chosen`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        assertEquals("you", 0, activity.play.session.human)
        activity.findViewById<Spinner>(R.id.begins).setSelection(Begins.AI.ordinal)
        idle()
        activity.press(R.id.new_game)
        activity.agree()
        settle(activity)
        assertEquals("AI", 1, activity.play.session.human)
        assertEquals(1, activity.play.session.moves)
        assertEquals("what was chosen is not said", "", activity.text(R.id.notice))
        activity.findViewById<Spinner>(R.id.begins).setSelection(Begins.RANDOM.ordinal)
        idle()
        val drawn = (1..40).map {
            activity.play.restart()
            val who = if (activity.play.session.human == 0) "You begin" else "AI begins"
            assertEquals("$who, drawn at random.", activity.text(R.id.notice))
            activity.play.session.human
        }
        settle(activity)
        assertEquals("both come", setOf(0, 1), drawn.toSet())
    }

    @Test
    fun `choices are remembered for each bundle`() {
        val first = play("tictactoe").get()
        assertEquals(Choices(), first.play.choices)
        first.findViewById<Spinner>(R.id.strength).setSelection(Strength.SIMULATIONS_50.ordinal)
        first.findViewById<Spinner>(R.id.begins).setSelection(Begins.AI.ordinal)
        idle()
        first.press(R.id.always_heat)
        settle(first)
        val chosen = Choices(Strength.SIMULATIONS_50, Begins.AI, alwaysHeat = true)
        assertEquals(chosen, play("tictactoe").get().play.choices)
        assertEquals(Choices(), play("dots_and_boxes").get().play.choices)
    }

    @Test
    fun `every strength has a name, and thinks as long as it says`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        val names = activity.findViewById<Spinner>(R.id.strength).adapter.run { List(count) { getItem(it).toString() } }
        assertEquals("Level 1: beginner", names.first())
        assertEquals(8, names.count { it.startsWith("Level ") })
        val simulations = listOf("50 simulations", "200 simulations", "800 simulations")
        val free = listOf("policy only") + simulations + listOf("1 second", "3 seconds", "10 seconds")
        assertEquals("after the levels", free, names.drop(8))
        activity.findViewById<Spinner>(R.id.strength).setSelection(Strength.SIMULATIONS_200.ordinal)
        idle()
        activity.tap(4)
        settle(activity)
        assertThinks(200, activity.text(R.id.simulations).toInt())
    }

    @Test
    fun `the graph tells the chances`() {
        choose("connect4")
        val activity = play("connect4").get()
        assertEquals("Your chances by move, none known yet", activity.findViewById<View>(R.id.graph).contentDescription)
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        val (move, rate) = activity.play.session.curve().single()
        assertEquals(1, move)
        assertTrue(rate in 0.0..1.0)
        val description = activity.findViewById<View>(R.id.graph).contentDescription
        assertNotNull("$description", Regex("Your chances by move, now \\d+ %").matchEntire(description))
    }
}
