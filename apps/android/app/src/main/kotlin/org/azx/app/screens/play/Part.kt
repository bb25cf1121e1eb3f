package org.azx.app.screens.play

import android.app.Activity
import android.view.View
import org.azx.app.R
import org.azx.app.engine.review.Panel
import org.azx.app.play.Opened
import org.azx.app.play.table.Table
import org.azx.app.screens.Words
import org.azx.app.screens.on
import org.azx.app.screens.presentationOf

/** What all parts of a game's screen share: the table, and the words. */
class Seat(val activity: Activity, val table: Table, val opened: Opened, val asking: Asking) {
    val words = Words(activity.resources)
    val presentation = presentationOf(opened.game)
}

/** Some of the views of a table. */
abstract class Part(seat: Seat) {
    protected val activity = seat.activity
    protected val table = seat.table
    protected val words = seat.words
    protected val presentation = seat.presentation

    /** Whether the screen has a phone's sheet. */
    protected val isPhone: Boolean get() = activity.findViewById<View>(R.id.sheet) != null

    protected fun <Found : View> find(id: Int): Found = activity.findViewById(id)

    /** Draw the button as the primary one, or as one among others. */
    protected fun mark(id: Int, isPrimary: Boolean) {
        find<View>(id).isActivated = isPrimary
    }

    protected fun on(id: Int, act: () -> Unit) = activity.on(id, act)

    /** Bring the views in line with the table, whose shown position has this panel. */
    abstract fun show(panel: Panel)
}
