package org.azx.app.screens.play

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.Player
import org.azx.app.engine.State
import org.azx.app.play.Phase
import org.azx.app.play.Session
import org.azx.app.play.table.displayed
import org.azx.app.screens.say
import org.azx.app.screens.sayIf

/** The two chips above the board: who plays with what, what each has, and whose turn it is. */
class Players(seat: Seat) : Part(seat) {
    private val opened = seat.opened

    /** The person on the left, or who began where there is none. */
    override fun show() {
        val session = table.displayed
        show(R.id.player_one, session, session.side)
        show(R.id.player_two, session, 1 - session.side)
    }

    private fun show(id: Int, session: Session, player: Player) {
        val chip = find<View>(id)
        val (who, what) = whoIs(session, player) to whatIs(session, player)
        val (count, mark) = words.count(session, player) to markOf(session, player)
        val wins = table.series?.wins?.toList()?.get(player)?.let { words.number(it) }
        chip.isSelected = mark != null
        chip.findViewById<PieceView>(R.id.piece).run {
            show(presentation.piece, player, activity.getColor(presentation.colours[player]))
        }
        chip.findViewById<TextView>(R.id.who).say(who)
        chip.findViewById<TextView>(R.id.what).say(what)
        chip.findViewById<TextView>(R.id.count).sayIf(count)
        chip.findViewById<TextView>(R.id.mark).sayIf(mark)
        chip.findViewById<TextView>(R.id.wins).sayIf(wins)
        val comma = words.say(R.string.board_comma)
        chip.contentDescription = listOfNotNull(who, what, count, mark, wins).joinToString(comma)
    }

    /** A side's name: of two networks what tells them apart, of one and the same how strong it plays. */
    private fun whoIs(session: Session, player: Player): String {
        val side = table.sides?.toList()?.get(player)
        return when {
            side != null -> if (isOneNetwork) words.level(side) else words.shortTitle(side.name, opened.game)
            session.isRead -> words.player(session, player, presentation)
            else -> words.say(if (player == session.human) R.string.you else R.string.ai)
        }
    }

    /** What a side plays with; of a network how strong it is, too, where that is not its name. */
    private fun whatIs(session: Session, player: Player): String {
        val piece = words.say(presentation.pieces[player])
        val side = table.sides?.toList()?.get(player)
        if (player == session.human || session.isRead || (side != null && isOneNetwork)) return piece
        val level = side?.let(words::level) ?: words.strength(table.choices.strength)
        return words.say(R.string.piece_strength, piece, level)
    }

    private val isOneNetwork: Boolean get() = table.sides?.run { first.name == second.name } == true

    private fun toMove(state: State, player: Player): String? =
        if (state.toMove == player) words.say(R.string.to_move) else null

    /** Whether the game's end is shown, where a text may tell a result that the board does not. */
    private fun isEnd(session: Session) =
        session.visible.isTerminal || (session.visible === session.latest && session.ending != null)

    /** What is to be said of a side in the position shown: that it moves next, or that it has won. */
    private fun markOf(session: Session, player: Player): String? = when {
        // A replay shows the position, not the game's end.
        table.isReplay && !isEnd(session) -> toMove(session.visible, player)
        session.phase == Phase.OVER -> if (session.winner == player) words.say(R.string.won) else null
        // Nobody moves while the dead stones are agreed on, nor after the last move of other people.
        session.phase == Phase.SCORING || session.phase == Phase.READ -> null
        else -> toMove(session.latest, player)
    }
}
