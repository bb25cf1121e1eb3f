/**
 * What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy.
 *
 * A move's loss is the chance of winning that the best move had, less the chance that the played one had, both for who
 * played it. The best move's is what a search from the position before says; the played move's what a search from the
 * position after says for the other side, turned round, or the exact result where the game is over there. A loss is
 * never below 0, and it is 0 where the played move is the one that the search from the position before would have
 * played: nothing better is known then. A move that the rules force is such a one. A move that is proven to be bad has a
 * reason, and its loss is at least a mistake's, however little a network thinks was left to lose. Where the end of a
 * game of Dots and Boxes or of Reversi is solved, the boxes or discs by which a move makes the mover's margin worse have
 * a verdict of their own. The worse of both is said. In an opening of Connect4 a table has how each move ends: one that
 * gives a win or a draw away is a blunder, any other loses nothing, whatever a network thinks.
 *
 * Mistake and blunder are hard words. Unless a proof gives the reason, they need the agreement of searches of both
 * positions that are `DEEPER` times as deep. `findDoubts` has the positions that need them, each at most once.
 *
 * The accuracy of a move is factor * exp(-rate * L) - offset, between 0 and 100, for a loss of L percentage points
 * (the curve that lichess.org/page/accuracy gives); a player's is the mean of those of their moves that could lose
 * something, and is not told of fewer than `FEWEST`. Nothing here searches.
 */
package org.azx.app.engine.review

import org.azx.app.engine.Search
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import org.azx.app.engine.rows
import kotlin.math.exp

/** How many times as many simulations a position gets that is looked at again. */
val DEEPER: Int = THRESHOLDS.number("deeper").toInt()

private val VERDICTS = THRESHOLDS.rows("verdicts")
private val ACCURACY = membersOf(THRESHOLDS["accuracy"])
private val FACTOR = ACCURACY.number("factor")
private val RATE = ACCURACY.number("rate")
private val OFFSET = ACCURACY.number("offset")

/** With fewer moves that could lose something a player has no accuracy. */
val FEWEST: Int = ACCURACY.number("fewest_moves").toInt()

/** What a loss is called: `leastLoss` and more of winning chance, or so much of the margin. */
enum class Verdict {
    GOOD,
    INACCURACY,
    MISTAKE,
    BLUNDER,
    ;

    private val row = VERDICTS.first { it["name"] == name.lowercase() }
    val leastLoss: Double = row.number("least_loss")
    private val leastMargins = MarginUnit.entries.associateWith { row.number("least_${it.name.lowercase()}").toInt() }

    /** How many boxes or discs of the margin have to be lost. */
    fun leastOf(unit: MarginUnit): Int = leastMargins.getValue(unit)

    /** Whether it is one of those to which a person jumps. */
    val isMistake: Boolean = row["is_mistake"] == true

    companion object {
        fun of(loss: Double): Verdict = entries.last { loss >= it.leastLoss }

        fun ofMargin(lost: Int, unit: MarginUnit): Verdict = entries.last { lost >= it.leastOf(unit) || it == GOOD }
    }
}

/**
 * What is known of a position: `chance` (0 to 1) is that of `mover`, who is to move, with the action `best`; null where
 * the game is over, and `chance` is then the result, 0.5 a draw. `isSure` where it was looked at again, or the rules
 * prove it. `known` is what they prove; null where nobody has asked them.
 */
data class Seen(
    val mover: Int,
    val chance: Double,
    val best: Int?,
    val isSure: Boolean = false,
    val known: Known? = null,
)

/**
 * A move that was played: by whom, its `loss` (0 to 1), the verdict, and a better move where it was not good. `reason`
 * is why it is proven to be bad, null where it is not. `isChoice`: it could have lost something. `margin` is how much
 * of the solved margin it lost, in boxes or discs (`unit`); null where that is not known.
 */
data class Judged(
    val action: Int,
    val player: Int,
    val loss: Double,
    val verdict: Verdict,
    val better: Int?,
    val reason: Reason?,
    val isChoice: Boolean,
    val margin: Int?,
    val unit: MarginUnit = MarginUnit.BOXES,
)

