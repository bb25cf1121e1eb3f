/** A mistake that a person tries to do better: the position before it, until a move is found that is no mistake. */
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

/** What is said of a mistake that is tried again. */
sealed class Said {
    /** That a better move is asked for. */
    object Ask : Said()

    /** That it is the mistake again. */
    object Same : Said()

    /** That a move is looked at. */
    class Wait(val action: Int) : Said()

    /** What a move is worth. */
    class Found(val judged: Judged) : Said()
}

/** `mistake` is the move after the position that is shown. */
class Retry(private val table: Table, val mistake: Judged) {
    var said: Said = Said.Ask
        private set

    /** Whether a good move was found. */
    var isDone = false
        private set
    private var asked: Asked? = null

    /** Look at a move that a person has chosen: it is kept where it is good, and taken back where it is not. */
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

    /** A move that could not be judged is asked for again. */
    private fun take(judged: Judged?) {
        isDone = judged?.verdict == Verdict.GOOD
        if (isDone) table.line?.let(table::keepLine) else table.line = null
        say(if (judged == null) Said.Ask else Said.Found(judged))
    }

    /** What is under way is not wanted any more. */
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

/** Whether the move that is shown can be tried again: something better is known. */
val Table.canRetry: Boolean
    get() = isReplay && line == null && retry == null && session.judgedMove?.better != null

/** Whether a better move is still to be found. */
val Table.isRetrying: Boolean get() = retry?.isDone == false

/** Let a person find a better move than the one that is shown. */
fun Table.retry() {
    val mistake = session.judgedMove ?: return
    if (!canRetry) return
    showAt(session.ply - 1)
    retry = Retry(this, mistake)
    show()
}
