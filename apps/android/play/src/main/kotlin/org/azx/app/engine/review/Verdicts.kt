/**
 * What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy. Nothing here searches.
 *
 * A loss is the chance of the best move less the chance of the played one, both for the player. A search of the position
 * before gives the first; a search of the position after, turned round, gives the second, or the exact result if the game
 * is over. A loss is never below 0, and it is 0 if the search would have played the same move, as for a forced one. A
 * proven bad move has a reason, and its loss is at least a mistake's. In a solved end of Dots and Boxes or of Reversi the
 * lost boxes or discs have a verdict of their own; the worse of both counts. In an opening of Connect4 a table rules: a
 * move that gives a win or a draw away is a blunder, any other loses nothing.
 *
 * Mistakes and blunders without a proven reason need searches of both positions that are `DEEPER` times as deep.
 * `findDoubts` names the positions that still need one, each at most once.
 *
 * The accuracy of a move is factor * exp(-rate * L) - offset, between 0 and 100, for a loss of L percentage points (the
 * curve of lichess.org/page/accuracy). A player's is the mean over the moves that could lose something, and is null with
 * fewer than `FEWEST` of them.
 */
package org.azx.app.engine.review

import org.azx.app.engine.Search
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import org.azx.app.engine.rows
import kotlin.math.exp

/** The factor of simulations for a second look at a position. */
val DEEPER: Int = THRESHOLDS.number("deeper").toInt()

private val VERDICTS = THRESHOLDS.rows("verdicts")
private val ACCURACY = membersOf(THRESHOLDS["accuracy"])
private val FACTOR = ACCURACY.number("factor")
private val RATE = ACCURACY.number("rate")
private val OFFSET = ACCURACY.number("offset")

/** With fewer moves that could lose something a player has no accuracy. */
val FEWEST: Int = ACCURACY.number("fewest_moves").toInt()

/** The name of a loss: from `leastLoss` of winning chance on, or from a number of boxes or discs on. */
enum class Verdict {
    GOOD,
    INACCURACY,
    MISTAKE,
    BLUNDER,
    ;

    private val row = VERDICTS.first { it["name"] == name.lowercase() }
    val leastLoss: Double = row.number("least_loss")

    /** How many boxes or discs of the margin have to be lost. */
    fun leastOf(unit: PanelUnit): Int = row.number("least_${unit.name.lowercase()}").toInt()

    /** Whether "next mistake" stops at it. */
    val isMistake: Boolean = row["is_mistake"] == true
}

/** The verdict on a loss of winning chance, 0 to 1. */
fun verdictOf(loss: Double): Verdict = Verdict.entries.last { loss >= it.leastLoss }

/** The verdict on lost boxes or discs. */
fun verdictOf(lost: Int, unit: PanelUnit): Verdict =
    Verdict.entries.last { it == Verdict.GOOD || lost >= it.leastOf(unit) }

/**
 * What a search found of a position: `chance` (0 to 1) of `mover`, who is to move, and the action `best`. If the game is
 * over, `best` is null and `chance` the result, 0.5 for a draw. `isSure` after a second look, or with a proof. `known` are
 * the proofs, null if they are unknown.
 */
class Seen(
    val mover: Int,
    val chance: Double,
    val best: Int?,
    val isSure: Boolean = false,
    val known: Known? = null,
) {
    fun copy(isSure: Boolean = this.isSure, known: Known? = this.known) = Seen(mover, chance, best, isSure, known)
}

/**
 * A judged move: its player, its `loss` (0 to 1), the verdict, and a better move if it was not good. `reason` is the
 * proven one, null without a proof. `isChoice`: the move could have lost something. `margin` is what it lost of the solved
 * margin in boxes or discs (`unit`); null if unknown.
 */
class Judged(
    val action: Int,
    val player: Int,
    val loss: Double,
    val verdict: Verdict,
    val better: Int?,
    val reason: Reason?,
    val isChoice: Boolean,
    val margin: Int?,
    val unit: PanelUnit = PanelUnit.BOXES,
)

