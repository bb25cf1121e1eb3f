/**
 * The owner of each point of a Go board after random games, the same in every language for the same seed.
 *
 * A playout ends when neither side has a move left that is legal, fills no eye of its own and puts at most three stones into
 * atari. A chain that the last move put into atari, its own or another, is taken or saved first. The area then gives each
 * point's owner. The players take turns to begin.
 *
 * The random numbers are the low 32 bits of a counter that grows by 0x9E3779B9, mixed as MurmurHash3 ends (Austin
 * Appleby, public domain). A number below k is (k * r) shr 32.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Player
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.mark
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import org.azx.app.engine.other
import kotlin.math.sqrt

val PLAYOUTS: Int = scoring("playouts")
val SEED: Int = scoring("seed")

/** A number of the table for the end of a game of Go. */
internal fun scoring(name: String): Int = membersOf(THRESHOLDS["go_scoring"]).number(name).toInt()

private const val STEP = 0x9E3779B9.toInt()
private const val FIRST = 0x85EBCA6B.toInt()
private const val SECOND = 0xC2B2AE35.toInt()
private const val NO_POINT = -1
private const val FREE = EMPTY.toByte()
private val CORNERS = listOf(-1 to -1, -1 to 1, 1 to -1, 1 to 1)

// A chain of at most this many stones may be put into atari: killing a group may need it.
private const val SMALL = 3

/**
 * In how many of the playouts each point counted for black and for white. `leads`: how many ended with which lead of
 * black's, its area less white's, without a komi.
 */
class Ownership(val playouts: Int, val black: IntArray, val white: IntArray, val leads: Map<Int, Int>) {
    /** The player whose point it is in at least `percent` (over 50) of the playouts; null if neither player's. */
    fun owner(at: Int, percent: Int): Player? = when {
        100 * black[at] >= percent * playouts -> 0
        100 * white[at] >= percent * playouts -> 1
        else -> null
    }

    /** Black's lead in the mean of the playouts, in points. */
    val meanLead: Double get() = total.toDouble() / playouts

    /** The standard deviation of the playouts' leads, in points; of whole numbers up to its root. */
    val spread: Double
        get() {
            val squares = leads.entries.sumOf { (lead, count) -> lead * lead * count }
            return sqrt((playouts * squares - total * total).toDouble()) / playouts
        }

    private val total: Int get() = leads.entries.sumOf { (lead, count) -> lead * count }

    /** In how many playouts black's lead was more than the komi. */
    fun blackWins(komi: Double): Int = leads.entries.sumOf { (lead, count) -> if (lead > komi) count else 0 }
}

/** Play random games from `cells` (0 empty, 1 black, 2 white); `player` is to move, and begins the first. */
internal fun ownership(table: Tables, cells: ByteArray, player: Player, playouts: Int, seed: Int): Ownership {
    val playout = Playout(table, seed)
    val counts = Array(2) { IntArray(cells.size) }
    val leads = mutableMapOf<Int, Int>()
    for (number in 0 until playouts) {
        playout.play(cells, player + number and 1)
        var lead = 0
        for ((at, owner) in table.scratch().area(playout.cells).withIndex()) {
            if (owner == FREE) continue
            counts[owner - 1][at]++
            lead += if (owner.toInt() == mark(0)) 1 else -1
        }
        leads.merge(lead, 1, Int::plus)
    }
    return Ownership(playouts, counts[0], counts[1], leads)
}

/** One random game after another, in the same memory. */
private class Playout(private val table: Tables, private var counter: Int) {
    val cells = ByteArray(table.points)

    /** The points next to each point, ascending, and those across its corners. */
    private val around = Array(table.points) { table.around[it].sortedArray() }
    private val corners = Array(table.points) { cellsAround(it, table.size, CORNERS) }
    private val free = IntArray(table.points)
    private var count = 0
    private val captured = IntArray(table.points)
    private var taken = 0
    private var ko = NO_POINT
    private val seen = IntArray(table.points)
    private var walk = 0

    // Of the chain that was walked over last: its stones, if it has fewer than two liberties, and its last liberty.
    private val group = IntArray(table.points)
    private var used = 0
    private var liberty = NO_POINT

