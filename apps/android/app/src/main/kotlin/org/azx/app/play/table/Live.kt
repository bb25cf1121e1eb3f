/** A position that is looked at for as long as it is shown: what the search considers there, deeper and deeper. */
package org.azx.app.play.table

import org.azx.app.engine.State
import org.azx.app.engine.review.pointsSolved
import org.azx.app.play.Analysis
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.analyse
import org.azx.app.play.failureOf

/** What looks at the positions that a replay shows, one after the other. */
class Live(private val table: Table) {
    /** The position that is looked at, or was to the end; null where none is. */
    private var state: State? = null
    private var asked: Asked? = null

    /** Look at the position that is shown now, and no more at another one. */
    fun look() {
        val now = if (isFree) table.displayed.visible.takeUnless { it.isTerminal } else null
        if (now === state) return
        end()
        state = now
        if (now != null) search(now)
    }

    /** What a person is to find themselves is not shown to them. */
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
 * What moves of an end that is solved are worth, each counted once while the search goes on. Of Go playouts would have to
 * be made anew for each that is told: there it says chances.
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

/** Whether a replay can have whatever it shows looked at, by a network that can say how good a position is. */
val Table.canLive: Boolean get() = canReview && isReplay

/** Look at whatever position is shown, or no more. */
fun Table.live(wanted: Boolean) {
    if (wanted == isLive || (wanted && !canLive)) return
    live?.end()
    hinted?.isOver = true
    hinted = null
    val said = notice
    forgetHint()
    // Why it has ended is said on.
    if (!wanted) notice = said
    live = if (wanted) Live(this) else null
    show()
}
