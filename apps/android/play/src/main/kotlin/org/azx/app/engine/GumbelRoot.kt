/**
 * The root of a search that shares its simulations out by sequential halving, without random draws.
 *
 * A search at the root wants to find the best move, not to visit good ones often. Of the moves that look best at first a
 * few are considered, all are visited equally often, the worse half is left, and so on until two remain. What looks best
 * is the largest logarithm of the prior plus the rescaled value (Danihelka, Guez, Schrittwieser and Silver, "Policy
 * improvement by planning with Gumbel", ICLR 2022). The numbers are those of mctx. Gumbel's noise is left out, so that the
 * same position always has the same search.
 *
 * Everything is arithmetic of doubles in the order written, the logarithm too, so that visits are the same in every
 * language.
 */
package org.azx.app.engine

import kotlin.math.max
import kotlin.math.min

// If the number of simulations is unknown, this many are shared out first, then twice as many, and so on.
private const val FIRST_SHARE = 32

// A smaller prior counts as this one, so that it has a logarithm.
private const val LEAST_PRIOR = 1e-300

// Values that lie nearer to each other count as equal.
private const val LEAST_SPAN = 1e-8
private const val LN2 = 0.6931471805599453
private const val SQRT_HALF = 0.7071067811865476

/**
 * The natural logarithm of a number above 0 and at most 1, by arithmetic that every language does alike.
 *
 * With s = (m - 1) / (m + 1) it is ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), for m between the root of 1/2 and 1.
 */
internal fun logarithm(number: Double): Double {
    var left = number
    var doublings = 0
    while (left < SQRT_HALF) {
        left *= 2
        doublings++
    }
    val s = (left - 1) / (left + 1)
    val square = s * s
    var total = 0.0
    for (odd in 21 downTo 1 step 2) total = total * square + 1.0 / odd
    return 2 * s * total - doublings * LN2
}

/**
 * Which moves are to be visited, one simulation after the other: those with as many visits as `step` says.
 *
 * `moves` is how many there are to choose from, `simulations` how many are shared out.
 */
internal class Halving(private var moves: Int, private val simulations: Int) {
    private val halvings = max(1, Int.SIZE_BITS - (moves - 1).countLeadingZeroBits())
    private var visits = 0
    private var rounds = 0
    private var toVisit = 0

    init {
        beginPhase()
    }

    private fun beginPhase() {
        rounds = max(1, simulations / (halvings * moves))
        toVisit = moves
    }

    /** The number of visits that the next simulation's move has so far, within what is shared out here. */
    fun step(): Int {
        if (toVisit == 0) {
            visits++
            rounds--
            toVisit = moves
            if (rounds == 0) {
                moves = max(min(2, moves), moves / 2)
                beginPhase()
            }
        }
        toVisit--
        return visits
    }
}

/** How a search's simulations at its root are shared out, and which move is the best in the end. */
internal class GumbelRoot(private val settings: Gumbel) {
    private var isOpen = false
    private var size = 0
    private var left = 0
    private var halving: Halving? = null

    // Of the root's children: their visits when the plan began, the logarithms of their priors, and their scores.
    private var before: IntArray? = null
    private var logits: DoubleArray? = null
    private var scores = DoubleArray(0)

    /** Forget the root. */
    fun forget() {
        isOpen = false
        shareOut(0)
        logits = null
    }

    /** Begin a plan of `simulations`; null if their number is unknown. */
    fun begin(simulations: Int?) {
        isOpen = simulations == null
        shareOut(simulations ?: FIRST_SHARE)
    }

    private fun shareOut(simulations: Int) {
        size = simulations
        left = simulations
        halving = null
        before = null
    }

    /** A simulation begins, with `toCome` more of the same run, itself counted. */
    fun count(toCome: Int) {
        if (left == 0) shareOut(if (isOpen) 2 * size else toCome)
        left--
    }

    /** The root's child that the simulation counted last visits; `value` is the network's of the root. */
    fun choose(tree: Tree, value: Double): Int {
        val from = tree.first[Tree.ROOT]
        val children = tree.children[Tree.ROOT]
        val halving = halving ?: Halving(min(settings.considered, children), left + 1).also { halving = it }
        val before = before ?: IntArray(children) { tree.visits[from + it] }.also { before = it }
        val step = halving.step()
        score(tree, from, children, value)
        var best = -1
        for (at in 0 until children) {
            val isNext = tree.visits[from + at] - before[at] == step
            if (isNext && (best < 0 || scores[at] > scores[best])) best = at
        }
        return from + best
    }

    /** The best of those children whose rows `among` lists: of the ones visited most since the plan began, by score. */
    fun best(tree: Tree, value: Double, among: List<Int>): Int {
        val from = tree.first[Tree.ROOT]
        val since = before
        score(tree, from, tree.children[Tree.ROOT], value)
        fun news(row: Int) = tree.visits[row] - (since?.get(row - from) ?: 0)
        val most = among.maxOf(::news)
        // The first of equals, which has the lowest action.
        return among.filter { news(it) == most }.maxBy { scores[it - from] }
    }

    /**
     * Score the children in the rows from `from` on. One without a visit counts as worth the mean of `value` and of the
     * visited ones' values, weighted by their priors. All values are stretched to reach from 0 to 1.
     */
    private fun score(tree: Tree, from: Int, children: Int, value: Double) {
        val logits = logits
            ?: DoubleArray(children) { logarithm(max(LEAST_PRIOR, tree.prior[from + it])) }.also { logits = it }
        if (scores.size < children) scores = DoubleArray(children)
        val mixed = mixedValue(tree, from, children, value)
        var most = 0
        var low = Double.POSITIVE_INFINITY
        var high = Double.NEGATIVE_INFINITY
        for (at in 0 until children) {
            val count = tree.visits[from + at]
            val mean = if (count > 0) tree.mean[from + at] else mixed
            most = max(most, count)
            low = min(low, mean)
            high = max(high, mean)
            scores[at] = mean
        }
        val scale = (settings.visit + most) * settings.scale
        val span = max(high - low, LEAST_SPAN)
        for (at in 0 until children) scores[at] = logits[at] + scale * ((scores[at] - low) / span)
    }

    private fun mixedValue(tree: Tree, from: Int, children: Int, value: Double): Double {
        var visits = 0
        var priors = 0.0
        for (row in from until from + children) {
            visits += tree.visits[row]
            if (tree.visits[row] > 0) priors += max(LEAST_PRIOR, tree.prior[row])
        }
        var weighted = 0.0
        for (row in from until from + children) {
            if (tree.visits[row] > 0) weighted += max(LEAST_PRIOR, tree.prior[row]) * tree.mean[row] / priors
        }
        return (value + visits * weighted) / (visits + 1)
    }
}
