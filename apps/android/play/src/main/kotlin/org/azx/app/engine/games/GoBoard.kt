/** The stones of a Go board: groups, liberties, captures, area. `cells` has 0 empty, 1 black, 2 white. */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import java.util.Random

// Empty points that count for neither player, or whose owner is not known yet.
private const val NOBODY: Byte = 3
private const val NOTHING = EMPTY.toByte()
private val NEIGHBOURS = listOf(-1 to 0, 1 to 0, 0 to -1, 0 to 1)

/** What is the same in every position of one board size. `limit` is the ply at which a game is stopped. */
internal class Tables(val size: Int) {
    val points = size * size
    val limit = 3 * points

    /** The two to four points next to each point. */
    val around = Array(points) { cellsAround(it, size, NEIGHBOURS) }

    // A random number for black and white on each point.
    private val keys = Random(1).let { random -> LongArray(2 * points) { random.nextLong() } }

    // A screen and a search may ask the same state at the same time.
    private val scratches = object : ThreadLocal<Scratch>() {
        override fun initialValue() = Scratch(this@Tables)
    }

    fun scratch(): Scratch = scratches.get()!!

    /** What a stone (1 black, 2 white) adds to a board's hash: all its stones', by exclusive or. */
    fun keyOf(at: Int, stone: Int): Long = keys[(stone - 1) * points + at]
}

/** Room for walks over the groups of a board, and the walks; one thread's. */
internal class Scratch(private val table: Tables) {
    /** A board to try a move on. */
    val cells = ByteArray(table.points)

    /** Room for a list of actions. */
    val actions = IntArray(table.points + 1)

    /** What `capture` took last. */
    val captured = IntArray(table.points)
    private val group = IntArray(table.points)

    // A point is marked if `seen` has the number of the present walk, so that nothing is wiped between walks: each point that
    // is tried takes several.
    private val seen = IntArray(table.points)
    private var walk = 0

    /** Whether the group at `at` has a liberty; `except` is not counted. */
    private fun hasLiberty(cells: ByteArray, at: Int, except: Int): Boolean {
        walk++
        var used = 1
        var next = 0
        group[0] = at
        seen[at] = walk
        while (next < used) {
            for (near in table.around[group[next++]]) {
                if (cells[near] == NOTHING && near != except) return true
                if (cells[near] != cells[at] || seen[near] == walk) continue
                seen[near] = walk
                group[used++] = near
            }
        }
        return false
    }

    /** Whether `colour` may set a stone on the empty point `at` if boards could repeat: it is no suicide. */
    fun hasRoom(cells: ByteArray, at: Int, colour: Byte): Boolean {
        val around = table.around[at]
        for (near in around) if (cells[near] == NOTHING) return true
        // Its own group keeps a liberty, or another's has none left and is captured: one comparison for both.
        for (near in around) if (hasLiberty(cells, near, at) == (cells[near] == colour)) return true
        return false
    }

    /**
     * Take the groups of the other colour next to `at` that have no liberty off `cells`; how many stones. Their points
     * are the first of `captured`, ascending.
     */
    fun capture(cells: ByteArray, at: Int): Int {
        var count = 0
        for (near in table.around[at]) {
            if (cells[near] == NOTHING || cells[near] == cells[at] || hasLiberty(cells, near, -1)) continue
            count = takeGroup(cells, near, count)
        }
        if (count > 1) captured.sort(0, count)
        return count
    }

    private fun takeGroup(cells: ByteArray, at: Int, first: Int): Int {
        val colour = cells[at]
        var count = first
        var next = first
        // A stone that was taken is no stone of the colour any more, so it is not met twice; the list is the queue.
        cells[at] = NOTHING
        captured[count++] = at
        while (next < count) {
            for (near in table.around[captured[next++]]) {
                if (cells[near] != colour) continue
                cells[near] = NOTHING
                captured[count++] = near
            }
        }
        return count
    }

    /** The owner of each point (Tromp-Taylor): 1 black, 2 white, 0 for empty points that both or neither reach. */
    fun area(cells: ByteArray): ByteArray {
        val owners = cells.copyOf()
        for (at in owners.indices) if (owners[at] == NOTHING) fillRegion(cells, owners, at)
        for (at in owners.indices) if (owners[at] == NOBODY) owners[at] = NOTHING
        return owners
    }

    /** Give the empty points connected to `at` to the only colour that they touch, or to neither. */
    private fun fillRegion(cells: ByteArray, owners: ByteArray, at: Int) {
        var used = 1
        var next = 0
        var reached = 0
        group[0] = at
        owners[at] = NOBODY
        while (next < used) {
            for (near in table.around[group[next++]]) {
                // 1 or 2 where one colour was met, 3 where both were, and 0 on an empty board.
                reached = reached or cells[near].toInt()
                if (owners[near] != NOTHING) continue
                owners[near] = NOBODY
                group[used++] = near
            }
        }
        if (reached == 1 || reached == 2) for (index in 0 until used) owners[group[index]] = reached.toByte()
    }
}
