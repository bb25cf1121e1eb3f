package org.azx.app.screens.play

import android.app.Activity
import android.app.AlertDialog
import org.azx.app.R
import org.azx.app.play.table.Table
import org.azx.app.play.table.lost
import org.azx.app.play.table.playFromHere
import org.azx.app.screens.Dialogs

/** Asks a person before something is lost. */
class Asking(activity: Activity) : Dialogs(activity) {
    /** A new game: asks how strong the network is to be and who begins; says so where one is under way. */
    fun newGame(seat: Seat) {
        val table = seat.table
        val terms = Terms(activity, seat.opened, table.choices)
        show {
            setTitle(R.string.new_game)
            setNegativeButton(R.string.cancel, null)
            if (table.session.isUnderWay) warn()
            setView(terms.view)
            setPositiveButton(R.string.new_game) { _, _ -> table.restart(terms.chosen) }
        }
    }

    /** What begins a new game; asks first where one is under way. */
    fun instead(table: Table, begin: () -> Unit) {
        if (!table.session.isUnderWay) return begin()
        show {
            warn()
            setPositiveButton(R.string.new_game) { _, _ -> begin() }
        }
    }

    private fun AlertDialog.Builder.warn() {
        setTitle(R.string.new_game_title)
        setMessage(R.string.new_game_about)
        setNegativeButton(R.string.go_on, null)
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
