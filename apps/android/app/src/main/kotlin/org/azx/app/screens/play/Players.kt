package org.azx.app.screens.play

import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.Player
import org.azx.app.engine.State
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Phase
import org.azx.app.play.Session
import org.azx.app.play.table.displayed
import org.azx.app.screens.Presentation
import org.azx.app.screens.Words
import org.azx.app.screens.capital
import org.azx.app.screens.say
import org.azx.app.screens.sayIf

/** Show a player in a chip. `parts` are name, piece, count, mark, and what else a screen reader says; absent is null. */
internal fun Words.showChip(chip: View, presentation: Presentation, player: Player, parts: List<String?>) {
    val (who, what, count, mark) = parts
    chip.isSelected = mark != null
    val colour = chip.context.getColor(presentation.colours[player])
    chip.findViewById<PieceView>(R.id.piece).show(presentation.piece, player, colour)
    chip.findViewById<TextView>(R.id.who).say(who.orEmpty())
    chip.findViewById<TextView>(R.id.what).say(what.orEmpty().capital())
    chip.findViewById<TextView>(R.id.count).sayIf(count)
    chip.findViewById<TextView>(R.id.mark).sayIf(mark)
    chip.contentDescription = parts.filterNotNull().joinToString(say(R.string.board_comma))
}

/** The two chips above the board: each player with name, piece and count, and whose turn it is. */
class Players(seat: Seat) : Part(seat) {
    private val opened = seat.opened

    /** The person stands on the left; without one, the side that began. */
    override fun show(panel: Panel) {
        val session = table.displayed
        show(R.id.player_one, session, session.side)
        show(R.id.player_two, session, 1 - session.side)
    }

    private fun show(id: Int, session: Session, player: Player) {
        val chip = find<View>(id)
        val (who, what) = whoIs(session, player) to whatIs(session, player)
        val (count, mark) = words.count(session, player) to markOf(session, player)
        val wins = table.series?.wins?.toList()?.get(player)?.let { words.number(it) }
        words.showChip(chip, presentation, player, listOf(who, what, count, mark, wins))
        chip.findViewById<TextView>(R.id.wins).sayIf(wins)
    }

    /** A side's name. Two networks have their titles, the same network twice has its levels. */
    private fun whoIs(session: Session, player: Player): String {
        val side = table.sides?.toList()?.get(player)
        return when {
            side != null -> if (isOneNetwork) words.level(side) else words.shortTitle(side.name, opened.game)
            session.isRead -> words.nameOf(session, player, presentation)
            else -> words.say(if (player == session.human) R.string.you else R.string.ai)
        }
    }

    /** A side's piece, and the level of a network unless that is its name. */
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

    /** Whether the game's end is shown. A record may give a result that the board does not show. */
    private fun isEnd(session: Session) =
        session.visible.isTerminal || (session.visible === session.latest && session.ending != null)

    /** The mark of a side in the shown position: it moves next, or it has won. */
    private fun markOf(session: Session, player: Player): String? = when {
        // A replay shows the position, not the game's end.
        table.isReplay && !isEnd(session) -> toMove(session.visible, player)
        session.phase == Phase.OVER -> if (session.winner == player) words.say(R.string.won) else null
        // No side moves while dead stones are marked, nor after the last move of other people's game.
        session.phase == Phase.SCORING || session.phase == Phase.READ -> null
        else -> toMove(session.latest, player)
    }
}
