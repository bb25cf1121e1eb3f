package org.azx.app.screens.play

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.play.Phase
import org.azx.app.play.table.replay
import org.azx.app.play.table.showAt
import org.azx.app.screens.say
import org.azx.app.screens.sayIf
import org.azx.app.screens.showIf

/** What is said at the end of a game: the result, why it is so, and what to do next. */
class ResultCard(seat: Seat) : Part(seat) {
    /** Whether the card is to be seen: a replay shows the game, not its end. */
    val isWanted: Boolean get() = table.session.phase == Phase.OVER && !table.isReplay

    init {
        on(R.id.result_new, table::restart)
        on(R.id.swap_sides, table::swapSides)
        on(R.id.result_replay) {
            table.replay(true)
            table.showAt(table.session.setUp)
        }
    }

    override fun show() {
        for (id in listOf(R.id.result_card, R.id.result_new, R.id.result_replay)) find<View>(id).showIf(isWanted)
        find<View>(R.id.swap_sides).showIf(isWanted && table.session.hasPerson)
        if (!isWanted) return
        find<TextView>(R.id.result).say(words.result(table.session, presentation))
        find<TextView>(R.id.why).sayIf(words.why(table.session, presentation))
    }
}
