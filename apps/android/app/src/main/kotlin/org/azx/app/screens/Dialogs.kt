package org.azx.app.screens

import android.app.Activity
import android.app.AlertDialog

/** Asks and tells a person in dialogs, one at a time. */
open class Dialogs(protected val activity: Activity) {
    /** What is open to be answered or read, or was last; null before the first. */
    var dialog: AlertDialog? = null
        private set

    /** Does nothing if the screen is gone or going: a dialog would be left behind. */
    protected fun show(words: AlertDialog.Builder.() -> Unit) {
        close()
        if (activity.isFinishing || activity.isDestroyed) return
        dialog = AlertDialog.Builder(activity).apply(words).show()
    }

    /** Say a sentence, under a `title` if there is one; `read` hears that a person has seen it. */
    fun tell(sentence: String, title: Int? = null, read: () -> Unit = {}) = show {
        title?.let { setTitle(it) }
        setMessage(sentence)
        setPositiveButton(android.R.string.ok) { _, _ -> read() }
        setOnCancelListener { read() }
    }

    /** The screen goes: a dialog would be left behind. */
    fun close() {
        dialog?.dismiss()
    }
}
