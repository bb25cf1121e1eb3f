package org.azx.app.screens.play

import android.os.Build
import android.os.PowerManager
import org.azx.app.R
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.screens.Stage
import org.azx.app.screens.assertThinks
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowPowerManager

/** A device that is warm: the network thinks less, and the screen says so where it is true. */
class WarmthTest : Stage() {
    private val power: ShadowPowerManager get() = shadowOf(app.getSystemService(PowerManager::class.java))

    private fun warm(status: Int) {
        power.setCurrentThermalStatus(status)
        idle()
    }

    private fun said(activity: PlayActivity): String = activity.text(R.id.notice)

    private fun simulations(activity: PlayActivity): Int? {
        activity.tap(activity.play.session.latest.legalActions().first())
        settle(activity)
        return activity.play.progress?.simulations
    }

    private fun opened(strength: Strength, bundle: String = "tictactoe"): PlayActivity {
        choose(bundle, Choices(strength, Begins.YOU))
        return play(bundle).get()
    }

    @Test
    fun `it thinks half as long on a warm device and a quarter on a hot one`() {
        fun check(status: Int, bundle: String, wanted: Int, sentence: String) {
            warm(status)
            val activity = opened(Strength.SIMULATIONS_50, bundle)
            assertEquals(sentence, said(activity))
            assertThinks(wanted, simulations(activity))
        }
        check(PowerManager.THERMAL_STATUS_MODERATE, "connect4", 50, "")
        check(PowerManager.THERMAL_STATUS_SEVERE, "gomoku", 25, "This device is warm: AI thinks half as long.")
        val hot = "This device is hot: AI thinks a quarter as long."
        check(PowerManager.THERMAL_STATUS_CRITICAL, "tictactoe", 12, hot)
    }

    @Test
    fun `it says so while the device grows warm and cool again, for as long as the screen is there`() {
        choose("tictactoe", Choices(Strength.SECONDS_1, Begins.YOU))
        val controller = play("tictactoe")
        warm(PowerManager.THERMAL_STATUS_EMERGENCY)
        assertEquals("This device is hot: AI thinks a quarter as long.", said(controller.get()))
        warm(PowerManager.THERMAL_STATUS_NONE)
        assertEquals("", said(controller.get()))
        assertEquals(1, power.thermalStatusListeners.size)
        controller.pause().stop()
        assertTrue(power.thermalStatusListeners.isEmpty())
    }

    @Test
    fun `a level plays as it was measured, and nothing is said`() {
        warm(PowerManager.THERMAL_STATUS_SEVERE)
        val activity = opened(Strength.LEVEL_8)
        assertEquals("", said(activity))
        assertThinks(200, simulations(activity))
    }

    @Test
    fun `before Android 10 no device says how warm it is`() = asOn(Build.VERSION_CODES.P) {
        warm(PowerManager.THERMAL_STATUS_SEVERE)
        assertThinks(50, simulations(opened(Strength.SIMULATIONS_50)))
        assertFalse(power.thermalStatusListeners.isNotEmpty())
    }
}
