package org.azx.app.screens

import android.app.Activity
import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams
import android.widget.Button
import android.widget.FrameLayout
import android.widget.TextView
import org.azx.app.R
import org.azx.app.play.Phase
import org.azx.app.play.Session
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.boards.Shown
import org.azx.app.screens.boards.boardFor

/** The views of a match: the board, what is said around it, and the buttons. */
class PlayScreen(private val activity: Activity, private val match: Match, opened: Opened) {
    private val words = Words(activity.resources)
    private val table = tableOf(opened.game)
    private val replay = ReplayBar(activity, match, words)
    private val panel = Panel(activity, match, opened, words, table)
    private val board: BoardView = boardFor(activity, match.session.latest)
    private var shown: Shown? = null

    /** What the screen is called. */
    val title: String = words.title(opened.bundle.entry.title, opened.game, opened.bundle.reading.game.title)

    init {
        board.onAction = match::play
        val size = FrameLayout.LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.WRAP_CONTENT, Gravity.CENTER)
        find<FrameLayout>(R.id.board).addView(board, size)
        on(R.id.pass, match::pass)
        on(R.id.undo, match::undo)
        on(R.id.hint, match::hint)
        on(R.id.stop, match::stop)
        on(R.id.new_game, match::restart)
    }

    private fun <Found : View> find(id: Int): Found = activity.findViewById(id)

    private fun on(id: Int, act: () -> Unit) = find<View>(id).setOnClickListener { act() }

    /** Bring the views in line with the match. */
    fun show() {
        showBoard()
        showWords(match.session)
        showButtons()
        replay.show()
        panel.show()
    }

    private fun showWords(session: Session) {
        find<TextView>(R.id.status).run {
            say(words.status(session, table))
            setTextColor(activity.getColor(if (session.phase == Phase.THEIRS) R.color.soft else R.color.ink))
        }
        find<TextView>(R.id.notice).say(words.notice(match.notice, session.latest))
        find<TextView>(R.id.summary).run {
            say(words.summary(session, session.visible))
            showIf(text.isNotEmpty())
        }
    }

    private fun showButtons() {
        val session = match.session
        find<View>(R.id.pass).run {
            showIf(passOf(session.states[0]) != null)
            isEnabled = match.canPlay
        }
        find<Button>(R.id.undo).isEnabled = !match.isReplay && session.canUndo
        find<View>(R.id.hint).run {
            showIf(session.phase != Phase.THEIRS)
            isEnabled = match.canPlay
        }
        find<View>(R.id.stop).showIf(session.phase == Phase.THEIRS)
    }

    /** A thought's progress changes nothing on the board: then it is not told again. */
    private fun showBoard() {
        val session = match.session
        val (before, state) = shown to session.visible
        val isKnown = before != null && before.state === state && before.human == session.human &&
            before.heat === match.heat && before.canPlay == match.canPlay
        if (isKnown) return
        shown = Shown(state, session.human, session.lastMove, match.heat, match.canPlay).also(board::show)
    }
}
