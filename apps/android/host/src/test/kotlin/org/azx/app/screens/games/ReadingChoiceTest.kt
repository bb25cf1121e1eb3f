package org.azx.app.screens.games

import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.RadioButton
import android.widget.RadioGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.CHOOSABLE
import org.azx.app.play.Memory
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.settle
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Shadows.shadowOf
import java.io.File

/** "Is this how it sees the board?": asked on the card of a network of which that is not known. */
class ReadingChoiceTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    @Before
    fun shelve() = install(temporary.root) {
        put(File(BUNDLES, "tictactoe"), emptyList(), "tictactoe", "\"checkpoint\": {" to "$CHOOSABLE \"checkpoint\": {")
        put(File(BUNDLES, "connect4"), emptyList())
    }

    private fun games(): GamesActivity {
        val activity = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    private fun kept(): String? {
        var found: String? = null
        elsewhere { found = Memory(app, "tictactoe").reading }
        return found
    }

    private fun GamesActivity.card(at: Int): View = findViewById<ViewGroup>(R.id.list).getChildAt(at)

    private fun GamesActivity.ask(): List<RadioButton> {
        card(0).findViewById<View>(R.id.reading).performClick()
        idle()
        val group = checkNotNull(readings.dialog).findViewById<RadioGroup>(R.id.readings)
        return List(group.childCount) { group.getChildAt(it) as RadioButton }
    }

    private fun GamesActivity.choose(at: Int): Intent {
        ask()[at].performClick()
        await("the choice") { !isBusy }
        assertFalse(checkNotNull(readings.dialog).isShowing)
        return checkNotNull(shadowOf(this).nextStartedActivity)
    }

    @Test
    fun `it offers each reading that fits, in words`() {
        val activity = games()
        assertFalse("nothing to ask", activity.card(1).findViewById<View>(R.id.reading).isShown)
        val offered = activity.ask()
        val words = listOf(
            "+1 the player to move, −1 the opponent; top row first\nthe usual way",
            "+1 the opponent, −1 the player to move; top row first\ntictactoe-signed-opponent",
            "1 the player who began, 2 the player who came second; bottom row first\ntictactoe-bottom-first",
        )
        assertEquals(words, offered.map { it.text.toString() })
        assertEquals(listOf(true, false, false), offered.map { it.isChecked })
        val density = activity.resources.displayMetrics.density
        for (each in offered) assertTrue("${each.height}", each.height >= 48 * density)
    }

    @Test
    fun `a choice begins a new game, is said on the card and kept with the bundle`() {
        choose("tictactoe")
        remember("tictactoe", 0, 0, 3)
        val started = games().choose(1)
        assertEquals(PlayActivity::class.java.name, started.component?.className)
        val activity = start(PlayActivity::class.java, started).get()
        settle(activity)
        assertEquals("a new game", 0, activity.play.session.moves)
        assertEquals("what was under way is in the library", 1, library.list().size)
        assertEquals(listOf("signed_opponent"), checkNotNull(activity.play.opened.bundle.readingOrNull).encoding.planes)
        val list = games()
        val details = list.card(0).findViewById<TextView>(R.id.details).text.toString()
        val said = "you chose: +1 the opponent, −1 the player to move; top row first."
        assertTrue(details, "How this network sees the board is not known; $said" in details)
        assertEquals(listOf(false, true, false), list.ask().map { it.isChecked })
        list.choose(0)
        assertNull(kept())
    }

    @Test
    fun `a bundle that is removed takes the choice along`() {
        elsewhere { Memory(app, "tictactoe").keepReading("tictactoe-signed-opponent") }
        assertEquals("tictactoe-signed-opponent", kept())
        elsewhere { Memory(app, "tictactoe").forget() }
        assertNull(kept())
    }
}
