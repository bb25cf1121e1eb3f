/**
 * The search tree as columns of numbers, a row a node.
 *
 * A row has what a node's parent knows of it (action, prior, visits, total); its children are side by side from `first`
 * on. `total` is the sum of its visits' values, seen by the player to move in the parent, and `squares`
 * that of their squares. Nothing here knows of games or networks.
 *
 * A search makes very many rows. In columns none of them is an object to allocate, and the choice of a child reads three
 * columns in order.
 */
package org.azx.app.engine

import kotlin.math.max
import kotlin.math.sqrt

private const val ROOM = 1 shl 10

internal class Tree {
    var prior = DoubleArray(ROOM)
    var total = DoubleArray(ROOM)
    var squares = DoubleArray(ROOM)

    /** Q: total divided by visits, 0 before the first; kept, as it is read far more often than it changes. */
    var mean = DoubleArray(ROOM)
    var visits = IntArray(ROOM)
    var first = IntArray(ROOM)
    var children = IntArray(ROOM)
    var action = IntArray(ROOM)
    var kind = ByteArray(ROOM)

    /** A number for the caller: the place of what belongs to the node. */
    var slot = IntArray(ROOM)

    /** Rows in use; the root is always there. */
    var used = 1

    /**
     * The child with the largest Q + ((C*P)*sqrt(N)) / (1+n), evaluated in this order in doubles; the first of equals
     * has the lowest action.
     *
     * Q of a child without a visit is 0 or, with a `firstPlay`, the node's own less that.
     */
    fun bestChild(node: Int, exploration: Double, firstPlay: Double?): Int {
        // Local, as the properties might change between two children for all that the compiler knows.
        val prior = prior
        val mean = mean
        val visits = visits
        val root = sqrt(visits[node].toDouble())
        val from = first[node]
        val to = from + children[node]
        // The node's mean is seen by who moved into it. No move is worth less than a loss.
        val unseen = if (firstPlay == null) 0.0 else max(-1.0, -mean[node] - firstPlay)
        var best = -1
        var bestScore = Double.NEGATIVE_INFINITY
        for (child in from until to) {
            val count = visits[child]
            val bonus = exploration * prior[child] * root
            // Of a child without a visit the bonus is divided by 1: the same number without the division.
            val score = if (count == 0) unseen + bonus else mean[child] + bonus / (1 + count)
            if (score > bestScore) {
                best = child
                bestScore = score
            }
        }
        return best
    }

    /** Count one simulation along `path`, whose node `last` is worth `value` to its player to move. */
    fun backUp(path: IntArray, last: Int, value: Double) {
        var worth = value
        for (at in last downTo 0) {
            val node = path[at]
            worth = -worth
            visits[node]++
            total[node] += worth
            squares[node] += worth * worth
            mean[node] = total[node] / visits[node]
        }
    }

    /**
     * Give `node` a child for each legal action, with the weights, divided by their sum, as priors.
     *
     * `legal` is ascending and its weights, the first numbers of `weights`, are summed in that order. A sum of 0 means
     * uniform.
     */
    fun expand(node: Int, legal: IntArray, weights: DoubleArray) {
        val count = legal.size
        var sum = 0.0
        for (at in 0 until count) sum += weights[at]
        makeRoom(used + count)
        for (at in 0 until count) {
            action[used + at] = legal[at]
            prior[used + at] = if (sum > 0) weights[at] / sum else 1.0 / count
        }
        first[node] = used
        children[node] = count
        kind[node] = OPEN
        used += count
    }

    /**
     * Close each node above the place `last` of a path whose result its children tell: one wins for its mover, or all
     * are known. A closed node is worth its result in every visit, also in those that were.
     */
    fun closeAbove(path: IntArray, last: Int) {
        for (at in last - 1 downTo 0) {
            val node = path[at]
            var best = -1.0
            var isOpen = false
            for (child in first[node] until first[node] + children[node]) {
                if (kind[child] == CLOSED) best = max(best, mean[child]) else isOpen = true
            }
            if (isOpen && best < 1) return
            kind[node] = CLOSED
            mean[node] = -best
            total[node] = -best * visits[node]
            squares[node] = best * best * visits[node]
        }
    }

    /**
     * Keep only the root's children for `moves`, their priors divided by their sum; the rows below the others stay, but are
     * not reached.
     */
    fun leaveOnly(moves: IntArray) {
        makeRoom(used + moves.size)
        for (at in moves.indices) copy(used + at, this, childFor(moves[at]))
        var sum = 0.0
        for (at in moves.indices) sum += prior[used + at]
        for (at in moves.indices) prior[used + at] = if (sum > 0) prior[used + at] / sum else 1.0 / moves.size
        first[ROOT] = used
        children[ROOT] = moves.size
        used += moves.size
    }

    /** A node's child with the most visits, the first of equals; -1 if none was visited. */
    fun mostVisited(node: Int): Int {
        var (best, most) = -1 to 0
        for (child in first[node] until first[node] + children[node]) {
            if (visits[child] > most) {
                best = child
                most = visits[child]
            }
        }
        return best
    }

    /** The root's child for `wanted`; -1 if it has none. */
    fun childFor(wanted: Int): Int {
        for (child in first[ROOT] until first[ROOT] + children[ROOT]) if (action[child] == wanted) return child
        return -1
    }

    /**
     * The tree of `top` and of everything below it, parents before children, siblings side by side.
     *
     * The new tree, copied row by row, is the queue of rows whose children are still to be copied. Recursion could become as
     * deep as a long game.
     */
    fun subtree(top: Int): Tree {
        val kept = Tree()
        kept.copy(ROOT, this, top)
        var node = 0
        while (node < kept.used) {
            if (kept.kind[node] == OPEN) kept.copyChildren(node, this)
            node++
        }
        return kept
    }

    /** Put the children of `node`, which are still numbered as in another tree, here. */
    private fun copyChildren(node: Int, other: Tree) {
        val from = first[node]
        val count = children[node]
        makeRoom(used + count)
        for (at in 0 until count) copy(used + at, other, from + at)
        first[node] = used
        used += count
    }

    /** Put the row `from` of another tree here; its children keep their numbers of that tree. */
    private fun copy(row: Int, other: Tree, from: Int) {
        prior[row] = other.prior[from]
        total[row] = other.total[from]
        squares[row] = other.squares[from]
        mean[row] = other.mean[from]
        visits[row] = other.visits[from]
        first[row] = other.first[from]
        children[row] = other.children[from]
        action[row] = other.action[from]
        kind[row] = other.kind[from]
        slot[row] = other.slot[from]
    }

    /** Have at least `rows` rows; those not in use are all zeros. */
    private fun makeRoom(rows: Int) {
        if (rows <= kind.size) return
        val room = max(2 * kind.size, rows)
        prior = prior.copyOf(room)
        total = total.copyOf(room)
        squares = squares.copyOf(room)
        mean = mean.copyOf(room)
        visits = visits.copyOf(room)
        first = first.copyOf(room)
        children = children.copyOf(room)
        action = action.copyOf(room)
        kind = kind.copyOf(room)
        slot = slot.copyOf(room)
    }

    companion object {
        /** The root's row. */
        const val ROOT = 0

        // What is known of a node: nothing, its value, its children too, or its result. The game is over there, or the search
        // proves, and the children decide.
        const val FRESH: Byte = 0
        const val LEAF: Byte = 1
        const val OPEN: Byte = 2
        const val CLOSED: Byte = 3
    }
}
