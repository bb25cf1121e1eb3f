/** The plan of a series between two sides, and its tally: who begins which game, by which opening, who has won how many. */
package org.azx.app.play.table

import org.azx.app.engine.Player
import java.io.Serializable

/**
 * A game of a series. `first` is the player that the first side is: each side begins every other game. `opening` is the
 * number of its opening: two games have the same, one for each side; null of a game alone, which has none.
 */
data class Round(val first: Player, val opening: Int?) {
    /** What belongs to the two sides, player 0's first. */
    fun <Part> byPlayer(sides: Pair<Part, Part>): Pair<Part, Part> =
        if (first == 0) sides else sides.second to sides.first
}

fun roundsOf(count: Int): List<Round> = List(count) { Round(it % 2, if (count == 1) null else it / 2) }

/** After how few moves a game is still open; tic-tac-toe has nine of them in all. */
fun pliesOf(game: String): Int = if (game == "tictactoe") 2 else 4

/** How many games each side has won until now. */
data class Tally(val won: Pair<Int, Int> = 0 to 0, val drawn: Int = 0) : Serializable {
    val played: Int get() = won.first + won.second + drawn

    /** The tally after another game, which this player has won; null for a draw. */
    fun countIn(round: Round, winner: Player?): Tally = when {
        winner == null -> copy(drawn = drawn + 1)
        round.first == winner -> copy(won = won.first + 1 to won.second)
        else -> copy(won = won.first to won.second + 1)
    }

    /** How many games each player of a game has won until now, player 0 first. */
    fun byPlayer(round: Round): Pair<Int, Int> = round.byPlayer(won)
}
