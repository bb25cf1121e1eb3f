package org.azx.app.screens.play

import android.app.AlertDialog
import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.RadioButton
import android.widget.RadioGroup
import android.widget.Spinner
import android.widget.Switch
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Gomoku
import org.azx.app.engine.games.Hex
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.screens.LANDSCAPE
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.assertPhase
import org.azx.app.screens.board
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** What is asked before a new game. */
class NewGameTest : Stage() {
    private fun ask(bundle: String, choices: Choices = Choices(Strength.LEVEL_4, Begins.YOU)): PlayActivity {
        choose(bundle, choices)
        return play(bundle).get().also { it.press(R.id.new_game) }
    }

    private val PlayActivity.dialog: AlertDialog get() = checkNotNull(asking.dialog)

    private fun <Found : View> PlayActivity.asked(id: Int): Found = dialog.findViewById(id)

    private val PlayActivity.steps: List<Button>
        get() = asked<ViewGroup>(R.id.terms_levels).run { List(childCount) { getChildAt(it) as ViewGroup } }
            .flatMap { row -> List(row.childCount) { row.getChildAt(it) as Button } }

    private val PlayActivity.exact: List<RadioButton>
        get() = asked<RadioGroup>(R.id.terms_exact).run { List(childCount) { getChildAt(it) as RadioButton } }

    private fun PlayActivity.strengthText(): String = asked<TextView>(R.id.terms_strength).text.toString()

    private fun Spinner.names(): List<String> = List(count) { getItemAtPosition(it).toString() }

    @Test
    fun `a level is one of eight steps, each called by its name`() {
        val activity = ask("connect4")
        val title = activity.resources.getIdentifier("alertTitle", "id", "android")
        assertEquals("New game: Four in a row", activity.asked<TextView>(title).text.toString())
        assertEquals((1..8).map { "$it" }, activity.steps.map { it.text.toString() })
        assertEquals("Level 8: full strength", activity.steps[7].contentDescription)
        assertEquals(listOf(3), activity.steps.indices.filter { activity.steps[it].isSelected })
        assertEquals("Level 4: average", activity.strengthText())
        activity.steps[5].performClick()
        assertEquals(listOf(5), activity.steps.indices.filter { activity.steps[it].isSelected })
        assertEquals("Level 6: strong", activity.strengthText())
        activity.agree()
        settle(activity)
        assertEquals(Strength.LEVEL_6, activity.play.choices.strength)
    }

    @Test
    fun `an exact strength is there for who wants it`() {
        val activity = ask("connect4")
        assertFalse(activity.asked<View>(R.id.terms_exact).isShown)
        activity.asked<View>(R.id.terms_open_exact).performClick()
        assertTrue(activity.asked<View>(R.id.terms_exact).isShown)
        val names = listOf("policy only", "50 simulations", "200 simulations", "800 simulations") +
            listOf("1 second", "3 seconds", "10 seconds")
        assertEquals(names, activity.exact.map { it.text.toString() })
        activity.exact[2].performClick()
        assertEquals("no step is chosen any more", 0, activity.steps.count { it.isSelected })
        assertEquals("200 simulations", activity.strengthText())
        activity.steps[0].performClick()
        assertEquals("nor is a figure", 0, activity.exact.count { it.isChecked })
        activity.exact[1].performClick()
        activity.agree()
        settle(activity)
        assertEquals(Strength.SIMULATIONS_50, activity.play.choices.strength)
        activity.press(R.id.new_game)
        assertTrue("what was chosen among them is in sight", activity.asked<View>(R.id.terms_exact).isShown)
        assertEquals(listOf(1), activity.exact.indices.filter { activity.exact[it].isChecked })
    }

    @Test
    fun `only a game that has settings is asked for them`() {
        val activity = ask("connect4")
        for (id in listOf(R.id.terms_komi_part, R.id.terms_rule)) assertFalse(activity.asked<View>(id).isShown)
    }

