package org.azx.app.screens.play

import android.app.Activity
import android.app.AlertDialog
import org.azx.app.R
import org.azx.app.play.table.Table
import org.azx.app.play.table.lost
import org.azx.app.play.table.playFromHere

/** Asks a person before something is lost. */
class Asking(private val activity: Activity) {
    /** What is open to be answered or was answered last; null before the first question. */
    var dialog: AlertDialog? = null
        private set

    /** A new game, by what `begin` does; asks first where one is under way. */
    fun newGame(table: Table, begin: () -> Unit) {
        if (!table.session.isUnderWay) return begin()
        ask {
            setTitle(R.string.new_game_title)
            setMessage(R.string.new_game_about)
            setPositiveButton(R.string.new_game) { _, _ -> begin() }
            setNegativeButton(R.string.go_on, null)
        }
    }

    /** Go on from the position that is shown; asks first where moves of the game are lost by it. */
    fun playFromHere(table: Table) {
        val lost = table.lost
        if (lost == 0) return table.playFromHere()
        ask {
            setTitle(R.string.play_from_here)
            setMessage(activity.resources.getQuantityString(R.plurals.play_from_here_about, lost, lost))
            setPositiveButton(R.string.play_from_here) { _, _ -> table.playFromHere() }
            setNegativeButton(R.string.cancel, null)
        }
    }

    fun resign(table: Table) = ask {
        setMessage(R.string.resign_ask)
        setPositiveButton(R.string.resign) { _, _ -> table.resign() }
        setNegativeButton(R.string.cancel, null)
    }

    private fun ask(words: AlertDialog.Builder.() -> Unit) {
        close()
        dialog = AlertDialog.Builder(activity).apply(words).show()
    }

    /** The screen goes: a dialog would be left behind. */
    fun close() {
        dialog?.dismiss()
    }
}
