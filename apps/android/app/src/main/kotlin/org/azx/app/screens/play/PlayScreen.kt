package org.azx.app.screens.play

import android.view.View
import android.widget.Button
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Act
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Phase
import org.azx.app.play.Session
import org.azx.app.play.passOf
import org.azx.app.play.ratesOf
import org.azx.app.play.table.agree
import org.azx.app.play.table.canHint
import org.azx.app.play.table.canTry
import org.azx.app.play.table.counted
import org.azx.app.play.table.displayed
import org.azx.app.play.table.hint
import org.azx.app.play.table.isHinting
import org.azx.app.play.table.isReviewing
import org.azx.app.play.table.isScoring
import org.azx.app.play.table.panel
import org.azx.app.play.table.playOn
import org.azx.app.play.table.stopHint
import org.azx.app.play.table.stopReview
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.boards.Shown
import org.azx.app.screens.colourOf
import org.azx.app.screens.layBoard
import org.azx.app.screens.limitText
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** The views of a table: the board, the sentences around it, and the buttons. */
class PlayScreen(seat: Seat) : Part(seat) {
    private val opened = seat.opened
    private val card = ResultCard(seat)
    private val parts = listOf(
        Players(seat), card, WatchBar(seat), MoveList(seat), ReplayBar(seat), AboutRecord(seat), Scoreboard(seat),
        ReviewPanel(seat), Beside(seat), Offer(seat), Tabs(seat),
    )
    private val board: BoardView = activity.layBoard(table.session.latest)
    private val effects = Effects(board)
    private val sheet: View? = activity.findViewById(R.id.sheet)
    private var shown: Shown? = null

    val title: String = words.title(opened.bundle.entry)

    init {
        board.onAction = table::play
        (sheet?.parent as View?)?.limitText(activity.resources.getFraction(R.fraction.most_scale, 1, 1))
        on(R.id.pass, table::pass)
        on(R.id.agree, table::agree)
        on(R.id.play_on, table::playOn)
        on(R.id.undo, table::undo)
        on(R.id.hint, table::hint)
        on(R.id.stop) {
            when {
                table.isHinting -> table.stopHint()
                table.isReviewing -> table.stopReview()
                else -> table.stop()
            }
        }
        on(R.id.new_game) { seat.asking.newGame(seat) }
    }

    /** Bring all views in line with the table: everything that they say of the position comes from its one panel. */
    fun show() = show(table.panel)

    override fun show(panel: Panel) {
        (sheet?.parent as? Upright)?.isReview = table.isReplay
        showBoard(panel)
        showWords(table.session)
        showButtons(table.session, panel.act)
        for (part in parts) part.show(panel)
        effects.show(table.displayed)
    }

    private fun showWords(session: Session) {
        val shown = table.displayed
        val isTheirs = session.phase == Phase.THEIRS && !table.isReplay
        find<TextView>(R.id.status).run {
            val now = { words.status(session, presentation, table.isPaused) }
            say(if (table.isReplay) words.statusShown(shown, presentation) else now())
            // The card says who has won. On a phone the players say whose turn it is in a replay.
            showIf(!card.isWanted && !(isPhone && table.isReplay && !shown.visible.isTerminal))
            setTextColor(activity.colourOf(if (isTheirs) R.attr.soft else R.attr.ink))
        }
        find<TextView>(R.id.notice).run {
            val said = listOf(words.notice(table.notice, shown.visible), words.warmth(table.warmthFelt))
            val all = said.filter { it.isNotEmpty() }.joinToString("\n")
            // It stays there with no height, so that a screen reader announces what appears.
            if (isPhone) maxHeight = if (all.isEmpty()) 0 else Int.MAX_VALUE
            say(all)
            // Elsewhere its line stays free, so that nothing jumps when a sentence appears.
            showIf(text.isNotEmpty() || !card.isWanted)
        }
        find<TextView>(R.id.summary).run {
            // Before the dead stones are agreed on there is no score.
            say(if (table.isScoring) "" else words.summary(session, shown.visible))
            // A phone has no room for what the chips say already.
            val isMore = shown.run { visible.isTerminal || (lastMove != null && lastMove == passOf(visible)) }
            showIf(text.isNotEmpty() && !card.isWanted && (isMore || !isPhone))
        }
    }

    private fun showButtons(session: Session, act: Act) {
        find<View>(R.id.pass).run {
            showIf(passOf(session.states[0]) != null && !session.isWatched && !card.isWanted)
            isEnabled = table.canPlay || table.canTry
        }
        find<Button>(R.id.undo).run {
            // A phone has no room for a button that never works.
            showIf(session.hasPerson && !(isPhone && table.isReplay))
            isEnabled = table.canUndo
        }
        find<View>(R.id.hint).run {
            val isYours = session.phase != Phase.THEIRS && !card.isWanted && !session.isWatched
            showIf(opened.hasPolicy && (table.isReplay || isYours))
            isEnabled = table.canHint
        }
        if (table.isHinting) find<View>(R.id.hint).showIf(false)
        find<View>(R.id.scoring).showIf(table.isScoring)
        val isAwaited = session.phase == Phase.THEIRS && !session.isWatched && !table.isReplay
        find<View>(R.id.stop).showIf(isAwaited || table.isHinting || (isPhone && table.isReviewing))
        mark(R.id.stop, act == Act.STOP)
        mark(R.id.agree, act == Act.AGREE)
        // In a review the phone has no room for it: it is offered again once the person plays, or the game is over.
        find<View>(R.id.new_game).showIf(!card.isWanted && !(isPhone && table.isReplay))
    }

    /** The progress of a thought changes nothing on the board: then the board is left alone. */
    private fun showBoard(panel: Panel) {
        val (session, found) = table.displayed to table.found
        val now = Shown(
            session.visible, session.human, session.lastMove, table.heat, table.canPlay || table.canTry, table.counted,
            panel.ratesOf(found), panel.better, found?.points, if (found == null) null else panel.equal.toSet(),
        )
        val isKnown = shown?.let { isSame(it, now) } == true
        if (!isKnown) shown = now.also(board::show)
    }

    private fun isSame(before: Shown, now: Shown): Boolean = before.state === now.state && before.human == now.human &&
        before.heat === now.heat && before.best == now.best && before.canPlay == now.canPlay &&
        before.better == now.better && before.counted == null && now.counted == null
}
