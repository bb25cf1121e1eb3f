/**
 * The end of a game of Go as people play it: dead stones are taken off before the area is counted.
 *
 * The rules of the engine know of no dead stones: two passes end the game and all stones count. What is proposed here,
 * from random playouts, is for a person to agree with or to change.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.mark
import kotlin.math.max
import kotlin.math.sign

// A chain is proposed dead where its points are the other side's in this share of the playouts, in per cent.
private val DEAD = scoring("dead")

// All is decided where each point is the same side's in this share.
private val SETTLED = scoring("settled")

// An estimate shows a point as a side's where it is in this share.
private val SHOWN = scoring("shown")

// Above these shares of the playouts won an estimate is called clear, and likely.
private val CLEAR = scoring("clear")
private val LIKELY = scoring("likely")

/**
 * What the playouts say of a position: `score` is black's lead less the komi; `percent` of the playouts, 50 to 100, were
 * won by the side that it favours.
 */
class Estimate(val score: Double, val percent: Int) {
    enum class Certainty { CLEAR, LIKELY, OPEN }

    val certainty: Certainty
        get() = when {
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

/** The score as the playouts see it, each point its more frequent owner's, and how sure it is. */
fun Go.estimate(found: Ownership): Estimate {
    val score = cells.indices.sumOf { (found.black[it] - found.white[it]).sign } - komi
    val wins = found.blackWins(komi)
    val favoured = if (score > 0) wins else found.playouts - wins
    return Estimate(score, max(50, 100 * favoured / found.playouts))
}

/** The points that an estimate shows as black's and as white's. */
fun Go.areasSeen(found: Ownership): List<IntArray> =
    (0..1).map { player -> cells.indices.filter { found.owner(it, SHOWN) == player }.toIntArray() }

/** Whether every point is one side's in most of the playouts. */
fun Go.isSettled(found: Ownership): Boolean = cells.indices.all { found.owner(it, SETTLED) != null }

/**
 * Whether the player to move loses nothing by a pass: the other side has just passed and the score without dead stones
 * is won, or all is settled. A game that is not half over is not asked.
 */
fun Go.mayPass(): Boolean {
    val isPassed = lastAction == pass
    if (isTerminal || (!isPassed && played < cells.size / 2)) return false
    val found = ownership()
    if (isSettled(found)) return true
    val score = scoreWithout(deadStones(found))
    return isPassed && if (toMove == 0) score > 0 else score < 0
}
