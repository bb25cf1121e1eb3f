package org.azx.app.screens.play

import android.app.Activity
import android.view.View
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Opened
import org.azx.app.screens.Words
import org.azx.app.screens.offer

/** What is asked before a new game: how strong the network is, first of all, and who begins. */
class Terms(activity: Activity, opened: Opened, now: Choices) {
    val view: View = activity.layoutInflater.inflate(R.layout.part_terms, null)

    /** What the person has chosen so far. */
    var chosen = now
        private set

    init {
        val words = Words(activity.resources)
        view.findViewById<Spinner>(R.id.terms_strength).run {
            offer(opened.strengths, words::strength) { chosen = chosen.copy(strength = it) }
            setSelection(opened.strengths.indexOf(now.strength))
        }
        view.findViewById<Spinner>(R.id.terms_begins).run {
            offer(Begins.entries, { words.choice("begins_", it) }) { chosen = chosen.copy(begins = it) }
            setSelection(now.begins.ordinal)
        }
    }
}
