package org.azx.app.screens.boards

import android.animation.ValueAnimator
import android.view.animation.Interpolator
import kotlin.math.sqrt

/**
 * Moves discs from above the board to their cells, one after the other; at once if the system's animations are off.
 *
 * No more than one disc waits: with a third one the disc that falls has landed.
 */
internal class Fall(private val changed: () -> Unit) {
    /** The cell that a disc falls to; BoardView.NONE while none falls. */
    var cell = BoardView.NONE
        private set

    /** How much of the way is left, 1 to 0. */
    var left = 0f
        private set

    /** The cell whose disc falls next, hidden until then; BoardView.NONE if none waits. */
    var waiting = BoardView.NONE
        private set

    private var waitingRows = 0
    private var animator: ValueAnimator? = null

    /** Let a disc fall `rows` rows to `cell`, after the one that falls now. */
    fun start(cell: Int, rows: Int) {
        if (!ValueAnimator.areAnimatorsEnabled()) return stop()
        if (this.cell == BoardView.NONE) return drop(cell, rows)
        if (waiting != BoardView.NONE) drop(waiting, waitingRows)
        waiting = cell
        waitingRows = rows
        changed()
    }

    private fun drop(cell: Int, rows: Int) {
        stop()
        this.cell = cell
        left = 1f
        animator = ValueAnimator.ofFloat(1f, 0f).apply {
            duration = (MILLISECONDS * sqrt(rows.toDouble())).toLong()
            interpolator = GRAVITY
            addUpdateListener { move(it.animatedValue as Float, it.animatedFraction >= 1f) }
            start()
        }
    }

    /** Put the discs into their cells. */
    fun stop() {
        animator?.cancel()
        animator = null
        cell = BoardView.NONE
        waiting = BoardView.NONE
        changed()
    }

    private fun move(left: Float, isOver: Boolean) {
        this.left = left
        if (isOver && waiting != BoardView.NONE) return drop(waiting, waitingRows)
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
