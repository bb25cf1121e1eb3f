package org.azx.app.screens.play

import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.HorizontalScrollView
import org.azx.app.R
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.play.provenChance
import org.azx.app.screens.Stage
import org.azx.app.screens.board
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** The list of moves, and the bar of the chances. */
class MoveListTest : Stage() {
    private val won = intArrayOf(38, 37, 31, 30, 24, 23, 17)

    private val PlayActivity.list: HorizontalScrollView get() = findViewById(R.id.move_list)

    private val PlayActivity.moves: List<Button>
        get() = (list.getChildAt(0) as ViewGroup).run { List(childCount) { getChildAt(it) as Button } }

    private val PlayActivity.selected: List<Int> get() = moves.indices.filter { moves[it].isSelected }.map { it + 1 }

    private val PlayActivity.evaluation: EvaluationBar get() = findViewById(R.id.evaluation)

    @Test
    fun `a move joins the list when it is made, and leaves it when it is taken back`() {
        choose("connect4", Choices(Strength.POLICY, Begins.YOU))
        val activity = play("connect4").get()
        assertFalse("nothing was played", activity.list.isShown)
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        assertEquals(2, activity.moves.size)
        assertEquals("1  Column 4", activity.moves[0].text.toString())
        assertEquals("1, Column 4", activity.moves[0].contentDescription)
        assertEquals(listOf(2), activity.selected)
        activity.press(R.id.undo)
        settle(activity)
        assertFalse(activity.list.isShown)
        assertEquals(0, activity.moves.size)
    }

    @Test
    fun `each move shows its position`() {
        choose("connect4")
        remember("connect4", 0, 38, 37, 31, 30)
        val activity = play("connect4").get()
        val known = activity.moves
        activity.moves[1].performClick()
        idle()
        assertTrue("it begins a replay", activity.play.isReplay)
        assertEquals(2, activity.play.session.ply)
        assertEquals(listOf(2), activity.selected)
        activity.press(R.id.forward)
        assertEquals(listOf(3), activity.selected)
        val isSame = known.zip(activity.moves).all { (one, two) -> one === two }
        assertTrue("what a screen reader stands on stays there", isSame)
        activity.tap(activity.board.actionOf(0))
        assertEquals("a line is not in the list", emptyList<Int>(), activity.selected)
        activity.moves[3].performClick()
        assertNull(activity.play.line)
        assertEquals(4, activity.play.session.ply)
    }

    @Test
    fun `the move that is shown is in sight in a long list`() {
        choose("go")
        remember("go", 0, *(0 until 30).map { it * 2 }.toIntArray())
        val activity = play("go").get()
        val isSeen = { at: Int ->
            val seen = activity.list.run { scrollX..scrollX + width }
            activity.moves[at].run { left in seen && right in seen }
        }
        assertTrue(isSeen(29))
        assertFalse(isSeen(0))
        activity.press(R.id.mode_replay)
        activity.press(R.id.first)
        activity.press(R.id.forward)
        assertTrue(isSeen(0))
        assertFalse(isSeen(29))
    }

    @Test
    fun `an analysis marks moves, in words too`() {
        choose("connect4")
        remember("connect4", 0, *won)
        val activity = play("connect4").get()
        activity.press(R.id.analyse)
        settle(activity)
        val glyphs = mapOf("GOOD" to "", "INACCURACY" to " ?!", "MISTAKE" to " ?", "BLUNDER" to " ??")
        activity.play.session.judged.zip(activity.moves).forEachIndexed { at, (judged, button) ->
            val name = "Column ${won[at] % 7 + 1}"
            assertEquals("${at + 1}  $name${glyphs.getValue(judged.verdict.name)}", button.text.toString())
            val called = if (judged.verdict.name == "GOOD") "" else ", ${judged.verdict.name.lowercase()}"
            assertEquals("${at + 1}, $name$called", button.contentDescription)
        }
        assertTrue(activity.moves.any { it.text.endsWith("??") })
    }

    @Test
    fun `the bar has the chances of the position that is shown, and says so where none are known`() {
        choose("connect4")
        remember("connect4", 1, 38, 37, 31, 30, 24, rates = mapOf(0 to 0.4, 2 to 0.25))
        val activity = play("connect4").get()
        activity.press(R.id.mode_replay)
        assertEquals(0.25, activity.evaluation.chance!!, 0.0)
        activity.press(R.id.first)
        assertEquals(0.4, activity.evaluation.chance!!, 0.0)
        activity.press(R.id.hint)
        settle(activity)
        val known = activity.play.found?.known?.provenChance
        assertEquals("player 0 moves and wins, as the table knows", 1.0, known!!, 0.0)
        assertEquals("the person is player 1", 0.0, activity.evaluation.chance!!, 0.0)
        assertEquals(1f, activity.evaluation.alpha)
    }

    @Test
    fun `without a value there is no bar, before the first thought a faint one`() {
        choose("tictactoe")
        assertFalse(play("tictactoe").get().evaluation.isShown)
        choose("connect4")
        val bar = play("connect4").get().evaluation
        assertTrue(bar.isShown)
        assertNull(bar.chance)
        assertTrue("${bar.alpha}", bar.alpha < 0.5f)
        assertEquals(View.IMPORTANT_FOR_ACCESSIBILITY_NO, bar.importantForAccessibility)
    }
}
