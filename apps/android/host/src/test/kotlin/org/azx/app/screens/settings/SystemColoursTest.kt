package org.azx.app.screens.settings

import android.app.QueuedWork
import android.content.Context
import android.graphics.Color
import android.graphics.ColorSpace
import android.os.Build
import android.util.TypedValue
import android.view.ContextThemeWrapper
import android.view.View
import android.widget.Switch
import org.azx.app.R
import org.azx.app.play.Preferences
import org.azx.app.screens.PHONE
import org.azx.app.screens.Stage
import org.azx.app.screens.board
import org.azx.app.screens.boards.picture
import org.azx.app.screens.boards.pixels
import org.azx.app.screens.colourOf
import org.azx.app.screens.contrast
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.util.ReflectionHelpers
import kotlin.math.cos
import kotlin.math.sin

// What a text needs, by the Web Content Accessibility Guidelines.
private const val LEAST = 4.5f

/** Which text stands on which grounds. */
private val GROUNDS = mapOf(
    R.attr.ink to listOf(R.attr.paper, R.attr.card, R.attr.bar),
    R.attr.soft to listOf(R.attr.paper, R.attr.card, R.attr.bar),
    R.attr.accent to listOf(R.attr.paper, R.attr.card),
    R.attr.accent_ink to listOf(R.attr.accent),
)

/** Words of a verdict, whose colours no theme changes. */
private val VERDICTS = listOf(R.color.mistake, R.color.passed, R.color.failed)

/** The colours of the overlay by their roles. */
private val SYSTEMS = mapOf(
    R.attr.paper to R.color.system_paper,
    R.attr.card to R.color.system_card,
    R.attr.bar to R.color.system_bar,
    R.attr.ink to R.color.system_ink,
    R.attr.soft to R.color.system_soft,
    R.attr.accent to R.color.system_accent,
    R.attr.accent_ink to R.color.system_accent_ink,
)

/** How light Android makes a colour by the number in its name; 100 is white. */
private val TONES = mapOf(
    "0" to 100.0, "10" to 99.0, "50" to 95.0, "100" to 90.0, "200" to 80.0, "300" to 70.0, "400" to 60.0,
    "500" to 49.6, "600" to 40.0, "700" to 30.0, "800" to 20.0, "900" to 10.0, "1000" to 0.0,
)

/** The system's colours hold where a person wants them: what is written can be read, and no board changes. */
class SystemColoursTest : Stage() {
    private fun settings() = start(SettingsActivity::class.java)

    private val SettingsActivity.switch: Switch get() = findViewById(R.id.system_colours)

    private fun want() = elsewhere { Preferences(hasSystemColours = true).keep(app) }

    /** The process ends: the next one knows what is on the disk. */
    private fun forget() {
        elsewhere { QueuedWork.waitToFinish() }
        ReflectionHelpers.setStaticField(Class.forName("android.app.ContextImpl"), "sSharedPrefsCache", null)
    }

    private fun themed(context: Context, vararg styles: Int) = ContextThemeWrapper(context, R.style.AppTheme).apply {
        for (style in styles) theme.applyStyle(style, true)
    }

    /** Each text on each of its grounds that is hard to read in colours by role. */
    private fun unreadable(context: Context, colourOf: (Int) -> Int): List<String> {
        val roles = GROUNDS.flatMap { (text, grounds) -> grounds.map { Triple(nameOf(text), colourOf(text), it) } }
        val verdicts = VERDICTS.flatMap { text ->
            listOf(R.attr.paper, R.attr.card).map { Triple(nameOf(text), context.getColor(text), it) }
        }
        return (roles + verdicts).mapNotNull { (name, colour, ground) ->
            val found = contrast(colour, colourOf(ground))
            if (found < LEAST) "$name on ${nameOf(ground)}: $found" else null
        }
    }

    private fun nameOf(id: Int) = app.resources.getResourceEntryName(id)

    private fun inBoth(test: (String) -> Unit) {
        for (mode in listOf("notnight", "night")) {
            RuntimeEnvironment.setQualifiers("+$mode")
            test(mode)
        }
    }

    @Test
    fun `each text can be read on its grounds, in azx' colours and in this system's`() = inBoth { mode ->
        for (styles in listOf(intArrayOf(), intArrayOf(R.style.SystemColours))) {
            val context = themed(app, *styles)
            assertEquals(mode, emptyList<String>(), unreadable(context, context::colourOf))
        }
    }

