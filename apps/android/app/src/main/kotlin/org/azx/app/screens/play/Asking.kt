package org.azx.app.screens.play

import android.app.Activity
import org.azx.app.R
import org.azx.app.play.Choices
import org.azx.app.play.table.Table
import org.azx.app.screens.Dialogs

/** Asks a person on what terms a new game begins, and before they give one up. */
class Asking(activity: Activity) : Dialogs(activity) {
    private var terms: Terms? = null

    /** What a person has chosen so far for a new game; null if they are not asked. */
    val chosen: Choices? get() = terms?.chosen?.takeIf { dialog?.isShowing == true }

    /** A new game: asks how strong the network is to be, who begins and by which settings; `now` is chosen already. */
    fun newGame(seat: Seat, now: Choices = seat.table.choices) {
        val asked = Terms(seat, now)
        show {
            setTitle(seat.words.say(R.string.new_game_of, seat.words.say(seat.presentation.title)))
            setNegativeButton(R.string.cancel, null)
            setView(asked.view)
            setPositiveButton(R.string.play) { _, _ -> seat.table.restart(asked.chosen) }
        }
        terms = asked
    }

    fun resign(table: Table) {
        terms = null
        show {
            setMessage(R.string.resign_ask)
            setPositiveButton(R.string.resign) { _, _ -> table.resign() }
            setNegativeButton(R.string.cancel, null)
        }
    }
}
