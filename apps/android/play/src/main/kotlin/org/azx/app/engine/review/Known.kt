/**
 * Proofs: of a position within two plies, to the end of a game that is counted, or by a table; and of a move.
 *
 * A proven reason holds whatever a network thinks. A win at once was missed, a threat of the opponent was not stopped, or the
 * move itself allows a win.
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
 * The `legal` actions, those `left` to choose among, and the `result` for the mover, as in `Forced`.
 *
 * In Dots and Boxes and in Reversi `margin` is the mover's final lead in boxes or discs (`unit`) under perfect play, and
 * `left` are the actions that keep it. null in other games, and before the end is solved.
 *
 * In an opening of Connect4 `outcome` is 1, 0 or -1: the mover wins, draws or loses under perfect play, and `left` are the
 * actions that keep it. null elsewhere.
 */
class Known(
    val legal: List<Int>,
    val left: List<Int>,
    val result: Int?,
    val margin: Int? = null,
    val unit: PanelUnit = PanelUnit.BOXES,
    val outcome: Int? = null,
) {
    /** The mover's proven chance of winning: 1, 0.5 or 0; null without a proof. */
    val chance: Double? get() = (margin?.sign ?: result)?.let { (1.0 + it) / 2 }

    /**
     * The actions that keep the value of a solved end or an opening of Connect4, and the mover's chance then; null
     * elsewhere, where a search says which moves are good.
     */
    val provenBest: Pair<List<Int>, Double>? get() = (margin ?: outcome)?.let { left to (1.0 + it.sign) / 2 }
}

/**
 * Why a move is bad, and the winning `action` that was missed, not blocked or allowed. If a win or a draw of an opening was
 * given away, it is the lowest action that keeps it.
 */
class Reason(val code: Code, val action: Int) {
    /** The apps' text of each is called `because_` and its name. */
    enum class Code { MISSED_WIN, NOT_BLOCKED, ALLOWS_WIN, GAVE_WIN, GAVE_DRAW }
}

/**
 * The proofs of a position. Go has none: people agree on dead stones after two passes. Reversi has none before its end is
 * solved: a disc of the mover may open the opponent's cells.
 */
fun findKnown(state: State): Known {
    val legal = state.legalActions().toList()
    return when (state) {
        is DotsAndBoxes -> solveEnd(state)?.run { Known(legal, best, null, margin) }
        is Reversi -> solveEnd(state)?.run { Known(legal, best, null, margin, PanelUnit.DISCS) }
            ?: Known(legal, legal, null, unit = PanelUnit.DISCS)
        is Go -> Known(legal, legal, null)
        else -> null
    } ?: findForced(state).run {
        val opening = if (state is Connect4 && result == null) solveOpening(state) else null
        Known(legal, moves.filter { opening == null || it in opening.kept }, result, outcome = opening?.outcome)
    }
}

/**
 * Whether another move could have lost something, or this one has: not with one legal action, nor if every action has the
 * same proven result, nor by the forced one.
 */
fun Known.isChoice(action: Int): Boolean = when {
    legal.size < 2 || result == -1 -> false
    result == 1 || margin != null || outcome != null -> left.size < legal.size
    else -> left != listOf(action)
}

/** Whether `action` gives away the win or the draw that an opening is proven to be. */
fun Known.givesAway(action: Int): Boolean = outcome != null && outcome >= 0 && action !in left

/** By how much the move between two positions worsens the player's margin; null if unknown. */
fun countLost(before: Known, after: Known): Int? = before.margin?.let { margin -> after.margin?.plus(margin) }

/**
 * Why `action`, which leads from one position to the other, is bad; null without a proof.
 *
 * A win is not missed if it is still proven afterwards. If the opponent wins at once whatever is played, nothing was left
 * to lose. A win or a draw is given away if the opponent cannot win at once.
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
