package org.azx.app.screens.play

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Panel
import org.azx.app.play.table.Series
import org.azx.app.screens.say
import org.azx.app.screens.sayIf
import org.azx.app.screens.showIf
import kotlin.math.max

private val NAMES = listOf(R.id.series_name_0, R.id.series_name_1, R.id.series_name_draws)
private val FIGURES = listOf(R.id.series_won_0, R.id.series_won_1, R.id.series_won_draws)

/** What stands beside the board of a series: which game it is, what each side has won, and that it can be stopped. */
class Scoreboard(seat: Seat) : Part(seat) {
    private val game = seat.opened.game

    init {
        on(R.id.series_stop) { table.series?.stop() }
    }

    override fun show(panel: Panel) {
        val series = table.series?.takeIf { it.count > 1 }
        find<View>(R.id.series).showIf(series != null)
        if (series == null) return
        val (tally, played) = series.tally to series.tally.played
        find<TextView>(R.id.series_title).say(titleOf(series))
        val names = words.namesOf(series.kept.sides, game) + words.say(R.string.series_draws)
        NAMES.zip(names) { id, name -> find<TextView>(id).say(name) }
        val figures = tally.won.toList() + tally.drawn
        FIGURES.zip(figures) { id, figure -> find<TextView>(id).say(words.number(figure)) }
        val isTold = series.isOver && played > 0
        find<TextView>(R.id.series_about).sayIf(if (isTold) words.count(R.plurals.series_no_rating, played) else null)
        find<View>(R.id.series_stop).showIf(!series.isOver)
    }

    private fun titleOf(series: Series): String {
        val played = series.tally.played
        // Between two games it is the last one that is seen.
        val shown = if (series.isPlaying) played + 1 else max(1, played)
        return when {
            !series.isOver -> words.say(R.string.series_game, shown, series.count)
            played == series.count -> words.say(R.string.series_over, played)
            else -> words.say(R.string.series_stopped, played, series.count)
        }
    }
}
