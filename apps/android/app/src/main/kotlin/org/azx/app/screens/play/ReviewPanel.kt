package org.azx.app.screens.play

import android.view.View
import android.widget.ProgressBar
import android.widget.Spinner
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Act
import org.azx.app.engine.review.Panel
import org.azx.app.play.table.canLive
import org.azx.app.play.table.canRetry
import org.azx.app.play.table.canReview
import org.azx.app.play.table.displayed
import org.azx.app.play.table.isLive
import org.azx.app.play.table.isReviewing
import org.azx.app.play.table.live
import org.azx.app.play.table.retry
import org.azx.app.play.table.review
import org.azx.app.play.table.showNextMistake
import org.azx.app.play.table.stopReview
import org.azx.app.screens.candidateRows
import org.azx.app.screens.judgement
import org.azx.app.screens.offer
import org.azx.app.screens.reviewStatus
import org.azx.app.screens.say
import org.azx.app.screens.sayIf
import org.azx.app.screens.showIf
import org.azx.app.screens.trial
import org.azx.app.screens.verdict

private val SIMULATIONS = listOf(50, 200, 800)

/** The candidates of a hint, and a review's verdicts, counts, accuracy and progress. */
class ReviewPanel(seat: Seat) : Part(seat) {
    private val simulations = find<Spinner>(R.id.review_simulations)
    private val progress = find<ProgressBar>(R.id.review_progress)
    private val candidates = Rows(find(R.id.candidate_rows))
    private val verdicts = Rows(find(R.id.verdicts))

    init {
        on(R.id.analyse, table::review)
        on(R.id.stop_review, table::stopReview)
        on(R.id.next_mistake, table::showNextMistake)
        on(R.id.retry, table::retry)
        on(R.id.live) { table.live(!table.isLive) }
        simulations.offer(SIMULATIONS, { words.number(it) }, table.simulations) { table.simulations = it }
    }

    override fun show(panel: Panel) {
        showCandidates(panel)
        find<TextView>(R.id.verdict).run {
            say(verdict())
            // While there are verdicts its line stays free, so that nothing jumps from move to move.
            showIf(table.session.seenSoFar > 0 && table.isReplay)
        }
        find<View>(R.id.retry).showIf(table.canRetry)
        mark(R.id.retry, panel.act == Act.TRY_AGAIN)
        mark(R.id.analyse, panel.act == Act.ANALYSE)
        // A phone has another one below the board.
        mark(R.id.stop_review, panel.act == Act.STOP && !isPhone)
        val hasMistakes = table.session.nextMistake() != null
        find<View>(R.id.next_mistake).showIf(table.canReview && hasMistakes)
        mark(R.id.next_mistake, panel.act == Act.NEXT_MISTAKE)
        find<View>(R.id.review).showIf(table.canReview)
        if (table.canReview) showReview()
    }

    private fun verdict(): String {
        val (session, retry) = table.session to table.retry
        if (retry != null) return words.trial(retry, session.visible)
        return if (table.isReplay && table.line == null) words.verdict(session) else ""
    }

    private fun showCandidates(panel: Panel) {
        val found = table.found?.takeIf { it.candidates.isNotEmpty() }
        find<View>(R.id.candidates).showIf(found != null)
        candidates.show(found?.let { words.candidateRows(it, table.displayed.visible, panel) }.orEmpty())
    }

    private fun showReview() {
        val (session, isReviewing) = table.session to table.isReviewing
        find<View>(R.id.analyse).showIf(!isReviewing && !session.isSeen)
        find<View>(R.id.stop_review).showIf(isReviewing)
        find<View>(R.id.review_buttons).showIf(isReviewing || !session.isSeen)
        find<View>(R.id.live).run {
            showIf(table.canLive)
            isSelected = table.isLive
        }
        simulations.isEnabled = !isReviewing
        progress.showIf(isReviewing)
        progress.max = session.positions
        progress.progress = session.seenSoFar
        find<TextView>(R.id.review_status).sayIf(words.reviewStatus(session))
        val rows = words.judgement(session, presentation)
        find<View>(R.id.verdicts).showIf(rows.isNotEmpty())
        verdicts.show(rows)
    }
}
