package org.azx.app.screens.boards

import android.animation.ValueAnimator
import android.view.animation.DecelerateInterpolator

/** Lets pieces grow to their full size in their places; at once if the system's animations are off. */
internal class Growing(private val changed: () -> Unit) {
    private val underWay = HashMap<Int, ValueAnimator>()

    /** Whether a piece is still smaller than it will be. */
    val isUnderWay: Boolean get() = underWay.isNotEmpty()

    /** How much of an action's piece is there, 0 to 1. */
    fun of(action: Int): Float = underWay[action]?.animatedValue as? Float ?: 1f

    /** Let the piece of an action grow; the other pieces go on growing. */
    fun start(action: Int) {
        if (!ValueAnimator.areAnimatorsEnabled()) return stop()
        underWay.remove(action)?.cancel()
        underWay[action] = ValueAnimator.ofFloat(0f, 1f).apply {
            duration = MILLISECONDS
            interpolator = DecelerateInterpolator()
            addUpdateListener {
                if (animatedFraction >= 1f) underWay.remove(action)
                changed()
            }
            start()
        }
    }

    /** Show all pieces in their full size. */
    fun stop() {
        val before = underWay.values.toList()
        underWay.clear()
        before.forEach { it.cancel() }
        changed()
    }

    private companion object {
        const val MILLISECONDS = 200L
    }
}
