package org.azx.app.screens.play

import android.view.View
import android.widget.SeekBar
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Act
import org.azx.app.engine.review.Panel
import org.azx.app.play.table.branches
import org.azx.app.play.table.canPlayFromHere
import org.azx.app.play.table.isOfFile
import org.azx.app.play.table.isRetrying
import org.azx.app.play.table.playFromHere
import org.azx.app.play.table.replay
import org.azx.app.play.table.showAt
import org.azx.app.play.table.takeBack
import org.azx.app.play.table.toGame
import org.azx.app.play.table.walk
import org.azx.app.screens.enable
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** Play or replay, the walk through a game, and the buttons of a line. */
class ReplayBar(seat: Seat) : Part(seat) {
    private val slider = find<SeekBar>(R.id.ply)

    // A phone has it among the buttons below the board.
    private val isBeside = find<View>(R.id.play_from_here).parent === find<View>(R.id.line)

    init {
        on(R.id.mode_play) { table.replay(false) }
        on(R.id.mode_replay) { table.replay(true) }
        on(R.id.first) { table.showAt(table.session.setUp) }
        on(R.id.back) { table.walk(-1) }
        on(R.id.forward) { table.walk(1) }
        on(R.id.end) { table.showAt(table.session.moves) }
        on(R.id.take_back, table::takeBack)
        on(R.id.to_game, table::toGame)
        on(R.id.play_from_here, table::playFromHere)
        slider.setOnSeekBarChangeListener(Slid())
    }

    private inner class Slid : SeekBar.OnSeekBarChangeListener {
        override fun onProgressChanged(bar: SeekBar, progress: Int, fromUser: Boolean) {
            if (fromUser) table.showAt(table.session.setUp + progress)
        }

        override fun onStartTrackingTouch(bar: SeekBar) = Unit

        override fun onStopTrackingTouch(bar: SeekBar) = Unit
    }

    override fun show(panel: Panel) {
        val (at, moves) = table.session.run { ply - setUp to played }
        // Other people's game is only walked through.
        for (id in listOf(R.id.mode_play, R.id.mode_replay)) find<View>(id).showIf(!table.session.isRead)
        find<View>(R.id.mode_play).isSelected = !table.isReplay
        find<View>(R.id.mode_replay).isSelected = table.isReplay
        find<View>(R.id.replay).showIf(table.isReplay)
        slider.max = moves
        slider.progress = at
        showLine(panel)
        val hasLine = table.line != null
        find<View>(R.id.first).enable(at > 0)
        find<View>(R.id.back).enable(at > 0 || hasLine)
        find<View>(R.id.forward).enable(at < moves || (hasLine && table.branches.isNotEmpty()))
        find<View>(R.id.end).enable(at < moves)
        find<TextView>(R.id.ply_text).say(place(at, moves))
    }

    private fun place(at: Int, moves: Int): String {
        val line = table.line ?: return words.say(R.string.move_of, at, moves)
        val text = if (table.isOfFile) R.string.variation_of else R.string.line_of
        return words.say(text, line.length, line.from - line.session.setUp)
    }

    private fun showLine(panel: Panel) {
        val hasLine = table.line != null
        find<View>(R.id.line).showIf(hasLine || table.isRetrying || (isBeside && table.canPlayFromHere))
        find<View>(R.id.take_back).showIf(hasLine && !table.isRetrying)
        find<View>(R.id.to_game).showIf(hasLine || table.isRetrying)
        find<View>(R.id.play_from_here).showIf(table.canPlayFromHere)
        mark(R.id.to_game, panel.act == Act.TO_GAME)
        mark(R.id.play_from_here, panel.act == Act.PLAY_ON)
    }
}
