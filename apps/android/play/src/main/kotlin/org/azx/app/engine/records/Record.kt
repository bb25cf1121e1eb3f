/** What a record tells of a game, and its moves by the game's rules. docs/records.md is the definition. */
package org.azx.app.engine.records

import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Reversi

/** Bytes of UTF-8 that a text may have. */
const val LARGEST = 1_000_000
const val MOST_MOVES = 2_000

/** SGF's number of each game that it has. */
internal val SGF_GAMES = mapOf(
    "go" to "1",
    "gomoku" to "4",
    "reversi" to "2",
    "hex" to "11",
)

/** SGF's words in Hex for taking over the first stone; on the board the move has that stone's name. */
internal val SWAPS = listOf("swap-pieces", "swap")

/** ASCII's blanks: each language has others of its own. */
internal const val BLANKS = " \t\n\r\u000C\u000B"

internal fun strip(text: String): String = text.trim { it in BLANKS }

/**
 * A text is no record of a game. `move` is the number of the bad move, from 1 on, `what` the bad word, and `reason` why the
 * move is illegal.
 */
class RecordError(
    val kind: Kind,
    val move: Int? = null,
    val what: String = "",
    val reason: Refusal? = null,
) : RuntimeException(listOfNotNull(kind.key, move, what, reason?.code).joinToString(" ")) {
    /** What is wrong; `key` is the name of the sentence in every app. */
    enum class Kind(val key: String) {
        NONE("record_none"),
        TOO_LARGE("record_too_large"),
        TOO_LONG("record_too_long"),
        NO_SGF("record_no_sgf"),
        OTHER_GAME("record_other_game"),
        SETUP("record_setup"),
        SETTINGS("record_settings"),
        UNKNOWN_MOVE("record_unknown_move"),
        TURN("record_turn"),
        ILLEGAL("record_illegal"),
        AFTER_END("record_after_end"),

        /** A record of a game, or on a board, that no bundle here plays: said by an app, not by a reader. */
        NO_NETWORK("record_no_network"),
    }
}

/** A move by its name on the board; `player` is who makes it, null if the text does not say. */
class Move(val name: String, val player: Player? = null)

/**
 * A game as a text tells it. `game` is null if the text does not name it, `settings` are those that it gives, `ignored` is
 * the number of variations left out. `names` of players 0 and 1 and `result`, SGF's RE, are unchecked. The first `setUp`
 * moves were not played: they place the stones that stood before the first move.
 */
class Record(
    val game: String?,
    val settings: Settings,
    val moves: List<Move>,
    val names: Pair<String, String> = "" to "",
    val result: String = "",
    val ignored: Int = 0,
    val setUp: Int = 0,
) {
    /**
     * Every position from `start` on; RecordError, with its number, if a move cannot be played. Passes that the record leaves
     * out are made here.
     */
    fun states(start: State): List<State> {
        val byName = (0 until start.actions).groupBy { start.label(it).lowercase() }
        val states = mutableListOf(start)
        moves.forEachIndexed { index, move ->
            passLeftOut(states.last(), move)?.let { states += states.last().apply(it) }
            val (number, actions) = index + 1 - setUp to byName[move.name.lowercase()].orEmpty()
            val action = try {
                actionOf(states.last(), number, move, actions)
            } catch (error: RecordError) {
                throw if (number > 0) error else noSetUp()
            }
            states += states.last().apply(action)
        }
        return states
    }
}

/** The error for stones that no moves can bring there. */
internal fun noSetUp() = RecordError(RecordError.Kind.SETUP)

/**
 * The pass that is missing before a move; null if none is. Reversi's rules force it, or in Go a side moves twice after a move
 * that was no pass.
 */
internal fun passLeftOut(state: State, move: Move): Int? = when (state) {
    is Reversi -> state.pass.takeIf { state.mustPass && move.name.lowercase() != state.label(it) }
    is Go -> state.pass.takeIf { move.player == 1 - state.toMove && state.lastAction != it }
    else -> null
}

/** The one of the `actions` of a move's name that can be played: a column of Connect4 has six. */
private fun actionOf(state: State, number: Int, move: Move, actions: List<Int>): Int {
    if (state.isTerminal) throw RecordError(RecordError.Kind.AFTER_END, number)
    if (actions.isEmpty()) throw RecordError(RecordError.Kind.UNKNOWN_MOVE, number, move.name)
    if (move.player != null && move.player != state.toMove) throw RecordError(RecordError.Kind.TURN, number)
    return actions.find { state.whyIllegal(it) == null }
        ?: throw RecordError(RecordError.Kind.ILLEGAL, number, "", state.whyIllegal(actions.last()))
}
