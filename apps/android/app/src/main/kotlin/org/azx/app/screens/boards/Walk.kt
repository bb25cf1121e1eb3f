/** Where the arrow keys lead. */
package org.azx.app.screens.boards

import android.graphics.RectF
import android.view.KeyEvent
import kotlin.math.abs

private class Step(val right: Int, val down: Int)

private val STEPS = mapOf(
    KeyEvent.KEYCODE_DPAD_LEFT to Step(-1, 0),
    KeyEvent.KEYCODE_DPAD_RIGHT to Step(1, 0),
    KeyEvent.KEYCODE_DPAD_UP to Step(0, -1),
    KeyEvent.KEYCODE_DPAD_DOWN to Step(0, 1),
)

/** The nearest spot ahead in the direction of an arrow key, sideways counting double; NONE if there is none. */
internal fun BoardView.spotBeside(spot: Int, keyCode: Int): Int {
    val step = STEPS[keyCode] ?: return BoardView.NONE
    val bounds = RectF()
    boundsOf(spot, bounds)
    val (x, y) = bounds.centerX() to bounds.centerY()
    var found = BoardView.NONE
    var least = Float.MAX_VALUE
    for (each in 0 until spots) {
        boundsOf(each, bounds)
        val far = farness(bounds.centerX() - x, bounds.centerY() - y, step)
        if (far < least) {
            least = far
            found = each
        }
    }
    return found
}

private fun farness(right: Float, down: Float, step: Step): Float {
    val ahead = right * step.right + down * step.down
    val aside = abs(right * step.down) + abs(down * step.right)
    // Places that differ by less than a pixel are in one line.
    return if (ahead < 1) Float.MAX_VALUE else ahead + 2 * aside
}
