package org.azx.app.screens.settings

import android.app.LocaleManager
import android.content.res.Configuration
import android.os.Build
import android.os.LocaleList
import android.view.HapticFeedbackConstants
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.bundle.ROOT
import org.azx.app.play.Language
import org.azx.app.play.Preferences
import org.azx.app.play.Sound
import org.azx.app.play.Theme
import org.azx.app.play.Tone
import org.azx.app.screens.Stage
import org.azx.app.screens.board
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.io.File

/** The settings of the app hold at once, and no game is lost by them. */
class SettingsTest : Stage() {
    private fun settings() = start(SettingsActivity::class.java)

    private fun ActivityController<SettingsActivity>.select(id: Int, at: Int) {
        get().findViewById<Spinner>(id).setSelection(at)
        idle()
    }

    private val PlayActivity.isDark: Boolean
        get() = resources.configuration.uiMode and Configuration.UI_MODE_NIGHT_MASK == Configuration.UI_MODE_NIGHT_YES

    /** As on an Android that has no setting of an app's language. */
    private fun before13(test: () -> Unit) = asOn(Build.VERSION_CODES.S_V2, test)

    private var systems: LocaleList
        get() = app.getSystemService(LocaleManager::class.java).applicationLocales
        set(locales) {
            app.getSystemService(LocaleManager::class.java).applicationLocales = locales
        }

    /** What the system does where it has been told of another language. */
    private fun ActivityController<SettingsActivity>.speak(qualifier: String): SettingsActivity {
        RuntimeEnvironment.setQualifiers("+$qualifier")
        configurationChange()
        if (get().window.decorView.parent == null) visible()
        idle()
        return get()
    }

    @Test
    fun `the app tells its version, what it does with data, and its licences`() {
        settings().get().press(R.id.about_app)
        val asked = shadowOf(app).nextStartedActivity
        assertEquals(AboutActivity::class.java.name, asked.component?.className)
        val about = start(AboutActivity::class.java, asked).get()
        val pom = File(ROOT, "apps/android/pom.xml").readText()
        val version = checkNotNull(Regex("<version>(.+?)</version>").find(pom)).groupValues[1]
        assertEquals("Version $version", about.text(R.id.version))
        val licence = about.text(R.id.licence)
        assertTrue(licence, licence.startsWith("Apache License Version 2.0, January 2004"))
        assertTrue(licence, licence.contains("\n\n1. Definitions.\n\n"))
        val notices = about.text(R.id.notices)
        val compiled = "eigen (compiled into tensorflow-lite)"
        for (part in listOf("kotlin-stdlib 2", "tensorflow-lite 2", compiled, "Mozilla Public License")) {
            assertTrue(part, notices.contains(part))
        }
    }

    @Test
    fun `the language is the system's setting where it has one`() {
        val controller = settings()
        assertEquals(0, controller.get().findViewById<Spinner>(R.id.language).selectedItemPosition)
        controller.select(R.id.language, Language.CHINESE.ordinal)
        assertEquals("zh-CN", systems.toLanguageTags())
        assertEquals("the app has none of its own", Language.SYSTEM, Preferences.of(app).language)
        val chinese = controller.speak("zh-rCN")
        assertEquals("应用设置", chinese.title)
        assertEquals(Language.CHINESE.ordinal, chinese.findViewById<Spinner>(R.id.language).selectedItemPosition)
        controller.select(R.id.language, Language.SYSTEM.ordinal)
        assertTrue(systems.isEmpty)
    }

    @Test
    fun `a language that was chosen on the system's own page is shown, and stays`() {
        systems = LocaleList.forLanguageTags("en-US")
        val shown = settings().get().findViewById<Spinner>(R.id.language)
        assertEquals(Language.ENGLISH.ordinal, shown.selectedItemPosition)
        assertEquals("en-US", systems.toLanguageTags())
    }

    @Test
    fun `a language of before is handed to a system that has learnt it, but for one that it knows`() {
        for ((known, wanted) in listOf("" to "zh-CN", "en" to "en")) {
            systems = LocaleList.forLanguageTags(known)
            elsewhere { Preferences(language = Language.CHINESE).keep(app) }
            settings()
            assertEquals(wanted, systems.toLanguageTags())
            assertEquals(Language.SYSTEM, Preferences.of(app).language)
        }
    }

    @Test
    fun `what is chosen is remembered, and the screen changes with it`() = before13 {
        val controller = settings()
        assertEquals(Preferences(), Preferences.of(app))
        controller.select(R.id.language, Language.CHINESE.ordinal)
        assertEquals("应用设置", controller.get().title)
        controller.select(R.id.theme, Theme.DARK.ordinal)
        controller.get().press(R.id.sound)
        assertEquals(Preferences(Theme.DARK, Language.CHINESE, hasSound = true), Preferences.of(app))
        controller.select(R.id.language, Language.SYSTEM.ordinal)
        assertEquals("App settings", controller.get().title)
    }

    @Test
    fun `a game that is under way goes on in other colours and another language`() = before13 {
        choose("tictactoe")
        val controller = play("tictactoe")
        controller.get().tap(4)
        settle(controller.get())
        val table = controller.get().play
        controller.pause().stop()
        elsewhere { Preferences(Theme.DARK, Language.CHINESE).keep(app) }
        controller.restart().start().resume()
        idle()
        val activity = controller.get()
        settle(activity)
        assertSame("the table is the same", table, activity.play)
        assertEquals(2, activity.play.session.moves)
        assertEquals("请点选一格落子", activity.text(R.id.status))
        assertEquals(true, activity.isDark)
    }

    @Test
    fun `a language and colours of one's own hold whatever the system has`() = before13 {
        elsewhere { Preferences(Theme.LIGHT, Language.ENGLISH).keep(app) }
        RuntimeEnvironment.setQualifiers("zh-rCN-w411dp-h731dp-night-xhdpi")
        choose("tictactoe")
        val activity = play("tictactoe").get()
        assertEquals("Tap the cell for your move", activity.text(R.id.status))
        assertEquals(false, activity.isDark)
        assertEquals("the screen is as large as it is", 2f, activity.resources.displayMetrics.density)
    }

    @Test
    fun `a move is heard where a person wants it, and felt`() {
        val (heard, usual) = mutableListOf<Tone>() to Sound.play
        Sound.play = { heard.add(it) }
        try {
            choose("tictactoe")
            remember("tictactoe", 0, 0, 3, 1, 4)
            val silent = play("tictactoe").get()
            silent.tap(2)
            settle(silent)
            assertEquals("off at first", emptyList<Tone>(), heard)
            assertEquals(HapticFeedbackConstants.VIRTUAL_KEY, shadowOf(silent.board).lastHapticFeedbackPerformed())
            elsewhere { Preferences(hasSound = true).keep(app) }
            silent.press(R.id.result_new)
            silent.tap(4)
            settle(silent)
            assertEquals("a move and its answer", listOf(Tone.PLACE, Tone.PLACE), heard)
            silent.press(R.id.undo)
            assertEquals("a move taken back is not heard", 2, heard.size)
        } finally {
            Sound.play = usual
        }
    }
}
