package org.azx.app.screens.play

import android.view.View
import android.widget.Button
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.engine.review.Act
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Phase
import org.azx.app.play.Pace
import org.azx.app.play.table.pause
import org.azx.app.play.table.step
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** The controls of a game that a network plays against itself: pause, one move, and the pace. */
class WatchBar(seat: Seat) : Part(seat) {
    private val pause = find<Button>(R.id.pause)
    private val step = find<Button>(R.id.step)
    private val speed = find<Spinner>(R.id.speed)

    init {
        on(R.id.pause) { table.pause(!table.isPaused) }
        on(R.id.step, table::step)
        speed.offer(Pace.entries, { words.choice("pace_", it) }, table.choices.pace) {
            table.choose(table.choices.copy(pace = it))
        }
    }

    override fun show(panel: Panel) {
        val isWanted = table.session.isWatched && table.session.phase != Phase.OVER && !table.isReplay
        find<View>(R.id.watch).showIf(isWanted)
        // A game that goes on by itself keeps the screen on.
        find<View>(R.id.play).keepScreenOn = isWanted && !table.isPaused
        pause.say(words.say(if (table.isPaused) R.string.watch_on else R.string.pause))
        mark(R.id.pause, panel.act == Act.PAUSE || panel.act == Act.RESUME)
        step.isEnabled = table.isPaused
    }
}
