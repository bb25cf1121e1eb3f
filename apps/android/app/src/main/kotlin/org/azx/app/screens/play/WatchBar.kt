package org.azx.app.screens.play

import android.app.Activity
import android.view.View
import android.widget.Button
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.play.Pace
import org.azx.app.play.Phase
import org.azx.app.play.table.Table
import org.azx.app.play.table.pause
import org.azx.app.play.table.step
import org.azx.app.screens.Words
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** The controls of a game that the network plays against itself: pause, one move, and how fast it goes. */
class WatchBar(private val activity: Activity, private val table: Table, private val words: Words) {
    private val pause = activity.findViewById<Button>(R.id.pause)
    private val step = activity.findViewById<Button>(R.id.step)
    private val speed = activity.findViewById<Spinner>(R.id.speed)

    init {
        pause.setOnClickListener { table.pause(!table.isPaused) }
        step.setOnClickListener { table.step() }
        speed.offer(Pace.entries, words::pace) { table.choose(table.choices.copy(pace = it)) }
        speed.setSelection(table.choices.pace.ordinal)
    }

    /** Bring the views in line with the table. */
    fun show() {
        val isWanted = table.session.isWatched && table.session.phase != Phase.OVER && !table.isReplay
        activity.findViewById<View>(R.id.watch).showIf(isWanted)
        pause.say(words.say(if (table.isPaused) R.string.watch_on else R.string.pause))
        step.isEnabled = table.isPaused
    }
}
