package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Color
import org.azx.app.R
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startGomoku
import org.azx.app.engine.games.startHex
import org.azx.app.engine.games.startReversi
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode

/** Colours that can be told apart, and words in both languages. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class BoardResourcesTest {
    private val text = listOf(
        R.color.ink to R.color.paper, R.color.ink to R.color.card, R.color.soft to R.color.paper,
        R.color.soft to R.color.card, R.color.accent_ink to R.color.accent, R.color.alert_ink to R.color.alert,
    )
    private val marks = listOf(
        R.color.edge to R.color.card, R.color.accent to R.color.card, R.color.wood_line to R.color.wood,
        R.color.forbidden to R.color.wood, R.color.red to R.color.hole, R.color.yellow to R.color.hole,
    )

    private fun Context.contrast(pair: Pair<Int, Int>): Float {
        val (least, most) = listOf(pair.first, pair.second).map { Color.luminance(getColor(it)) }.sorted()
        return (most + 0.05f) / (least + 0.05f)
    }

    @Test
    fun `text has a contrast of 4,5 and marks of 3, in light and in dark`() {
        for (context in listOf(themedContext(), themedContext(isDark = true))) {
            for (pair in text) assertTrue(context.resources.getResourceName(pair.first), context.contrast(pair) >= 4.5f)
            for (pair in marks) assertTrue(context.resources.getResourceName(pair.first), context.contrast(pair) >= 3f)
        }
    }

    @Test
    fun `the dark theme is dark`() {
        val papers = listOf(false, true).map { Color.luminance(themedContext(it).getColor(R.color.paper)) }
        assertTrue("$papers", papers[0] > 0.8f && papers[1] < 0.05f)
    }

    @Test
    fun `figures on the discs of a hint have a contrast of 4,5, in light and in dark`() {
        for (isDark in listOf(false, true)) {
            val context = themedContext(isDark)
            val palette = Palette(context)
            // On every board: the best move's disc, and another one's.
            val boards =
                listOf(startGo(9), startReversi(8), startHex(7), startGomoku(9), startConnect4(), startDotsAndBoxes(4))
            for (state in boards) {
                val legal = state.legalActions()
                val (best, other) = legal[0] to legal[legal.size / 2]
                val heat = mapOf(best to 0.6, other to 0.3)
                val board = boardOf(shownOf(state, heat), 800, 800, context)
                val colours = board.picture().pixels().toSet()
                val about = "${state.javaClass.simpleName}, ${if (isDark) "dark" else "light"}"
                for ((ground, ink) in listOf(palette.accent to palette.onAccent, palette.card to palette.accent)) {
                    assertTrue(about, ground in colours && ink in colours)
                    assertTrue("$about: ${palette.contrast(ground, ink)}", palette.contrast(ground, ink) >= 4.5f)
                }
            }
        }
    }

    @Test
    fun `every word of the boards is in Chinese too`() {
        val (english, chinese) = themedContext() to themedContext(language = "zh-CN")
        val same = R.string::class.java.fields.filter { it.name.startsWith("board_") }
            .filter { english.getString(it.getInt(null)) == chinese.getString(it.getInt(null)) }
        assertEquals(listOf("board_ai"), same.map { it.name })
    }
}
