/**
 * Where black may not play under the Renju rule: overlines, double fours and double threes.
 *
 * The definitions are the Renju International Federation's ("The international rules of Renju", sections 3 and 9),
 * for a black stone that is added to the board:
 *
 *     five           an unbroken row of exactly five: wins, whatever else the move makes
 *     overline       an unbroken row of six or more
 *     four           four stones that one more stone makes a five; .XXXX. is one four, X.XXX.X are two
 *     straight four  .XXXX. of which either end makes a five
 *     three          three stones that one more stone makes a straight four, where that stone is allowed:
 *                    it makes no five elsewhere, no overline, no double four and no double three
 *
 * A move that makes two fours or two threes is forbidden. Whether a three counts depends on a later move being
 * allowed, so the definition is recursive; each step adds a stone, so it ends.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Refusal

private const val BLACK: Byte = 1

// What the world beyond the edge is: neither black nor empty.
private const val WALL: Byte = 3

// How many lines go through a point.
private const val LINES = 4

/** What a black stone makes, and why that is forbidden; null if it is not. */
private enum class Verdict(code: Refusal.Code?) {
    FREE(null),
    FIVE(null),
    OVERLINE(Refusal.Code.OVERLINE),
    DOUBLE_FOUR(Refusal.Code.DOUBLE_FOUR),
    DOUBLE_THREE(Refusal.Code.DOUBLE_THREE),
    ;

    val reason = code?.let { Refusal(it) }
}

/** The rule on a board of `size`; one is enough for all games and threads, a `Judge` is one thread's. */
internal class Renju(size: Int) {
    /**
     * Each point's eight rays, those of a line next to each other: the points to the edge, nearest first, without the point
     * itself. Behind them the wall's number stands twice, as the rule looks one point beyond the first that is not black. So
     * no walk along a ray asks for the edge.
     */
    private val rays = Array(size * size * 2 * LINES) { at ->
        val line = at / 2 % LINES
        val sign = if (at % 2 == 0) -1 else 1
        val wall = size * size
        rayFrom(at / (2 * LINES), size, sign * DOWN[line], sign * RIGHT[line]) + intArrayOf(wall, wall)
    }

    /** Who judges the moves on `board`, of which it takes a copy. */
    fun judge(board: ByteArray): Judge = Judge(rays, board)
}

/** The rule on one board; black is to move. */
internal class Judge(private val rays: Array<IntArray>, board: ByteArray) {
    private val points = board.size

    /** The board that is judged, and for a while the stones that come after; the point behind the last is the wall. */
    private val cells = board.copyOf(points + 1).also { it[points] = WALL }

    /** Black's forbidden points, ascending, each with the first reason that holds. */
    fun forbiddenPoints(): Map<Int, Refusal> {
        val found = LinkedHashMap<Int, Refusal>()
        for (point in 0 until points) reason(point)?.let { found[point] = it }
        return found
    }

    /** Why black may not play the `point`; null if it may, or where a stone stands. */
    fun reason(point: Int): Refusal? = if (isEmpty(point)) verdict(point).reason else null

    /** Whether every empty point is forbidden to black. */
    fun isStuck(): Boolean {
        for (point in 0 until points) if (isEmpty(point) && verdict(point).reason == null) return false
        return true
    }

    /**
     * Whether two more stones, one of each player, could leave black without a move. Not while three empty points have fewer
     * than 3 black stones near: with one more they are still allowed.
     */
    fun mayBeStuck(): Boolean {
        var loose = 0
        for (point in 0 until points) {
            if (!isEmpty(point)) continue
            var stones = 0
            for (at in 2 * point * LINES until 2 * (point + 1) * LINES) stones += near(rays[at])
            if (stones < 3 && ++loose == 3) return false
        }
        return true
    }

    /** What a black stone on the empty `point` makes. */
    private fun verdict(point: Int): Verdict {
        var fours = 0
        var threes = 0
        var isOver = false
        forEachLine(point) { left, right, before, after ->
            val length = before + 1 + after
            if (length == 5) return Verdict.FIVE
            if (length > 5) isOver = true
            fours += fours(left, right, before, after)
            val first = straightFour(left, right, before, after)
            if (first >= 0 || straightFour(right, left, after, before) >= 0) threes++
        }
        if (isOver) return Verdict.OVERLINE
        if (fours >= 2) return Verdict.DOUBLE_FOUR
        // Whether a three is real is the expensive question, so it is asked only where two threes might be.
        return if (threes >= 2 && realThrees(point) >= 2) Verdict.DOUBLE_THREE else Verdict.FREE
    }

    /** How many of the threes that a stone on `point` makes can become a straight four by an allowed move. */
    private fun realThrees(point: Int): Int {
        var count = 0
        cells[point] = BLACK
        forEachLine(point) { left, right, before, after ->
            // A three that two stones would make a straight four counts once, if either is allowed.
            val first = straightFour(left, right, before, after)
            if (isFree(first) || isFree(straightFour(right, left, after, before))) count++
        }
        cells[point] = EMPTY.toByte()
        return count
    }

    private fun isFree(point: Int): Boolean = point >= 0 && verdict(point) == Verdict.FREE

    /**
     * The lines through a point with two black stones nearby, as a three, a four or a longer row needs them. `visit` gets both
     * rays, and how many black stones adjoin the point along each.
     */
    private inline fun forEachLine(point: Int, visit: (IntArray, IntArray, Int, Int) -> Unit) {
        for (line in 0 until LINES) {
            val left = rays[2 * (point * LINES + line)]
            val right = rays[2 * (point * LINES + line) + 1]
            if (near(left) + near(right) >= 2) visit(left, right, run(left, 0), run(right, 0))
        }
    }

    /** How many of the four nearest points of a ray are black. */
    private fun near(along: IntArray): Int {
        var count = 0
        for (at in 0 until minOf(4, along.size)) if (cells[along[at]] == BLACK) count++
        return count
    }

    /** The index of the first point of a ray, from `start` on, without a black stone. */
    private fun run(along: IntArray, start: Int): Int {
        var at = start
        while (cells[along[at]] == BLACK) at++
        return at
    }

    /** How many fours (0, 1 or 2) the stone makes in one line in which it makes no five. */
    private fun fours(left: IntArray, right: IntArray, before: Int, after: Int): Int {
        val first = isEmpty(left[before]) && run(left, before + 1) + 1 + after == 5
        val second = isEmpty(right[after]) && before + 1 + run(right, after + 1) == 5
        // Four adjoining stones are one four, whichever end makes the five.
        if (first && second) return if (before + 1 + after == 4) 1 else 2
        return if (first || second) 1 else 0
    }

    /** The point on `near`'s side that would make the stone part of a straight four, allowed or not; -1 for none. */
    private fun straightFour(near: IntArray, far: IntArray, reach: Int, rest: Int): Int {
        if (!isEmpty(near[reach])) return -1
        val end = run(near, reach + 1)
        val isStraight = end + 1 + rest == 4 && isOpen(near, end) && isOpen(far, rest)
        return if (isStraight) near[reach] else -1
    }

    /** Whether the row that ends before index `end` of a ray becomes one longer, and no more, by a stone there. */
    private fun isOpen(along: IntArray, end: Int): Boolean = isEmpty(along[end]) && cells[along[end + 1]] != BLACK

    private fun isEmpty(point: Int): Boolean = cells[point].toInt() == EMPTY
}