    @Test
    fun `komi is that of the next game of Go`() {
        val activity = ask("go", Choices(Strength.POLICY, Begins.YOU))
        val komi = activity.asked<Spinner>(R.id.terms_komi)
        assertEquals(listOf("0.5", "5.5", "6.5", "7.5"), komi.names())
        assertEquals("7.5", komi.selectedItem.toString())
        komi.setSelection(1)
        idle()
        activity.agree()
        settle(activity)
        assertEquals(5.5, (activity.play.session.latest as Go).komi, 0.0)
        activity.press(R.id.new_game)
        val next = activity.asked<Spinner>(R.id.terms_komi)
        assertEquals("what was chosen last is there", "5.5", next.selectedItem.toString())
        activity.agree(false)
        activity.press(R.id.pass)
        settle(activity)
        assertEquals("and kept with the game", 5.5, library.list().single().settings["komi"])
        assertEquals(5.5, play("go").get().play.choices.komi!!, 0.0)
    }

    @Test
    fun `a komi that a record has brought is offered too`() {
        choose("go")
        remember("go", 0, 40, 41, settings = mapOf("komi" to 6.0))
        val activity = play("go").get()
        activity.press(R.id.new_game)
        val komi = activity.asked<Spinner>(R.id.terms_komi)
        assertEquals(listOf("0.5", "5.5", "6", "6.5", "7.5"), komi.names())
        assertEquals("6", komi.selectedItem.toString())
    }

    @Test
    fun `the Renju rule begins a game under it, and the game before it stays`() {
        choose("gomoku")
        val activity = play("gomoku").get()
        activity.tap(112)
        settle(activity)
        activity.press(R.id.new_game)
        val rule = activity.asked<Switch>(R.id.terms_rule)
        assertEquals("Renju rule", rule.text.toString())
        assertFalse(rule.isChecked)
        rule.isChecked = true
        activity.agree()
        settle(activity)
        assertEquals("renju", (activity.play.session.latest as Gomoku).rule)
        assertEquals(listOf(2), library.list().map { it.actions.size })
        activity.press(R.id.new_game)
        assertTrue(activity.asked<Switch>(R.id.terms_rule).isChecked)
        activity.asked<Switch>(R.id.terms_rule).isChecked = false
        activity.agree()
        settle(activity)
        assertEquals("freestyle", (activity.play.session.latest as Gomoku).rule)
    }

    @Test
    fun `in Hex the second player may take the first stone over`() {
        val activity = ask("hex", Choices(Strength.POLICY, Begins.AI))
        val rule = activity.asked<Switch>(R.id.terms_rule)
        assertEquals("Swap rule: the second player may take the first stone over", rule.text.toString())
        rule.isChecked = true
        activity.agree()
        settle(activity)
        activity.assertPhase(Phase.YOURS)
        val stone = activity.play.session.actions.single()
        assertTrue((activity.play.session.latest as Hex).isSwapOpen)
        activity.tap(stone)
        settle(activity)
        assertEquals("taken over, and answered", 3, activity.play.session.moves)
        assertEquals(listOf(stone, stone), activity.play.session.actions.take(2))
        assertEquals("swap", library.list().single().settings["rule"])
    }

    @Test
    fun `the question and what was chosen outlive the device's turn and the end of the process`() {
        choose("gomoku", Choices(Strength.LEVEL_4, Begins.YOU))
        val controller = play("gomoku")
        val activity = controller.get()
        activity.press(R.id.new_game)
        activity.steps[1].performClick()
        activity.asked<Switch>(R.id.terms_rule).isChecked = true
        val turned = turn(controller, LANDSCAPE)
        assertTrue(turned.dialog.isShowing)
        assertEquals("Level 2: novice", turned.strengthText())
        turned.steps[2].performClick()
        val state = Bundle()
        controller.pause().saveInstanceState(state).stop().destroy()
        endProcess()
        val after = play("gomoku", state).get()
        assertEquals("Level 3: casual", after.strengthText())
        assertTrue(after.asked<Switch>(R.id.terms_rule).isChecked)
        assertEquals("nothing was chosen yet", Strength.LEVEL_4, after.play.choices.strength)
        after.agree()
        settle(after)
        assertEquals(Strength.LEVEL_3, after.play.choices.strength)
        assertEquals("renju", (after.play.session.latest as Gomoku).rule)
        val last = turn(play("gomoku"), LANDSCAPE)
        assertEquals("who has answered is not asked again", null, last.asking.dialog)
    }
}
