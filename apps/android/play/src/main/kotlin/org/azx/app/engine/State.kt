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

    override val board: List<Int> get() = encoding.board

    val isTerminal: Boolean

    /** The action that passes; null if the game has none. */
    val pass: Int? get() = null

    /** Whether the only legal action is a pass that the rules force. */
    val mustPass: Boolean get() = false

    /** The boxes or discs of players 0 and 1; null in games that count neither. */
    val scores: IntArray? get() = null

    /** What was played last; null before the first move. */
    val lastAction: Int?

    /** The legal actions in ascending order; none once the game is over. Shared: do not write to it. */
    fun legalActions(): IntArray

    /** Why `action` cannot be played; null if it can be. */
    fun whyIllegal(action: Int): Refusal?

    /** The position after `action`; GameError, naming the legal ones, if it is illegal. */
    fun apply(action: Int): State

    /**
     * Which actions end the game at once, if the game knows it without trying each action and each answer; else null.
     * An action that loses at once counts as more answers than there can be.
     */
    fun sudden(): Sudden? = null

    /** The result seen by player 0: +1 won, 0 drawn or not over, -1 lost. */
    fun returns(): Int

    /** Write the tensor that the game's reference network reads, without a batch axis, over all of `into`. */
    fun encode(into: FloatArray) = encode(this, encoding, into)

    /** The tensor that the game's reference network reads, in an array of its own. */
    fun encode(): FloatArray = FloatArray(sizeOf(encoding)).also(::encode)

    /** What a person calls `action`: a column, a cell, a point such as D4, `pass`. */
    fun label(action: Int): String
}

/** Why an action is illegal. With SUPERKO, `move` is the number of moves after which the board was the same. */
data class Refusal(val code: Code, val move: Int? = null) {
    /** The apps' text of each is called `reason_` and its name. */
    enum class Code {
        OVER, NO_SUCH_ACTION, OCCUPIED, FULL, DRAWN, NOT_LOWEST, MUST_PASS, NO_PASS, TURNS_NOTHING, SUICIDE,
        SUPERKO, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE,
    }
}

/** The position after all of `actions`; GameError if one is illegal. */
fun State.after(actions: List<Int>): State = actions.fold(this) { state, action -> state.apply(action) }

/** The positions from this one on that `actions` lead to; GameError if one is illegal. */
fun State.through(actions: List<Int>): List<State> = actions.runningFold(this) { state, action -> state.apply(action) }

/** The positions after `action` and the passes that the rules then force. GameError if the action is illegal. */
fun State.play(action: Int): List<State> = mutableListOf(apply(action)).also(MutableList<State>::addForcedPasses)

/** Add the positions after the passes that the rules force now. */
fun MutableList<State>.addForcedPasses() {
    while (last().mustPass) add(last().run { apply(checkNotNull(pass)) })
}

/** Why an action is refused whatever the game: by its number, at the end, or for a forced pass. null if the rules decide. */
fun State.refuseOutside(action: Int): Refusal? = when {
    isTerminal -> Refusal(Refusal.Code.OVER)
    action !in 0 until actions -> Refusal(Refusal.Code.NO_SUCH_ACTION)
    mustPass && action != pass -> Refusal(Refusal.Code.MUST_PASS)
    else -> null
}

/** The error for an action that cannot be played: the action, and the legal ones. */
fun illegal(game: String, action: Int, legal: IntArray): GameError {
    val instead = if (legal.isEmpty()) "the game is over" else "choose action ${legal.joinToString(", ")}"
    return GameError("$game: action $action is illegal here, $instead.")
}

/** The planes of pieces, each player's now and up to `history` plies ago, and "last". */
fun namesOfPlanes(history: Int): List<String> = listOf("mover", "opponent", "player0", "player1").flatMap { who ->
    listOf(who) + (1..history).map { "$who@$it" }
} + "last"

/** Whose pieces a plane called `who` shows. */
fun ownerOf(who: String, toMove: Player): Player = when (who) {
    "mover" -> toMove
    "player0" -> 0
    "player1" -> 1
    else -> other(toMove)
}

/** The plane "last": 1 at the cell played last; empty if `at` is no cell: before a move, after a pass. */
fun lastPlane(cells: Int, at: Int?): FloatArray {
    val plane = FloatArray(cells)
    if (at != null && at < cells) plane[at] = 1f
    return plane
}

/** The error for a plane that the game does not draw. */
fun unknownPlane(game: String, name: String, known: Iterable<String>): GameError =
    GameError("$game: there is no plane '$name', use ${known.joinToString(", ")}.")
