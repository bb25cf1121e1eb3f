/** The keys by which a person goes through a game, and presses buttons that stand elsewhere. */
package org.azx.app.screens.play

import android.app.Activity
import android.view.KeyEvent
import android.view.View
import org.azx.app.R
import org.azx.app.play.table.Table
import org.azx.app.play.table.showAt
import org.azx.app.play.table.walk

private val STEPS = mapOf(KeyEvent.KEYCODE_DPAD_LEFT to -1, KeyEvent.KEYCODE_DPAD_RIGHT to 1)

/** The position, counted in moves, that a key of a replay leads to; null if the key has no meaning. */
private fun Table.placeOf(keyCode: Int): Int? = when (keyCode) {
    KeyEvent.KEYCODE_MOVE_HOME -> session.setUp
    KeyEvent.KEYCODE_MOVE_END -> session.moves
    else -> null
}

/** Let a key that no view has heard go through a replay, or press its letter's button; false if it does neither. */
fun Activity.hear(keyCode: Int, event: KeyEvent, table: Table): Boolean {
    if (!event.hasNoModifiers()) return false
    val step = STEPS[keyCode]
    if (step != null && table.isReplay) return true.also { table.walk(step) }
    val moves = if (table.isReplay) table.placeOf(keyCode) else null
    if (moves != null) return true.also { table.showAt(moves) }
    val button = when (keyCode) {
        KeyEvent.KEYCODE_U -> findViewById<View>(R.id.undo)
        KeyEvent.KEYCODE_H -> findViewById(R.id.hint)
        else -> null
    }
    if (button == null || event.repeatCount > 0 || !button.isShown || !button.isEnabled) return false
    return button.performClick()
}
