package org.azx.app.screens.play

import android.view.View
import android.view.ViewGroup
import android.widget.Spinner
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Entry
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.play.COUNTS
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.play.nameOf
import org.azx.app.play.strengthOf
import org.azx.app.play.table.pliesOf
import org.azx.app.screens.add
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf

private val TITLES = listOf(R.string.series_first, R.string.series_second)

/**
 * The choices before networks play each other: a network and a level for each side, and the number of games. `view` has
 * the controls, `now` is what was chosen last.
 */
class SeriesChoice(private val seat: Seat, private val view: View, now: Choices) {
    private val words = seat.words
    private val opened = seat.opened

    // What is open is the first one, and usual.
    private val entries = (listOf(opened.bundle) + opened.rivals(seat.table.record)).map { it.entry }
    private val chosen = TITLES.indices.map { leftOf(now.sides?.toList()?.get(it), now.strength) }.toMutableList()

    val sides: Pair<Side, Side>
        get() {
            val (one, two) = chosen.map { (entry, strength) -> sideOf(entry, strength) }
            return one to two
        }
    var count = now.count
        private set

    init {
        TITLES.indices.forEach(::addSide)
        view.findViewById<Spinner>(R.id.terms_count).offer(COUNTS, words::number, now.count, ::chooseCount)
        view.findViewById<TextView>(R.id.terms_openings).say(words.say(R.string.series_openings, pliesOf(opened.game)))
        chooseCount(count)
    }

    private fun leftOf(side: Side?, strength: Strength): Pair<Entry, Strength> {
        val entry = entries.find { nameOf(it) == side?.bundle } ?: entries[0]
        return entry to (side?.let(::strengthOf)?.takeIf { it in opened.strengths } ?: strength)
    }

    private fun sideOf(entry: Entry, strength: Strength) =
        Side(SideKind.NETWORK, entry.title, strength.level, nameOf(entry))

    private fun addSide(at: Int) {
        val side = view.findViewById<ViewGroup>(R.id.terms_sides).add<View>(R.layout.item_side)
        val (entry, strength) = chosen[at]
        val title = words.say(TITLES[at])
        side.findViewById<TextView>(R.id.side_title).say(title)
        side.findViewById<Spinner>(R.id.side_network).run {
            // Of one network alone there is no choice.
            showIf(entries.size > 1)
            contentDescription = "$title: ${words.say(R.string.series_network)}"
            val name = { each: Entry -> words.shortTitle(each.title, opened.game) }
            offer(entries, name, entry) { chosen[at] = chosen[at].copy(first = it) }
        }
        side.findViewById<Spinner>(R.id.side_level).run {
            contentDescription = "$title: ${words.say(R.string.strength)}"
            offer(opened.strengths, words::strength, strength) { chosen[at] = chosen[at].copy(second = it) }
        }
    }

    private fun chooseCount(chosen: Int) {
        count = chosen
        view.findViewById<View>(R.id.terms_openings).showIf(chosen > 1)
    }
}
