package org.azx.app.screens

import android.app.Activity
import android.view.View
import android.view.ViewGroup
import android.widget.Spinner
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.SMALL
import org.azx.app.engine.records.NOBODY
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.play.table.pause
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.games.GamesActivity
import org.azx.app.screens.library.LibraryActivity
import org.azx.app.screens.settings.SettingsActivity
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.RuntimeEnvironment
import java.io.File

/** What a screen reader and a thumb find on the screens; boards have tests of their own. */
class AccessibilityTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    private fun views(view: View): List<View> = listOf(view) + inside(view).flatMap(::views)

    private fun inside(view: View): List<View> =
        (view as? ViewGroup)?.run { List(childCount, ::getChildAt) } ?: emptyList()

    /** What a person can press, the window's own bar left out. */
    private fun controls(all: List<View>): List<View> = all.filter { it.isShown && it.isClickable && it !is BoardView }

    private fun nameOf(view: View): String {
        // What is made while the app runs has a number, and no name.
        val hasName = view.id != View.NO_ID && view.id ushr 24 != 0
        return if (hasName) view.resources.getResourceEntryName(view.id) else view.javaClass.simpleName
    }

    /** What is read out: its own words, those of its label, or those inside it. */
    private fun wordsOf(view: View, all: List<View>): String {
        val label = all.filterIsInstance<TextView>().find { it.labelFor == view.id && view.id != View.NO_ID }
        val own = listOf(view.contentDescription, (view as? TextView)?.text, (view as? TextView)?.hint, label?.text)
        // What a spinner holds is its choice, not its name.
        val inside = if (view is Spinner) emptyList() else views(view).drop(1).map { (it as? TextView)?.text }
        return (own + inside).filterNotNull().joinToString("")
    }

    /** What a phone has behind tabs, too. */
    private fun check(activity: Activity, atLeast: Int) {
        val (content, found) = activity.findViewById<View>(android.R.id.content) to HashSet<View>()
        for (id in listOf(R.id.tab_moves, R.id.tab_analysis, R.id.tab_game)) {
            activity.findViewById<View>(id)?.performClick()
            idle()
            found += check(content)
        }
        assertTrue("${found.map(::nameOf)}", found.size >= atLeast)
    }

    private fun check(screen: View, atLeast: Int) = assertTrue(check(screen).size >= atLeast)

    private fun check(screen: View): List<View> {
        val all = views(screen)
        val controls = controls(all)
        val least = (48 * screen.resources.displayMetrics.density).toInt()
        for (control in controls) {
            assertTrue("'${nameOf(control)}' has no words", wordsOf(control, all).isNotBlank())
            assertTrue("'${nameOf(control)}' is ${control.height} pixels high", control.height >= least)
            assertTrue("'${nameOf(control)}' is ${control.width} pixels wide", control.width >= least)
        }
        return controls
    }

    @Test
    fun `every control of a game has words and is large enough for a thumb`() {
        choose("gomoku")
        val activity = play("gomoku").get()
        check(activity, 8)
        activity.press(R.id.mode_replay)
        check(activity, 12)
    }

    @Test
    fun `so has every control of a review and of a line that is tried out`() {
        choose("connect4")
        remember("connect4", 0, 38, 37, 31, 30, 24, 23)
        val activity = play("connect4").get()
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        activity.press(R.id.analyse)
        settle(activity)
        activity.tap(activity.board.actionOf(0))
        check(activity, 24)
        val verdicts = activity.findViewById<ViewGroup>(R.id.verdicts)
        for (row in List(verdicts.childCount, verdicts::getChildAt)) assertTrue(row.contentDescription.isNotBlank())
        for (id in listOf(R.id.verdict, R.id.review_status)) {
            assertEquals(View.ACCESSIBILITY_LIVE_REGION_POLITE, activity.findViewById<View>(id).accessibilityLiveRegion)
        }
    }

    @Test
    fun `so has every control of a mistake that is tried again`() {
        choose("connect4")
        remember("connect4", 0, 38, 37, 31, 30, 24, 23, 17)
        val activity = play("connect4").get()
        activity.press(R.id.analyse)
        settle(activity)
        activity.press(R.id.next_mistake)
        assertTrue(activity.isSeen(R.id.retry))
        check(activity, 24)
        activity.press(R.id.retry)
        check(activity, 24)
    }

    @Test
    fun `so has every control of the question before a new game`() {
        for ((bundle, count) in listOf("go" to 12, "gomoku" to 12)) {
            choose(bundle)
            val activity = play(bundle).get()
            activity.press(R.id.new_game)
            check(checkNotNull(activity.asking.dialog).findViewById<View>(R.id.terms), count)
        }
        choose("go", Choices(Strength.SECONDS_1, Begins.YOU))
        val activity = play("go").get()
        activity.press(R.id.new_game)
        check(checkNotNull(activity.asking.dialog).findViewById<View>(R.id.terms), 17)
    }

    @Test
    fun `so has every control of a series, and of the question before it`() {
        install(temporary.root) {
            for (name in listOf("tictactoe", "run-17")) put(File(BUNDLES, "tictactoe"), null, name)
        }
        choose("tictactoe", Choices(Strength.POLICY, Begins.WATCH))
        val activity = play("tictactoe").get()
        activity.play.pause(true)
        activity.play.restart(Choices(Strength.POLICY, Begins.WATCH, sides = seriesSides, count = 10))
        settle(activity)
        assertTrue(activity.isSeen(R.id.series_stop))
        check(activity, 10)
        activity.press(R.id.new_game)
        check(checkNotNull(activity.asking.dialog).findViewById<View>(R.id.terms), 6)
    }

    @Test
    fun `every control of the list has words and is large enough for a thumb`() {
        val activity = start(GamesActivity::class.java).get()
        await("the list") { !activity.isBusy }
        check(activity, 15)
    }

    @Test
    fun `so has every control of the library, with text twice as large too`() {
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        remember("go", 0, 40, 41)
        for (scale in listOf(1f, 2f)) {
            RuntimeEnvironment.setFontScale(scale)
            val activity = start(LibraryActivity::class.java).get()
            await("the list") { !activity.isBusy }
            check(activity, 11)
            val cut = views(activity.findViewById(android.R.id.content)).filterIsInstance<TextView>()
                .filter { it.isShown && it.layout.run { height > it.height } }
            assertEquals(emptyList<String>(), cut.map(::nameOf))
        }
        RuntimeEnvironment.setFontScale(1f)
    }

    @Test
    fun `so has every control of what cannot be played`() {
        install(temporary.root) { for (name in listOf("two_inputs", "batched")) put(File(SMALL, name), null) }
        val activity = start(GamesActivity::class.java).get()
        await("the list") { !activity.isBusy }
        check(activity, 4)
    }

    @Test
    fun `so has every control of the result, of a game that is watched and of the settings`() {
        choose("tictactoe")
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        check(play("tictactoe").get(), 7)
        remember("tictactoe", NOBODY, 0)
        check(play("tictactoe").get(), 6)
        check(start(SettingsActivity::class.java).get(), 4)
    }

    @Test
    fun `what changes by itself is read out`() {
        choose("tictactoe")
        val activity = play("tictactoe").get()
        for (id in listOf(R.id.status, R.id.notice)) {
            assertEquals(View.ACCESSIBILITY_LIVE_REGION_POLITE, activity.findViewById<View>(id).accessibilityLiveRegion)
        }
        assertTrue(activity.findViewById<View>(R.id.status).isAccessibilityHeading)
    }
}
