package org.azx.app.screens.play

import android.app.Activity
import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.play.Phase
import org.azx.app.play.table.Table
import org.azx.app.play.table.replay
import org.azx.app.play.table.showAt
import org.azx.app.screens.Presentation
import org.azx.app.screens.Words
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** What is said at the end of a game: the result, why it is so, and what to do next. */
class ResultCard(
    private val activity: Activity,
    private val table: Table,
    private val words: Words,
    private val presentation: Presentation,
) {
    /** Whether the card is to be seen: a replay shows the game, not its end. */
    val isWanted: Boolean get() = table.session.phase == Phase.OVER && !table.isReplay

    init {
        on(R.id.result_new, table::restart)
        on(R.id.swap_sides, table::swapSides)
        on(R.id.result_replay) {
            table.replay(true)
            table.showAt(0)
        }
    }

    private fun on(id: Int, act: () -> Unit) = activity.findViewById<View>(id).setOnClickListener { act() }

    /** Bring the card in line with the table. */
    fun show() {
        activity.findViewById<View>(R.id.result_card).showIf(isWanted)
        if (!isWanted) return
        val why = words.why(table.session)
        activity.findViewById<TextView>(R.id.result).say(words.result(table.session, presentation))
        activity.findViewById<TextView>(R.id.why).run {
            say(why ?: "")
            showIf(why != null)
        }
        activity.findViewById<View>(R.id.swap_sides).showIf(!table.session.isWatched)
    }
}
