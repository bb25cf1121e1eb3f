package org.azx.app.play

/** How warm the device is, as its system says: from `SERIOUS` on it asks apps to do less. */
enum class Warmth(internal val parts: Int) { FINE(1), SERIOUS(2), CRITICAL(4) }

/** Whether a thought of this kind is shorter on a warm device. A level is as strong as it was measured, on each device. */
val Limit.canBeLessened: Boolean get() = this is Limit.Simulations || this is Limit.Seconds

/** A half of the thought on a warm device, a quarter on a hot one; one simulation at least. */
fun Limit.lessen(warmth: Warmth): Limit = when (this) {
    is Limit.Simulations -> Limit.Simulations(maxOf(1, count / warmth.parts))
    is Limit.Seconds -> Limit.Seconds(count / warmth.parts)
    is Limit.Policy, is Limit.Level -> this
}
