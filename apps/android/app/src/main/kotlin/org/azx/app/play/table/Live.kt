/** Live analysis: a search of the shown position that goes deeper as long as it is shown. */
package org.azx.app.play.table

import org.azx.app.engine.State
import org.azx.app.engine.review.pointsSolved
import org.azx.app.play.Analysis
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.analyse
import org.azx.app.play.failureOf

/** Searches the positions that a replay shows, one after the other. */
class Live(private val table: Table) {
    /** The position that is searched, or was searched to the end; null if none is. */
    private var state: State? = null
    private var asked: Asked? = null

    /** Search the shown position, and end the search of another one. */
    fun look() {
        val now = if (isFree) table.displayed.visible.takeUnless { it.isTerminal } else null
        if (now === state) return
        end()
        state = now
        if (now != null) search(now)
    }

    /** A move that the person is to find is not shown. */
    private val isFree: Boolean
        get() = table.run { isReplay && !isAway && !isThinking && !isReviewing && retry == null }

    fun end() {
        asked?.isOver = true
        asked = null
        state = null
    }

    private fun search(state: State) {
        val mine = Asked().also { asked = it }
        val (opened, chosen) = table.opened to table.settings
        val actions = table.displayed.run { actions.take(ply) }
        val show = { found: Analysis -> if (asked === mine) show(found) }
        val worths = Worths(state)
        val tell = { found: Analysis -> worths.measure(found).let { table.worker.tell { show(it) } } }
        table.worker.ask({ worths.measure(opened.thinker.analyse(chosen, actions, null, mine, tell)) }) { answer ->
            if (asked === mine) answer.fold(show, ::fail)
        }
    }

    private fun show(found: Analysis) {
        if (found.candidates.isEmpty()) return
        table.found = found
        table.heat = found.shares
        table.show()
    }

    private fun fail(error: Throwable) {
        table.notice = Notice.NoHint(failureOf(error))
        table.live(false)
    }
}

/**
 * The worth of moves in a solved end, each counted once while the search goes on. In Go each report would need new
 * playouts, so that it has chances alone.
 */
internal class Worths(private val state: State) {
    private val known = HashMap<Int, Int>()

    fun measure(found: Analysis): Analysis {
        val actions = found.candidates.map { it.action }
        val more = actions.filter { it !in known }
        if (more.isNotEmpty()) known += state.pointsSolved(more, found.known) ?: return found
        return found.measure(known.filterKeys { it in actions })
    }
}

val Table.isLive: Boolean get() = live != null

/** Whether live analysis is offered: in a replay, with a network that has a value. */
val Table.canLive: Boolean get() = canReview && isReplay

/** Switch live analysis on or off. */
fun Table.live(wanted: Boolean) {
    if (wanted == isLive || (wanted && !canLive)) return
    live?.end()
    hinted?.isOver = true
    hinted = null
    val said = notice
    forgetHint()
    // The sentence that says why it ended stays.
    if (!wanted) notice = said
    live = if (wanted) Live(this) else null
    show()
}
