/** What the tests that compare screens with golden images have in common. */
package org.azx.app.screens

import android.app.Activity
import android.graphics.Rect
import android.os.Looper
import org.azx.app.engine.Evaluation
import org.azx.app.engine.Settings
import org.azx.app.play.Assets
import org.azx.app.screens.play.PlayActivity
import org.junit.Assert.assertEquals
import org.junit.Before
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap

const val LIGHT = "notnight"
const val DARK = "night"

/** Screens in any size, theme and language. */
abstract class Pictures : Stage() {
    private val answers = ConcurrentHashMap<String, MutableMap<Any, Evaluation>>()
    protected val rates = mapOf(0 to 0.52, 2 to 0.55, 4 to 0.5, 6 to 0.66, 8 to 0.71)

    /** A test's pictures show one game in many themes and sizes: its network is asked once. */
    @Before
    fun keepAnswers() {
        val usual = Assets.network
        Assets.network = { bundle ->
            val known = answers.getOrPut(bundle.manifest.bundleName) { ConcurrentHashMap() }
            bundle.readingOrNull?.let { Remembered(usual(bundle), it, known) } ?: usual(bundle)
        }
    }

    /** Android wants the theme just before the density. */
    protected fun look(device: String, theme: String, language: String = "en-rUS") {
        val (size, density) = device.substringBeforeLast("-") to device.substringAfterLast("-")
        RuntimeEnvironment.setQualifiers("$language-$size-$theme-$density")
    }

    /** The screen of a game that is under way. */
    protected fun screen(bundle: String, human: Int, actions: IntArray, settings: Settings = emptyMap()): PlayActivity {
        choose(bundle)
        remember(bundle, human, *actions, settings = settings, rates = rates)
        val activity = play(bundle).get()
        assertEquals("the rules allow the game", actions.toList(), activity.play.session.actions)
        return activity.also { rest() }
    }

    /** Whatever moves has come to rest. */
    protected fun rest() = shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(2))

    protected fun compare(activity: Activity, name: String) {
        rest()
        Goldens.compare(activity, name)
    }

    /** The same screen, scrolled until a part of it is at the bottom. */
    protected fun PlayActivity.bring(id: Int): PlayActivity = apply {
        val view = reach(id)
        view.requestRectangleOnScreen(Rect(0, 0, view.width, view.height), true)
        rest()
    }
}
