/**
 * What is proven of a position: within two plies, to the end of a game that is counted, by a table; and of a move.
 *
 * A reason is said where it is proven, whatever a network thinks of the position: a win at once that was left, one of
 * the opponent's that was open and could have been stopped, one that the move itself has opened.
 */
package org.azx.app.engine.review

import org.azx.app.engine.State
import org.azx.app.engine.findForced
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.solveEnd
import org.azx.app.engine.games.solveOpening
import kotlin.math.sign

/**
 * The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them.
 *
 * In Dots and Boxes and in Reversi `margin` is how many boxes or discs (`unit`) more than the opponent the mover ends
 * with if both play perfectly, and `left` are the actions that keep it. null in other games, and while more is open than
 * is solved.
 *
 * In an opening of Connect4 `outcome` is 1, 0 or -1: the mover wins, draws or loses if both play perfectly, and the
 * actions `left` keep that, too. null elsewhere.
 */
data class Known(
    val legal: List<Int>,
    val left: List<Int>,
    val result: Int?,
    val margin: Int? = null,
    val unit: MarginUnit = MarginUnit.BOXES,
    val outcome: Int? = null,
) {
    /** The mover's chance of winning where it is proven: 1, 0.5 or 0; else null. */
    val chance: Double? get() = (margin?.sign ?: result)?.let { (1.0 + it) / 2 }

    /**
     * The actions that keep what an end that is solved or an opening of Connect4 comes to, and the mover's chance then;
     * null where neither is known. A search says of other positions which moves are good.
     */
    val provenBest: Pair<List<Int>, Double>? get() = (margin ?: outcome)?.let { left to (1.0 + it.sign) / 2 }
}

/** What a margin is counted in. */
enum class MarginUnit { BOXES, DISCS }

/**
 * Why a move is bad, and the winning `action` that was missed, not blocked or allowed. Where a win or a draw of an opening
 * was given away it is the lowest action that keeps it.
 */
data class Reason(val code: Code, val action: Int) {
    /** The apps' text of each is called `because_` and its name. */
    enum class Code { MISSED_WIN, NOT_BLOCKED, ALLOWS_WIN, GAVE_WIN, GAVE_DRAW }
}

/**
 * What is proven of a position: nothing in Go, where people agree on dead stones after two passes; nor in Reversi
 * until its end is solved, where a disc of the mover's may open the opponent's cells, so that no reason below is proven.
 */
fun findKnown(state: State): Known {
    val legal = state.legalActions().toList()
    return when (state) {
        is DotsAndBoxes -> solveEnd(state)?.run { Known(legal, best, null, margin) }
        is Reversi -> solveEnd(state)?.run { Known(legal, best, null, margin, MarginUnit.DISCS) }
            ?: Known(legal, legal, null, unit = MarginUnit.DISCS)
        is Go -> Known(legal, legal, null)
        else -> null
    } ?: findForced(state).run {
        val opening = if (state is Connect4 && result == null) solveOpening(state) else null
        Known(legal, moves.filter { opening == null || it in opening.kept }, result, outcome = opening?.outcome)
    }
}

/**
 * Whether who plays `action` could have lost something by another move, or has lost it by this one: not with one legal
 * action, nor where every action has the same proven result, nor by the one that is forced.
 */
fun Known.isChoice(action: Int): Boolean = when {
    legal.size < 2 || result == -1 -> false
    result == 1 || margin != null || outcome != null -> left.size < legal.size
    else -> left != listOf(action)
}

/** Whether `action` gives away the win or the draw that an opening is proven to be. */
fun Known.givesAway(action: Int): Boolean = outcome != null && outcome >= 0 && action !in left

/** By how much the move between two positions makes the player's margin worse; null where it is not known. */
fun countLost(before: Known, after: Known): Int? = before.margin?.let { margin -> after.margin?.plus(margin) }

/**
 * Why `action`, which leads from one position to the other, is bad; null where nothing is proven to be lost by it.
 *
 * A win is not missed if it is proven afterwards, too. Where the opponent wins at once whatever is played, nothing
 * was left to lose. That a win or a draw is given away is said where the opponent cannot win at once.
 */
fun findReason(before: Known, after: Known, action: Int): Reason? {
    if (before.result == 1) {
        val isKept = action in before.left || after.result == -1 || after.outcome == -1
        return if (isKept) null else Reason(Reason.Code.MISSED_WIN, before.left[0])
    }
    if (before.result == null && after.result != 1 && before.givesAway(action)) {
        return Reason(if (before.outcome == 1) Reason.Code.GAVE_WIN else Reason.Code.GAVE_DRAW, before.left[0])
    }
    if (before.result != null || after.result != 1) return null
    // A piece of the mover's never helps the opponent: what wins now and could be played before was a threat before.
    val threat = after.left.firstOrNull { it in before.legal }
    return threat?.let { Reason(Reason.Code.NOT_BLOCKED, it) } ?: Reason(Reason.Code.ALLOWS_WIN, after.left[0])
}
