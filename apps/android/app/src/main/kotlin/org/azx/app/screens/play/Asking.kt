package org.azx.app.screens.play

import android.app.Activity
import org.azx.app.R
import org.azx.app.play.table.Table
import org.azx.app.play.table.lost
import org.azx.app.play.table.playFromHere
import org.azx.app.screens.Dialogs

/** Asks a person before something is lost. */
class Asking(activity: Activity) : Dialogs(activity) {
    /** A new game, by what `begin` does; asks first where one is under way. */
    fun newGame(table: Table, begin: () -> Unit) {
        if (!table.session.isUnderWay) return begin()
        show {
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
        show {
            setTitle(R.string.play_from_here)
            setMessage(activity.resources.getQuantityString(R.plurals.play_from_here_about, lost, lost))
            setPositiveButton(R.string.play_from_here) { _, _ -> table.playFromHere() }
            setNegativeButton(R.string.cancel, null)
        }
    }

    fun resign(table: Table) = show {
        setMessage(R.string.resign_ask)
        setPositiveButton(R.string.resign) { _, _ -> table.resign() }
        setNegativeButton(R.string.cancel, null)
    }
}
