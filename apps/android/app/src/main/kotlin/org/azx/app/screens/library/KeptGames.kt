package org.azx.app.screens.library

import android.app.Activity
import android.view.View
import android.view.ViewGroup
import android.widget.ImageView
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.engine.records.GameRecord
import org.azx.app.play.Worker
import org.azx.app.play.last
import org.azx.app.screens.boardPicture
import org.azx.app.screens.say

/** A card for each record, in `list`; `open` and `delete` hear which one a person has chosen. */
class KeptGames(
    private val activity: Activity,
    private val list: ViewGroup,
    private val worker: Worker,
    private val open: (GameRecord) -> Unit,
    private val delete: (GameRecord) -> Unit,
) {
    private val telling = Telling(activity.resources)

    // By the record: what has not changed is not made again.
    private var cards: Map<GameRecord, View> = emptyMap()

    fun show(records: List<GameRecord>) {
        val known = cards
        cards = records.associateWith { known[it] ?: card(it) }
        list.removeAllViews()
        for (card in cards.values) list.addView(card)
    }

    private fun card(record: GameRecord): View {
        val card = activity.layoutInflater.inflate(R.layout.item_kept_game, list, false)
        card.findViewById<TextView>(R.id.players).say(telling.players(record))
        card.findViewById<TextView>(R.id.standing).say(telling.result(record))
        card.findViewById<TextView>(R.id.details).say(telling.about(record))
        card.contentDescription = telling.whole(record)
        card.setOnClickListener { open(record) }
        card.findViewById<View>(R.id.delete).run {
            contentDescription = telling.say(R.string.library_delete_label, telling.whole(record))
            setOnClickListener { delete(record) }
        }
        // To play a game of Go again by its rules takes a while.
        worker.ask(record::last) { state -> state.getOrNull()?.let { draw(card, it, record) } }
        return card
    }

    private fun draw(card: View, state: State, record: GameRecord) {
        if (activity.isDestroyed) return
        val last = if (record.played > 0) state.lastAction else null
        val side = activity.resources.getDimensionPixelSize(R.dimen.picture)
        card.findViewById<ImageView>(R.id.picture).setImageBitmap(boardPicture(activity, state, side, last))
    }
}
