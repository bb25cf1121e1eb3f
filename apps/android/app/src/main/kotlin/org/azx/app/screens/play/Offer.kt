package org.azx.app.screens.play

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Panel
import org.azx.app.play.Newcomer
import org.azx.app.play.RecordGame
import org.azx.app.play.table.offer
import org.azx.app.play.table.playOnAgainst
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** Offers to play on with a new network; it need not be stronger. */
class Offer(seat: Seat) : Part(seat) {
    init {
        on(R.id.offer_take) { table.offer?.let(::take) }
    }

    override fun show(panel: Panel) {
        val offered = table.offer
        find<View>(R.id.offer).showIf(offered != null)
        if (offered == null) return
        find<TextView>(R.id.offer_text).say(words.say(R.string.new_network, words.title(offered.bundle.entry)))
    }

    /** The game goes on at a table of its own, in place of this one. */
    private fun take(newcomer: Newcomer) {
        val (name, record) = newcomer.bundle.entry.name to table.playOnAgainst(newcomer)
        val next = when (record) {
            null -> PlayActivity.intentForNew(activity, name)
            else -> PlayActivity.intent(activity, RecordGame(name, record.id))
        }
        activity.startActivity(next)
        activity.finish()
    }
}