    fun play(start: ByteArray, first: Player) {
        start.copyInto(cells)
        count = 0
        ko = NO_POINT
        for (at in cells.indices) if (cells[at] == FREE) free[count++] = at
        var player = first
        var last = NO_POINT
        var passes = 0
        for (ply in 0 until table.limit) {
            last = answer(player, last)
            if (last == NO_POINT) last = draw(player)
            passes = if (last == NO_POINT) passes + 1 else 0
            if (passes == 2) return
            if (last == NO_POINT) ko = NO_POINT
            player = other(player)
        }
    }

    /** Take the chain of the last stone, or save one beside it, if that can be; the point played, or NO_POINT. */
    private fun answer(player: Player, last: Int): Int {
        if (last == NO_POINT) return NO_POINT
        val at = inReach(player, last)
        if (at == NO_POINT || at == ko || !place(player, at)) return NO_POINT
        remove((0 until count).first { free[it] == at })
        return at
    }

    /** The only liberty of the last stone's chain, or else of the first of the player's own beside it that has one. */
    private fun inReach(player: Player, last: Int): Int {
        if (liberties(last) == 1) return liberty
        val own = mark(player).toByte()
        for (near in around[last]) if (cells[near] == own && liberties(near) == 1) return liberty
        return NO_POINT
    }

    /** A free point, drawn without putting back until it can be played; NO_POINT for a pass. */
    private fun draw(player: Player): Int {
        for (left in count downTo 1) {
            val index = (random() * left shr 32).toInt()
            val at = free[index]
            free[index] = free[left - 1]
            free[left - 1] = at
            if (at == ko || isEye(player, at) || !place(player, at)) continue
            remove(left - 1)
            return at
        }
        return NO_POINT
    }

    private fun random(): Long {
        counter += STEP
        var mixed = (counter xor (counter ushr 16)) * FIRST
        mixed = (mixed xor (mixed ushr 13)) * SECOND
        return (mixed xor (mixed ushr 16)).toLong() and 0xFFFFFFFFL
    }

    /** Take the free point at a place of the list out; the captured ones of the move that was made come behind it. */
    private fun remove(index: Int) {
        free[index] = free[--count]
        for (place in 0 until taken) free[count++] = captured[place]
    }

    private fun isEye(player: Player, at: Int): Boolean {
        val (own, foe) = mark(player).toByte() to mark(other(player)).toByte()
        if (around[at].any { cells[it] != own }) return false
        return corners[at].count { cells[it] == foe } < if (corners[at].size == 4) 2 else 1
    }

    /** Set a stone and take what it captures; false, and nothing is changed, if that is not to be. */
    private fun place(player: Player, at: Int): Boolean {
        val foe = mark(other(player)).toByte()
        cells[at] = mark(player).toByte()
        taken = 0
        for (near in around[at]) if (cells[near] == foe && liberties(near) == 0) take()
        if (taken == 0 && !isSafe(at)) {
            cells[at] = FREE
            return false
        }
        // A lone stone among enemies that took a lone stone: it could be taken back at once.
        val isAlone = taken == 1 && around[at].all { it == captured[0] || cells[it] == foe }
        ko = if (isAlone) captured[0] else NO_POINT
        if (taken > 1) captured.sort(0, taken)
        return true
    }

    private fun isSafe(at: Int): Boolean {
        val found = liberties(at)
        return found > 1 || (found == 1 && used <= SMALL)
    }

    /** Take the chain that was walked over off the board. */
    private fun take() {
        for (place in 0 until used) {
            cells[group[place]] = FREE
            captured[taken++] = group[place]
        }
    }

    /** How many liberties the chain at a point has: 0, 1, or 2 for more. */
    private fun liberties(at: Int): Int {
        walk++
        val colour = cells[at]
        var found = 0
        var next = 0
        used = 1
        group[0] = at
        seen[at] = walk
        while (next < used) {
            for (near in around[group[next++]]) {
                if (seen[near] == walk) continue
                seen[near] = walk
                if (cells[near] == colour) {
                    group[used++] = near
                } else if (cells[near] == FREE) {
                    liberty = near
                    if (++found == 2) return found
                }
            }
        }
        return found
    }
}