/**
 * What a search says of its root, of which this is `known`; null before its second simulation. What the rules prove comes
 * first: a win at once, one that cannot be stopped, a move that has to stop one, and the end of a game of Dots and Boxes
 * or of Reversi.
 */
fun seeRoot(search: Search, known: Known = findKnown(search.state)): Seen? {
    val (state, mover) = search.state to search.state.toMove
    if (state.isTerminal) return Seen(mover, (1.0 + state.returns() * (1 - 2 * mover)) / 2, null, known = known)
    val found = candidates(search, state.actions)
    val first = found.firstOrNull() ?: return null
    known.chance?.let { return Seen(mover, it, known.left[0], isSure = true, known = known) }
    val best = found.firstOrNull { it.action in known.left }
    // Without it the search was so short that it has not tried the move that has to stop a win.
    return Seen(mover, (best ?: first).winRate, best?.action ?: known.left[0], known = known)
}

/** Verdicts of the moves that lead from each position that was seen to the next; `actions[k]` from `seen[k]`. */
fun judge(seen: List<Seen>, actions: List<Int>): List<Judged> =
    seen.zipWithNext().zip(actions) { (before, after), action -> judge(before, after, action) }

private fun judge(before: Seen, after: Seen, action: Int): Judged {
    val own = if (after.mover == before.mover) after.chance else 1 - after.chance
    val known = before.known?.let { one -> after.known?.let { one to it } }
    val reason = known?.let { (one, next) -> findReason(one, next, action) }
    val margin = known?.let { (one, next) -> countLost(one, next) }
    val unit = before.known?.unit ?: MarginUnit.BOXES
    val proven = if (reason == null) Verdict.ofMargin(margin ?: 0, unit) else Verdict.MISTAKE
    val least = (if (isGivenAway(before, action)) Verdict.BLUNDER else proven).leastLoss
    val isKept = before.known?.outcome != null && action in before.known.left
    val loss = maxOf(least, if (isKept || action == before.best) 0.0 else before.chance - own)
    val verdict = Verdict.of(loss)
    val better = before.best.takeIf { verdict != Verdict.GOOD }
    val isChoice = before.known?.isChoice(action) ?: true
    return Judged(action, before.mover, loss, verdict, better, reason, isChoice, margin, unit)
}

private fun isGivenAway(before: Seen, action: Int): Boolean = before.known?.givesAway(action) ?: false

/**
 * The positions beside mistakes and blunders that were searched only once, ascending. Proven positions need no second
 * search. Nor does a mistake with a reason; a blunder with one may turn out to be a mistake.
 */
fun findDoubts(seen: List<Seen>, actions: List<Int>): List<Int> = judge(seen, actions)
    .withIndex()
    .filter { (at, move) -> isDoubted(seen[at], move) }
    .flatMap { listOf(it.index, it.index + 1) }
    .distinct()
    .filter { !seen[it].isSure && seen[it].best != null }

private fun isDoubted(before: Seen, move: Judged): Boolean =
    if (move.verdict == Verdict.BLUNDER) !isGivenAway(before, move.action)
    else move.verdict.isMistake && move.reason == null

fun counts(moves: List<Judged>, player: Int): Map<Verdict, Int> =
    Verdict.entries.associateWith { verdict -> moves.count { it.player == player && it.verdict == verdict } }

/** A player's accuracy, 0 to 100; null where fewer than `FEWEST` of their moves could lose something. */
fun accuracy(moves: List<Judged>, player: Int): Double? {
    val own = moves.filter { it.player == player && it.isChoice }
    return if (own.size < FEWEST) null else own.map { accuracyOf(it.loss) }.average()
}

private fun accuracyOf(loss: Double): Double = (FACTOR * exp(-RATE * 100 * loss) - OFFSET).coerceIn(0.0, 100.0)

/**
 * The next position, counted in moves, that a mistake or a blunder leads to; after the last one the first. `shown` is
 * the one that is looked at. null where there is none.
 */
fun nextMistake(moves: List<Judged>, shown: Int): Int? {
    val places = moves.indices.filter { moves[it].verdict.isMistake }.map { it + 1 }
    return places.firstOrNull { it > shown } ?: places.firstOrNull()
}
