package org.azx.app.screens

import android.app.Activity
import android.view.View
import org.azx.app.R
import org.azx.app.engine.games.byName
import org.azx.app.play.table.isReviewing
import org.azx.app.play.table.review
import org.azx.app.play.table.stopReview
import org.azx.app.screens.people.SetUpActivity
import org.azx.app.screens.play.PlayActivity
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment

private const val SMALL = "w360dp-h640dp-port-xhdpi"
private const val LYING = "w640dp-h360dp-land-xhdpi"
private const val SMALL_TABLET = "w600dp-h960dp-port-mdpi"

private val LANGUAGES = listOf("en-rUS", "zh-rCN")
private val SCALES = listOf(1f, 1.3f, 2f)

/** The words of buttons: a row breaks before a word does. */
class ButtonRowTest : Pictures() {
    private val won = intArrayOf(38, 37, 31, 30, 24, 23, 17)

    @After
    fun restoreText() = RuntimeEnvironment.setFontScale(1f)

    private fun look(device: String, language: String, scale: Float): String {
        look(device, LIGHT, language)
        RuntimeEnvironment.setFontScale(scale)
        return "$device, $language, text of $scale"
    }

    /** How each button's words stand in its lines, if they are broken within a word or cut off. */
    private fun assertWhole(activity: Activity, what: String) {
        val seen = activity.buttons()
        assertTrue(what, seen.size > 2)
        for (button in seen) {
            val (text, layout) = button.text.toString() to button.layout
            val lines = List(layout.lineCount) { text.substring(layout.getLineStart(it), layout.getLineEnd(it)) }
            assertTrue("$what: $lines", lines.dropLast(1).all { it.last().isWhitespace() })
            val room = button.height - button.compoundPaddingTop - button.compoundPaddingBottom
            assertTrue("$what: '$text' is ${layout.height} high in $room", layout.height <= room)
        }
    }

    @Test
    fun `of a game's end are whole, while it is analysed too, in all sizes of text`() {
        val hold = Hold(0)
        watch(hold::before)
        val open = mutableListOf<PlayActivity>()
        try {
            for (device in listOf(SMALL, PHONE, LYING, SMALL_TABLET)) for (language in LANGUAGES) {
                for (scale in if (device == SMALL) SCALES else listOf(if (device == PHONE) 1f else 2f)) {
                    val what = look(device, language, scale)
                    val activity = screen("connect4", 0, won).also(open::add)
                    assertWhole(activity, what)
                    activity.play.review()
                    rest()
                    assertTrue(activity.play.isReviewing)
                    assertWhole(activity, "$what, analysed")
                }
            }
        } finally {
            for (activity in open) activity.play.stopReview()
            hold.release()
        }
        open.forEach(::settle)
    }

    @Test
    fun `of a review are whole, and those beneath a position that is set up`() {
        for (language in LANGUAGES) for (scale in listOf(1f, 2f)) {
            val what = look(SMALL, language, scale)
            val activity = screen("connect4", 0, won)
            activity.play.simulations = 50
            activity.play.review()
            settle(activity)
            assertWhole(activity, "$what, at the end")
            activity.findViewById<View>(R.id.next_mistake).performClick()
            rest()
            assertWhole(activity, "$what, at a mistake")
            val sketch = SetUpActivity.intent(app, byName("connect4"), emptyMap())
            assertWhole(start(SetUpActivity::class.java, sketch).get(), what)
        }
    }

    @Test
    fun `stand in one row where they fit, so that an analysis leaves the board its size`() {
        val hold = Hold(0)
        watch(hold::before)
        look(PHONE, LIGHT)
        val activity = screen("gomoku", 0, intArrayOf(112, 0, 113, 14, 114, 210, 115, 224, 116))
        val (row, high) = activity.findViewById<ButtonRow>(R.id.buttons) to activity.board.height
        assertEquals(row.rowHeight, row.height)
        activity.play.review()
        rest()
        assertEquals(row.rowHeight, row.height)
        assertEquals(high, activity.board.height)
        activity.play.stopReview()
        hold.release()
        settle(activity)
        look(SMALL, "zh-rCN", 2f)
        val large = screen("connect4", 0, won).findViewById<ButtonRow>(R.id.buttons)
        assertTrue("more than one row", large.height > 2 * large.rowHeight)
    }
}
