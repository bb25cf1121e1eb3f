/** A mistake tried again: the position before it, until the person finds a good move. */
package org.azx.app.play.table

import org.azx.app.engine.review.Judged
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.Verdict
import org.azx.app.engine.review.judge
import org.azx.app.play.Analysis
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.analyse
import org.azx.app.play.failureOf

/** The sentences about a mistake that is tried again. */
sealed class Said {
    /** A better move is asked for. */
    object Ask : Said()

    /** The move is the mistake again. */
    object Same : Said()

    /** A move is being judged. */
    class Wait(val action: Int) : Said()

    /** The verdict on a move. */
    class Found(val judged: Judged) : Said()
}

/** `mistake` is the game's move in the shown position. */
class Retry(private val table: Table, val mistake: Judged) {
    var said: Said = Said.Ask
        private set

    /** Whether a good move was found. */
    var isDone = false
        private set
    private var asked: Asked? = null

    /** Judge a move that the person has chosen: a good one stays, another one is taken back. */
    fun attempt(action: Int) {
        if (action == mistake.action) return say(Said.Same)
        val mine = Asked().also { asked = it }
        val before = table.session.seen[table.session.ply]
        val line = Line.tryOut(table.session, null, action)
        val (opened, chosen, count) = Triple(table.opened, table.settings, table.simulations)
        table.line = line
        say(Said.Wait(action))
        table.worker.ask({ opened.thinker.analyse(chosen, line.session.actions, count, mine) }) { answer ->
            if (table.retry !== this || table.line !== line) return@ask
            val found = answer.onFailure { table.notice = Notice.NoHint(failureOf(it)) }.getOrNull()
            take(if (before == null || found == null) null else judge(before, found, action))
        }
    }

    /** Take in a verdict; without one, ask for the move again. */
    private fun take(judged: Judged?) {
        isDone = judged?.verdict == Verdict.GOOD
        if (isDone) table.line?.let(table::keepLine) else table.line = null
        say(if (judged == null) Said.Ask else Said.Found(judged))
    }

    /** Drop the verdict that is under way. */
    fun end() {
        asked?.isOver = true
    }

    private fun say(said: Said) {
        this.said = said
        table.show()
    }
}

private fun judge(before: Seen, found: Analysis, action: Int): Judged? =
    found.seen?.takeIf { found.isWhole }?.let { judge(listOf(before, it), listOf(action)).single() }

/** Whether the shown move can be tried again: a better one is known. */
val Table.canRetry: Boolean
    get() = isReplay && line == null && retry == null && session.judgedMove?.better != null

/** Whether the person still looks for a better move. */
val Table.isRetrying: Boolean get() = retry?.isDone == false

/** Let the person look for a better move than the shown one. */
fun Table.retry() {
    val mistake = session.judgedMove ?: return
    if (!canRetry) return
    showAt(session.ply - 1)
    retry = Retry(this, mistake)
    show()
}
