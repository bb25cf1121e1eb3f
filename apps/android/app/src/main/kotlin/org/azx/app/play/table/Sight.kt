/** What the screen of a table says of the position that it shows: one panel, and everything is drawn from it. */
package org.azx.app.play.table

import org.azx.app.engine.review.Lead
import org.azx.app.engine.review.Moment
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.PlayedMove
import org.azx.app.engine.review.panelOf
import org.azx.app.play.Findings
import org.azx.app.play.Notice
import org.azx.app.play.Session
import org.azx.app.play.facts

/** The panel of the shown position. */
val Table.panel: Panel
    get() {
        val isJudged = isReplay && line == null && retry == null
        return panelOf(displayed.facts(findings, if (isJudged) session.playedMove else null, moment))
    }

/** The panel of the game itself, whatever line is tried out. */
val Table.panelOfGame: Panel get() = if (line == null) panel else panelOf(session.facts())

private val Table.findings: Findings
    get() {
        val lead = (notice as? Notice.Estimated)?.estimate?.run { Lead(score, spread) }
        // A thought about one position is not shown beside another.
        return Findings(found, progress.takeIf { isThinking && displayed.visible === session.latest }, lead)
    }

private val Session.playedMove: PlayedMove?
    get() = judgedMove?.run { PlayedMove(action, player, verdict, reason, better) }

private val Table.moment: Moment
    get() = Moment(
        session.phase,
        isReplay = isReplay,
        isBusy = isReviewing || isHinting,
        isWatched = session.isWatched,
        isPaused = isPaused,
        isTrying = isRetrying,
        canReview = canReview,
        isReviewed = session.isSeen,
        hasMistakes = isReplay && session.nextMistake() != null,
    )
