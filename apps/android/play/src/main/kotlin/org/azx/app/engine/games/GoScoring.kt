/**
 * The end of a game of Go as people play it: dead stones are taken off before the area is counted.
 *
 * The rules of the engine know of no dead stones: two passes end the game and all stones count. What is proposed here,
 * from random playouts, is for a person to agree with or to change.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.mark
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.max
import kotlin.math.min

// A chain is proposed dead if its points are the other side's in this share of the playouts, in per cent.
private val DEAD = scoring("dead")

// All is decided if each point is the same side's in this share.
private val SETTLED = scoring("settled")

// A point that is one side's in less than this share is disputed. With more of them than this the board is unfinished;
// with fewer a move on one of them is worth playing if it gains this much in the mean of the playouts.
private val DISPUTED = scoring("disputed")
private val MOST_DISPUTED = scoring("most_disputed")
private val LEAST_GAIN = membersOf(THRESHOLDS["go_scoring"]).number("least_gain").toDouble()

// An estimate shows a point as a side's if it is in this share.
private val SHOWN = scoring("shown")

// Above these shares of the playouts won an estimate is called clear, and likely.
private val CLEAR = scoring("clear")
private val LIKELY = scoring("likely")

// With fewer stones of a side an estimate is called open, whatever the playouts say; on small boards a quarter of the
// points.
private val FEWEST_STONES = scoring("fewest_stones")

/**
 * What the playouts say of a position. `score` is black's mean lead less the komi, `spread` the standard deviation of the
 * leads, in points. The side that the score favours won `percent` of the playouts, 50 to 100. `begun` is whether both sides
 * have set enough stones.
 */
class Estimate(val score: Double, val spread: Double, val percent: Int, private val begun: Boolean) {
    enum class Certainty { CLEAR, LIKELY, OPEN }

    /** The score in whole points, halves away from 0. */
    val points: Int get() = floor(abs(score) + 0.5).toInt() * if (score > 0) 1 else -1

    /** The spread in whole points. */
    val pointsOfSpread: Int get() = floor(spread + 0.5).toInt()

    /** `percent` in a word; open too while the game has hardly begun. */
    val certainty: Certainty
        get() = when {
            !begun -> Certainty.OPEN
            percent >= CLEAR -> Certainty.CLEAR
            percent >= LIKELY -> Certainty.LIKELY
            else -> Certainty.OPEN
        }
}

/** Whose each point is in random playouts. */
fun Go.ownership(playouts: Int = PLAYOUTS, seed: Int = SEED): Ownership =
    ownership(tablesOf(size), cells, toMove, playouts, seed)

/** The points of the stones that are connected with the one on `at`, ascending; none where the point is empty. */
fun Go.chain(at: Int): List<Int> {
    if (at !in cells.indices || cells[at].toInt() == EMPTY) return emptyList()
    val around = tablesOf(size).around
    val found = mutableListOf(at)
    var next = 0
    while (next < found.size) {
        for (near in around[found[next++]]) if (cells[near] == cells[at] && near !in found) found += near
    }
    return found.sorted()
}

/** The stones that are proposed dead, ascending, whole chains. */
fun Go.deadStones(found: Ownership): List<Int> {
    val seen = mutableSetOf<Int>()
    val dead = mutableListOf<Int>()
    for (at in cells.indices) {
        if (cells[at].toInt() == EMPTY || at in seen) continue
        val points = chain(at)
        seen += points
        val theirs = if (cells[at].toInt() == mark(0)) found.white else found.black
        if (100 * points.sumOf { theirs[it] } >= DEAD * points.size * found.playouts) dead += points
    }
    return dead.sorted()
}

/** The points that count for black and for white, ascending, when the stones on `dead` are taken off. */
fun Go.areasWithout(dead: Collection<Int> = emptyList()): List<IntArray> {
    val left = cells.copyOf()
    for (at in dead) left[at] = EMPTY.toByte()
    val owners = tablesOf(size).scratch().area(left)
    return (0..1).map { player -> owners.indices.filter { owners[it].toInt() == mark(player) }.toIntArray() }
}

/** Black's area minus white's, minus the komi, when the stones on `dead` are taken off. */
fun Go.scoreWithout(dead: Collection<Int>): Double {
    val (black, white) = areasWithout(dead)
    return black.size - white.size - komi
}

/** The score as the playouts see it, and how sure it is. */
fun Go.estimate(found: Ownership): Estimate {
    val score = found.meanLead - komi
    val wins = found.blackWins(komi)
    val favoured = if (score > 0) wins else found.playouts - wins
    return Estimate(score, found.spread, max(50, 100 * favoured / found.playouts), hasBegun)
}

/** Whether both sides have stones enough for playouts to say something. */
internal val Go.hasBegun: Boolean
    get() {
        val fewest = (0..1).minOf { player -> cells.count { it.toInt() == mark(player) } }
        return fewest >= min(FEWEST_STONES, cells.size / 4)
    }

/** The points that an estimate shows as black's and as white's. */
fun Go.areasSeen(found: Ownership): List<IntArray> =
    (0..1).map { player -> cells.indices.filter { found.owner(it, SHOWN) == player }.toIntArray() }

/** Whether every point is one side's in most of the playouts. */
fun Go.isSettled(found: Ownership): Boolean = cells.indices.all { found.owner(it, SETTLED) != null }

/**
 * Whether the player to move loses nothing by a pass: all is settled, or few points are disputed and no stone on one of them
 * gains. The score does not matter. The answer is no before half of the game, unless the other side has just passed.
 */
fun Go.mayPass(): Boolean {
    if (isTerminal || (lastAction != pass && played < cells.size / 2)) return false
    val found = ownership()
    if (isSettled(found)) return true
    val disputed = cells.indices.filter { found.owner(it, DISPUTED) == null }
    val legal = legalActions().toSet()
    return disputed.size <= MOST_DISPUTED && disputed.none { it in legal && gains(it, found.meanLead) }
}

/** Whether a stone raises the mover's mean lead, which is `lead` for black now, by enough to play it. */
private fun Go.gains(at: Int, lead: Double): Boolean {
    val gain = apply(at).ownership().meanLead - lead
    return (if (toMove == 0) gain else -gain) >= LEAST_GAIN
}
