package org.azx.app.screens.play

import android.app.Activity
import android.view.View
import org.azx.app.play.Opened
import org.azx.app.play.table.Table
import org.azx.app.screens.Words
import org.azx.app.screens.presentationOf

/** What every part of the screen of a game is about, and what it speaks with. */
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

    protected fun <Found : View> find(id: Int): Found = activity.findViewById(id)

    protected fun on(id: Int, act: () -> Unit) = find<View>(id).setOnClickListener { act() }

    /** Bring the views in line with the table. */
    abstract fun show()
}
