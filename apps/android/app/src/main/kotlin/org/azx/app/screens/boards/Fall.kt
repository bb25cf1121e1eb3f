/** The fall of a disc. */
package org.azx.app.screens.boards

import android.animation.ValueAnimator
import android.view.animation.Interpolator
import kotlin.math.sqrt

/** Moves one disc from above the board to its cell; at once where the system's animations are off. */
internal class Fall(private val changed: () -> Unit) {
    /** The cell that a disc falls to; BoardView.NONE while none falls. */
    var cell = BoardView.NONE
        private set

    /** How much of the way is left, 1 to 0. */
    var left = 0f
        private set

    private var animator: ValueAnimator? = null

    /** Let a disc fall `rows` rows to `cell`. */
    fun start(cell: Int, rows: Int) {
        stop()
        if (!ValueAnimator.areAnimatorsEnabled()) return
        this.cell = cell
        left = 1f
        animator = ValueAnimator.ofFloat(1f, 0f).apply {
            duration = (MILLISECONDS * sqrt(rows.toDouble())).toLong()
            interpolator = GRAVITY
            addUpdateListener { move(it.animatedValue as Float, it.animatedFraction >= 1f) }
            start()
        }
    }

    /** Put the disc into its cell. */
    fun stop() {
        animator?.cancel()
        animator = null
        cell = BoardView.NONE
        changed()
    }

    private fun move(left: Float, isOver: Boolean) {
        this.left = left
        if (isOver) cell = BoardView.NONE
        changed()
    }

    private companion object {
        /** The time of a fall through one row; it grows with the root of the height. */
        const val MILLISECONDS = 210.0
        const val LANDING = 0.72f
        const val BOUNCE = 0.05f

        /** Faster and faster, then one small bounce. */
        val GRAVITY = Interpolator { time ->
            val since = (time - LANDING) / (1 - LANDING)
            if (since < 0) (time / LANDING) * (time / LANDING) else 1 - BOUNCE * 4 * since * (1 - since)
        }
    }
}
