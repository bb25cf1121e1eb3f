package org.azx.app.screens.play

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Act
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Phase
import org.azx.app.play.table.canReview
import org.azx.app.play.table.isReviewing
import org.azx.app.play.table.replay
import org.azx.app.play.table.review
import org.azx.app.play.table.showAt
import org.azx.app.screens.say
import org.azx.app.screens.sayIf
import org.azx.app.screens.showIf

/** The end of a game: the score large, the result, why it is so, and what to do next. */
class ResultCard(seat: Seat) : Part(seat) {
    /** Whether the card is shown: a replay shows the game, not its end. */
    val isWanted: Boolean get() = table.session.phase == Phase.OVER && !table.isReplay

    init {
        on(R.id.result_new, table::restart)
        on(R.id.swap_sides, table::swapSides)
        on(R.id.result_replay) {
            table.replay(true)
            table.showAt(table.session.setUp)
            if (table.canReview) table.review()
        }
    }

    override fun show(panel: Panel) {
        for (id in listOf(R.id.result_card, R.id.result_new, R.id.result_replay)) find<View>(id).showIf(isWanted)
        find<View>(R.id.swap_sides).run {
            // A phone has room for four buttons in a row.
            val isFull = isPhone && (table.isReviewing || table.session.nextMistake() != null)
            showIf(isWanted && table.session.hasPerson && !isFull)
        }
        mark(R.id.result_replay, panel.act == Act.REVIEW)
        mark(R.id.result_new, panel.act == Act.REMATCH)
        if (!isWanted) return
        val (result, score) = words.result(table.session, presentation) to words.score(table.session)
        // On a phone it stands in place of the status.
        find<TextView>(R.id.score).sayIf(if (isPhone) listOfNotNull(result, score).joinToString("  ") else score)
        find<TextView>(R.id.result).say(result)
        find<TextView>(R.id.why).sayIf(words.why(table.session, presentation))
    }
}