/**
 * What a search found of its root, whose proofs are `known`; null before its second simulation. Proofs come first: a win at
 * once, one that cannot be stopped, a move that has to stop one, and a solved end of Dots and Boxes or of Reversi.
 */
fun seeRoot(search: Search, known: Known = findKnown(search.state)): Seen? {
    val (state, mover) = search.state to search.state.toMove
    if (state.isTerminal) return Seen(mover, (1.0 + state.returns() * (1 - 2 * mover)) / 2, null, known = known)
    val found = candidates(search, state.actions)
    val first = found.firstOrNull() ?: return null
    known.chance?.let { return Seen(mover, it, known.left[0], isSure = true, known = known) }
    val best = found.firstOrNull { it.action in known.left }
    // A short search may not have tried the move that has to stop a win.
    return Seen(mover, (best ?: first).winRate, best?.action ?: known.left[0], known = known)
}

/** Verdicts of the moves between the seen positions: `actions[k]` leads from `seen[k]` to the next. */
fun judge(seen: List<Seen>, actions: List<Int>): List<Judged> =
    List(minOf(seen.size - 1, actions.size).coerceAtLeast(0)) { judge(seen[it], seen[it + 1], actions[it]) }

private fun judge(before: Seen, after: Seen, action: Int): Judged {
    val own = if (after.mover == before.mover) after.chance else 1 - after.chance
    val known = before.known?.let { one -> after.known?.let { one to it } }
    val reason = known?.let { (one, next) -> findReason(one, next, action) }
    val margin = known?.let { (one, next) -> countLost(one, next) }
    val unit = before.known?.unit ?: PanelUnit.BOXES
    val proven = if (reason == null) verdictOf(margin ?: 0, unit) else Verdict.MISTAKE
    val least = (if (isGivenAway(before, action)) Verdict.BLUNDER else proven).leastLoss
    val isKept = before.known?.outcome != null && action in before.known.left
    val loss = maxOf(least, if (isKept || action == before.best) 0.0 else before.chance - own)
    val verdict = verdictOf(loss)
    val better = before.best.takeIf { verdict != Verdict.GOOD }
    val isChoice = before.known?.isChoice(action) ?: true
    return Judged(action, before.mover, loss, verdict, better, reason, isChoice, margin, unit)
}

private fun isGivenAway(before: Seen, action: Int): Boolean = before.known?.givesAway(action) ?: false

/**
 * The positions beside mistakes and blunders that were searched only once, ascending. Proven positions need no second
 * search. Nor does a mistake with a reason; a blunder with one may turn out to be a mistake.
 */
fun findDoubts(seen: List<Seen>, actions: List<Int>): List<Int> {
    val moves = judge(seen, actions)
    val doubted = moves.indices.filter { isDoubted(seen[it], moves[it]) }
    return seen.indices.filter { !seen[it].isSure && seen[it].best != null && (it in doubted || it - 1 in doubted) }
}

private fun isDoubted(before: Seen, move: Judged): Boolean = when (move.verdict) {
    Verdict.BLUNDER -> !isGivenAway(before, move.action)
    else -> move.verdict.isMistake && move.reason == null
}

fun counts(moves: List<Judged>, player: Int): Map<Verdict, Int> =
    Verdict.entries.associateWith { verdict -> moves.count { it.player == player && it.verdict == verdict } }

/** A player's accuracy, 0 to 100; null if fewer than `FEWEST` of their moves could lose something. */
fun accuracy(moves: List<Judged>, player: Int): Double? {
    val own = moves.filter { it.player == player && it.isChoice }
    return if (own.size < FEWEST) null else own.sumOf { accuracyOf(it.loss) } / own.size
}

private fun accuracyOf(loss: Double): Double = (FACTOR * exp(-RATE * 100 * loss) - OFFSET).coerceIn(0.0, 100.0)

/**
 * The next position after a mistake or a blunder, as a number of moves; behind the last one the first again. `shown` is the
 * present position. null without mistakes.
 */
fun nextMistake(moves: List<Judged>, shown: Int): Int? {
    val places = (1..moves.size).filter { moves[it - 1].verdict.isMistake }
    return places.firstOrNull { it > shown } ?: places.firstOrNull()
}
