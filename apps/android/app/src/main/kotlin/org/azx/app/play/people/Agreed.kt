/** What two people agree on before their game, and the game that begins with it. */
package org.azx.app.play.people

import org.azx.app.engine.Game
import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.records.BOTH
import org.azx.app.engine.records.Clock
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.Shared
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.newIdentity
import org.azx.app.play.Kept
import org.azx.app.play.Session
import org.azx.app.play.allSettings

/** Minutes that each may have for a game, and seconds that each move may add; 0 is no clock, or nothing. */
val MINUTES = listOf(0, 1, 3, 5, 10, 20, 60)
val SECONDS = listOf(0, 2, 5, 10, 30)

/** Letters that a name may have. */
const val LONGEST_NAME = 40

/** The names of players 0 and 1, empty if one gives none; minutes of 0 are no clock. */
class Agreed(
    val names: Pair<String, String> = "" to "",
    val isUndoAsked: Boolean = false,
    val minutes: Int = 0,
    val increment: Int = 0,
)

/** A game of two people that begins at the last of `states`; the moves until there place what was set up. */
fun beginShared(settings: Settings, states: List<State>, game: Game, agreed: Agreed): Kept {
    val clock = if (agreed.minutes > 0) Clock(60 * agreed.minutes, agreed.increment, emptyMap()) else null
    val names = agreed.names.toList().map { it.trim().take(LONGEST_NAME) }
    val sides = names.map { Side(SideKind.PERSON, it, "") }
    val identity = newIdentity(Origin.PLAYED)
        .copy(sides = sides[0] to sides[1], shared = Shared(agreed.isUndoAsked, clock, null))
    val session = Session(states, BOTH, names = names[0] to names[1], setUp = states.size - 1)
    return Kept(session, allSettings(game, settings), identity)
}

/** The milliseconds that players 0 and 1 have left after a number of moves. */
fun Clock.leftAt(moves: Int): Pair<Long, Long> =
    left.entries.filter { it.key <= moves }.maxByOrNull { it.key }?.value ?: (1000L * base to 1000L * base)

/** The clock with `more` milliseconds for `player` after a number of moves; the result is at least 0. */
internal fun Clock.add(moves: Int, player: Player, more: Long): Clock {
    val (one, two) = leftAt(moves)
    val now = if (player == 0) maxOf(0, one + more) to two else one to maxOf(0, two + more)
    return Clock(base, increment, left + (moves to now))
}

/** The clock of the first `moves` moves. */
internal fun Clock.cut(moves: Int) = Clock(base, increment, left.filterKeys { it <= moves })
