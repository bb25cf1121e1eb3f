package org.azx.app.screens.play

import org.azx.app.R
import org.azx.app.engine.review.Panel
import org.azx.app.play.table.isLive

/** On a phone: shows the tab in which something is new. */
class Tabs(seat: Seat) : Part(seat) {
    private val sheet: Sheet? = activity.findViewById(R.id.sheet)

    // What was there before; null on a screen that is made anew, whose tab is the one that was chosen.
    private var known: Set<Int>? = null

    override fun show(panel: Panel) {
        val now = setOfNotNull(
            R.id.tab_moves.takeIf { table.isReplay },
            // Live analysis has something else for each position, and a person walks on.
            R.id.tab_analysis.takeIf { table.found?.candidates?.isNotEmpty() == true && !table.isLive },
        )
        (now - (known ?: now)).lastOrNull()?.let { sheet?.choose(it) }
        known = now
    }
}
