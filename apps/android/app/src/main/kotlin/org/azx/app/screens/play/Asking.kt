package org.azx.app.screens.play

import android.app.Activity
import org.azx.app.R
import org.azx.app.play.table.Table
import org.azx.app.screens.Dialogs

/** Asks a person on what terms a new game begins, and before they give one up. */
class Asking(activity: Activity) : Dialogs(activity) {
    /** A new game: asks how strong the network is to be and who begins. */
    fun newGame(seat: Seat) {
        val table = seat.table
        val terms = Terms(activity, seat.opened, table.choices)
        show {
            setTitle(R.string.new_game)
            setNegativeButton(R.string.cancel, null)
            setView(terms.view)
            setPositiveButton(R.string.new_game) { _, _ -> table.restart(terms.chosen) }
        }
    }

    fun resign(table: Table) = show {
        setMessage(R.string.resign_ask)
        setPositiveButton(R.string.resign) { _, _ -> table.resign() }
        setNegativeButton(R.string.cancel, null)
    }
}
