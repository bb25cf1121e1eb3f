package org.azx.app.screens.people

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.Player
import org.azx.app.engine.review.Phase
import org.azx.app.play.passOf
import org.azx.app.play.people.SharedTable
import org.azx.app.screens.Dialogs
import org.azx.app.screens.Presentation
import org.azx.app.screens.Words
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.boards.Shown
import org.azx.app.screens.capital
import org.azx.app.screens.enable
import org.azx.app.screens.layBoard
import org.azx.app.screens.on
import org.azx.app.screens.play.Effects
import org.azx.app.screens.play.showChip
import org.azx.app.screens.say
import org.azx.app.screens.sayIf
import org.azx.app.screens.showIf
import java.util.Locale

/** The views of a game of two people. */
class PeopleScreen(
    activity: PeopleActivity,
    private val table: SharedTable,
    private val words: Words,
    private val presentation: Presentation,
) : Dialogs(activity) {
    val board: BoardView = activity.layBoard(table.session.latest)
    private val effects = Effects(board)
    private val chips = listOf(R.id.player_one, R.id.player_two)

    // That no network plays this board, once that was asked.
    private var isAlone = false

    init {
        board.onAction = { act { table.play(it) } }
        on(R.id.pass) { act(table::pass) }
        on(R.id.undo) { act(table::undo) }
        on(R.id.resign_game, ::askToResign)
        on(R.id.people_agree) { act { table.answer(true) } }
        on(R.id.people_refuse) { act { table.answer(false) } }
        on(R.id.agree) { act(table::settle) }
        on(R.id.play_on) { act(table::playOn) }
        on(R.id.people_rematch, activity::rematch)
        on(R.id.people_new, activity::anew)
        on(R.id.people_review) {
            activity.review {
                isAlone = true
                show()
            }
        }
        on(R.id.first) { act { table.show(table.session.setUp) } }
        on(R.id.back) { act { table.show(table.session.ply - 1) } }
        on(R.id.forward) { act { table.show(table.session.ply + 1) } }
        on(R.id.end) { act { table.show(table.session.moves) } }
    }

    private fun act(change: () -> Unit) {
        change()
        show()
    }

    private fun askToResign() {
        if (!table.canResign) return
        val who = words.nameOf(table.session, table.session.latest.toMove, presentation)
        show {
            setMessage(words.say(R.string.resign_ask_of, who))
            setPositiveButton(R.string.resign) { _, _ -> act(table::resign) }
            setNegativeButton(R.string.cancel, null)
        }
    }

    fun show() {
        val session = table.session
        val isOpen = table.canPlay || table.isScoring
        board.show(Shown(session.visible, session.human, session.lastMove, null, isOpen, table.counted))
        val now = { words.status(session, presentation, false) }
        find<TextView>(R.id.status).say(if (table.isAtEnd) now() else words.statusShown(session, presentation))
        val isEnd = session.phase == Phase.OVER && table.isAtEnd
        find<TextView>(R.id.score).sayIf(if (isEnd) words.score(session) else null)
        find<TextView>(R.id.notice).sayIf(notice())
        find<View>(R.id.people_asking).showIf(table.shared.asker != null)
        find<View>(R.id.scoring).showIf(table.isScoring)
        find<View>(R.id.people_result).showIf(session.phase == Phase.OVER)
        find<View>(R.id.people_buttons).showIf(session.phase == Phase.YOURS)
        find<View>(R.id.pass).run {
            showIf(passOf(session.latest) != null)
            isEnabled = table.canPlay
        }
        find<View>(R.id.undo).isEnabled = table.canUndo
        find<View>(R.id.stones_set_up).showIf(session.setUp > 0)
        showWalk()
        for ((player, id) in chips.withIndex()) showPlayer(find(id), player)
        showClocks()
        effects.show(session)
    }

    private fun notice(): String {
        val session = table.session
        val asker = table.shared.asker
        return when {
            isAlone -> words.say(R.string.people_no_review)
            asker != null -> words.say(
                R.string.undo_ask, words.nameOf(session, asker, presentation),
                words.nameOf(session, 1 - asker, presentation),
            )
            table.refusal != null -> words.say(R.string.not_possible, words.reason(checkNotNull(table.refusal)))
            session.phase == Phase.OVER && table.isAtEnd -> words.why(session, presentation).orEmpty()
            else -> words.summary(session, session.visible)
        }
    }

    private fun showWalk() {
        val (at, moves) = table.session.run { ply - setUp to played }
        find<TextView>(R.id.ply_text).say(words.say(R.string.move_of, at, moves))
        for (id in listOf(R.id.first, R.id.back)) find<View>(id).enable(at > 0)
        for (id in listOf(R.id.forward, R.id.end)) find<View>(id).enable(at < moves)
    }

    private fun showPlayer(chip: View, player: Player) {
        val session = table.session
        val isNext = session.phase == Phase.YOURS && session.visible.toMove == player
        val hasWon = session.phase == Phase.OVER && session.winner == player
        val mark = when {
            hasWon -> words.say(R.string.won)
            else -> if (isNext) words.say(R.string.to_move) else null
        }
        val who = words.nameOf(session, player, presentation)
        // A player without a name is called by the piece alone.
        val what = words.say(presentation.pieces[player]).capital().takeIf { it != who }
        words.showChip(chip, presentation, player, listOf(who, what, words.count(session, player), mark))
    }

    /** The time that is left, by the second. */
    fun showClocks() {
        for ((player, id) in chips.withIndex()) {
            val left = table.leftOf(player)?.let(::face)
            find<View>(id).findViewById<TextView>(R.id.wins).run {
                sayIf(left)
                contentDescription = left?.let {
                    words.say(R.string.clock_left, words.nameOf(table.session, player, presentation), it)
                }
            }
        }
    }

    private fun on(id: Int, act: () -> Unit) = activity.on(id, act)

    private fun <Found : View> find(id: Int): Found = activity.findViewById(id)
}

/** "4:07", "1:02:03": what is left, in seconds that have begun. */
internal fun face(milliseconds: Long): String {
    val seconds = (milliseconds + 999) / 1000
    val (hours, minutes) = seconds / 3600 to seconds / 60 % 60
    if (hours > 0) return String.format(Locale.ROOT, "%d:%02d:%02d", hours, minutes, seconds % 60)
    return String.format(Locale.ROOT, "%d:%02d", minutes, seconds % 60)
}