    @Test
    fun `so it can in whatever colours a system makes of a wallpaper`() = inBoth { mode ->
        for (hue in listOf(20.0, 110.0, 200.0, 290.0)) for (chroma in listOf(0.0, 16.0, 60.0)) {
            val palette = { role: Int -> tinted(toneOf(SYSTEMS.getValue(role)), hue, chroma) }
            assertEquals("$mode, $hue, $chroma", emptyList<String>(), unreadable(app, palette))
        }
    }

    /** The lightness that Android promises of the colour that a resource stands for. */
    private fun toneOf(colour: Int): Double {
        val value = TypedValue()
        app.resources.getValue(colour, value, false)
        // A reference to another of the app's own, or to the framework's.
        val target = value.data
        if (app.resources.getResourcePackageName(target) != "android") return toneOf(target)
        return TONES.getValue(nameOf(target).substringAfterLast('_'))
    }

    /** A colour of that lightness and hue, in degrees, as vivid as the screen shows it up to `chroma`. */
    private fun tinted(tone: Double, hue: Double, chroma: Double): Int {
        val (lab, screens) = ColorSpace.Named.CIE_LAB to ColorSpace.Named.EXTENDED_SRGB
        val convert = ColorSpace.connect(ColorSpace.get(lab), ColorSpace.get(screens))
        val (a, b) = cos(Math.toRadians(hue)) to sin(Math.toRadians(hue))
        val colours = generateSequence(chroma) { it - 1 }.takeWhile { it > 0 } + 0.0
        val shown = colours.map { convert.transform(tone.toFloat(), (a * it).toFloat(), (b * it).toFloat()) }
        // White is a little more than a screen shows, by rounding.
        val (red, green, blue) = shown.first { colour -> colour.all { it in -0.001f..1.001f } }
        return Color.rgb(red.coerceIn(0f, 1f), green.coerceIn(0f, 1f), blue.coerceIn(0f, 1f))
    }

    @Test
    fun `azx' own colours stand until others are chosen, which outlive a turn and the end of the process`() {
        val controller = settings()
        val own = app.getColor(R.color.accent)
        val systems = app.getColor(android.R.color.system_accent1_600)
        assertNotEquals(own, systems)
        assertEquals(own, controller.get().colourOf(R.attr.accent))
        assertFalse(controller.get().switch.isChecked)
        controller.get().press(R.id.system_colours)
        assertEquals("at once", systems, controller.get().colourOf(R.attr.accent))
        assertTrue(controller.get().switch.isChecked)
        turned(controller, "w731dp-h411dp-land-xhdpi")
        assertEquals(systems, controller.get().colourOf(R.attr.accent))
        turned(controller, PHONE)
        forget()
        val next = settings().get()
        assertEquals("after the end of the process", systems, next.colourOf(R.attr.accent))
        assertTrue(next.switch.isChecked)
        next.press(R.id.system_colours)
        assertEquals(Preferences(), Preferences.of(app))
    }

    @Test
    fun `a screen behind the settings is in the chosen colours when it is seen again`() {
        choose("tictactoe")
        val controller = play("tictactoe")
        val table = controller.get().play
        controller.pause().stop()
        want()
        controller.restart().start().resume()
        idle()
        assertEquals(app.getColor(android.R.color.system_accent1_600), controller.get().colourOf(R.attr.accent))
        assertSame("the table is the same", table, controller.get().play)
    }

    @Test
    fun `boards keep their colours`() {
        for ((bundle, action) in mapOf("connect4" to 38, "dots_and_boxes" to 0, "hex" to 0, "tictactoe" to 0)) {
            choose(bundle)
            remember(bundle, 1, action)
            val pictures = listOf(Preferences(), Preferences(hasSystemColours = true)).map { preferences ->
                elsewhere { preferences.keep(app) }
                play(bundle).get().board.picture()
            }
            val (own, systems) = pictures.map { it.pixels() }
            assertArrayEquals(bundle, own, systems)
        }
    }

    @Test
    fun `an Android that makes no colours offers none, and a choice of a later one is without effect`() {
        assertEquals(View.VISIBLE, settings().get().switch.visibility)
        want()
        asOn(Build.VERSION_CODES.R) {
            val before = settings().get()
            assertEquals(View.GONE, before.switch.visibility)
            assertEquals(app.getColor(R.color.accent), before.colourOf(R.attr.accent))
        }
    }
}
