/** The one vocabulary of every game: an immutable state that two players change in turns. */
package org.azx.app.engine

/** 0 or 1; player 0 begins. */
typealias Player = Int

/** What a cell of a board holds: nothing, or a piece of a player. */
const val EMPTY = 0

/** The mark of a player's pieces in `cells`: 1 for player 0, 2 for player 1. */
fun mark(player: Player): Int = player + 1

fun other(player: Player): Player = 1 - player

/**
 * A position of a two-player zero-sum game; nothing changes it, `apply` makes the next one.
 *
 * An action is a number from 0 to `actions` - 1, the index of the reference policy's output.
 */
interface State : Drawable {
    /** How many actions the game has, legal here or not. */
    val actions: Int

    /** What the game's reference network reads. */
    val encoding: Encoding

    val isTerminal: Boolean

    /** What was played last; null before the first move. */
    val lastAction: Int?

    /** The legal actions in ascending order; none once the game is over. Shared: do not write to it. */
    fun legalActions(): IntArray

    /** Why `action` cannot be played; null where it can be. */
    fun whyIllegal(action: Int): Reason?

    /** The position after `action`; GameError, naming the legal ones, where it is illegal. */
    fun apply(action: Int): State

    /**
     * Which actions end the game at once, where the game knows it without trying each one and each answer to it; null
     * where they are to be tried. An action that loses at once counts for more answers than there can be.
     */
    fun sudden(): Sudden? = null

    /** The result seen by player 0: +1 won, 0 drawn or not over, -1 lost. */
    fun returns(): Int

    /** Write the tensor that the game's reference network reads, without a batch axis, over all of `into`. */
    fun encode(into: FloatArray)

    /** The tensor that the game's reference network reads, in an array of its own. */
    fun encode(): FloatArray = FloatArray(sizeOf(encoding)).also(::encode)

    /** What a person calls `action`: a column, a cell, a point such as D4, `pass`. */
    fun label(action: Int): String
}

/** Why an action is illegal: a kind that an app can translate, and the Python engine's English words. */
data class Reason(val kind: Kind, val words: String, val move: Int? = null) {
    /** `move` is given with SUPERKO alone: the number of moves after which the board was the same. */
    enum class Kind {
        OVER, NO_SUCH_ACTION, OCCUPIED, NOT_LOWEST, MUST_PASS, NO_PASS, SUICIDE, SUPERKO,
        OVERLINE, DOUBLE_FOUR, DOUBLE_THREE,
    }
}

val OVER = Reason(Reason.Kind.OVER, "the game is over")
val OCCUPIED = Reason(Reason.Kind.OCCUPIED, "occupied")

/** The error for an action that cannot be played: the action, and the legal ones. */
fun illegal(game: String, action: Int, legal: IntArray): GameError {
    val instead = if (legal.isEmpty()) OVER.words else "choose action ${legal.joinToString(", ")}"
    return GameError("$game: action $action is illegal here, $instead.")
}

/** The planes that pieces have: the mover's and the opponent's, or those of one player whoever is to move. */
val PIECES = listOf("mover", "opponent", "player0", "player1")

/** Whose pieces a plane called `who` shows. */
fun ownerOf(who: String, toMove: Player): Player = when (who) {
    "mover" -> toMove
    "player0" -> 0
    "player1" -> 1
    else -> other(toMove)
}

/** The plane "last": 1 at the cell played last; empty where `at` is no cell: before a move, after a pass. */
fun lastPlane(cells: Int, at: Int?): FloatArray {
    val plane = FloatArray(cells)
    if (at != null && at < cells) plane[at] = 1f
    return plane
}

/** The error for a plane that the game does not draw. */
fun unknownPlane(game: String, name: String, known: Iterable<String>): GameError =
    GameError("$game: there is no plane '$name', use ${known.joinToString(", ")}.")

/** +1 where player 0 has won, -1 where player 1 has, 0 where nobody has. */
fun resultOf(winner: Player?): Int = if (winner == null) 0 else 1 - 2 * winner
