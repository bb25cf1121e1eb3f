package org.azx.app.screens.play

import android.annotation.TargetApi
import android.content.Context
import android.os.Build
import android.os.PowerManager
import org.azx.app.play.Warmth

/** Tells how warm the device is, from `start` to `stop`, at once and whenever that changes. Before Android 10 no device says. */
class Thermometer(context: Context, tell: (Warmth) -> Unit) {
    private val sensor = if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) Sensor(context, tell) else null

    fun start() = sensor?.start() ?: Unit

    fun stop() = sensor?.stop() ?: Unit
}

@TargetApi(Build.VERSION_CODES.Q)
private class Sensor(context: Context, private val tell: (Warmth) -> Unit) {
    private val power = context.getSystemService(PowerManager::class.java)
    private val listener = PowerManager.OnThermalStatusChangedListener { tell(warmthOf(it)) }

    fun start() {
        tell(warmthOf(power.currentThermalStatus))
        power.addThermalStatusListener(listener)
    }

    fun stop() = power.removeThermalStatusListener(listener)

    /** What is moderate is nothing yet that a person would feel, as Android has it. */
    private fun warmthOf(status: Int): Warmth = when {
        status >= PowerManager.THERMAL_STATUS_CRITICAL -> Warmth.CRITICAL
        status >= PowerManager.THERMAL_STATUS_SEVERE -> Warmth.SERIOUS
        else -> Warmth.FINE
    }
}
