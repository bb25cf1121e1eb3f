package org.azx.app.screens

import android.app.Activity
import android.app.AlertDialog

/** Asks and tells a person in dialogs, one at a time. */
abstract class Dialogs(protected val activity: Activity) {
    /** What is open to be answered or read, or was last; null before the first. */
    var dialog: AlertDialog? = null
        private set

    /** Nothing where the screen goes or has gone: a dialog would be left behind. */
    protected fun show(words: AlertDialog.Builder.() -> Unit) {
        close()
        if (activity.isFinishing || activity.isDestroyed) return
        dialog = AlertDialog.Builder(activity).apply(words).show()
    }

    /** The screen goes: a dialog would be left behind. */
    fun close() {
        dialog?.dismiss()
    }
}
