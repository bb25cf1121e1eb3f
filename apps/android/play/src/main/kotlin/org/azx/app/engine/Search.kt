/**
 * Monte-Carlo tree search with PUCT, as AlphaZero uses it: one network call for each new leaf.
 *
 *     val search = Search(startConnect4(), evaluator)
 *     search.run(200)
 *     search.bestAction()
 *     search.play(38) // the tree below the move is kept
 *
 * In each simulation the child with the largest Q + ((C*P)*sqrt(N)) / (1+n) is followed from the root to a node that
 * was not visited yet; its value is added up on the way back, negated at every ply.
 * C = ln((1 + N + 19652) / 19652) + 1.25 (Silver et al., "A general reinforcement learning algorithm that masters
 * chess, shogi, and Go through self-play", 2018, pseudocode).
 *
 * A search that `proves`, as in play, also uses the rules. It plays a win at once. It leaves out moves that let the opponent
 * win at once while there are others. Results at the ends of lines go up the tree as far as they decide. It ends if nothing
 * more can be found (`isDone`).
 *
 * `settings` may share the root's simulations out in another way (`GumbelRoot.kt`) or end the search once the move is decided
 * (`EarlyStop.kt`). They may also choose the move by more than its visits (`LowerBound.kt`) and change the formula's numbers.
 */
package org.azx.app.engine

import kotlin.math.ln
import kotlin.math.max

private const val NANOSECONDS = 1e9

/** The rows at which a tree that proves is full: 55 MB of numbers. */
const val MOST_NODES = 1 shl 20

/** A search that proves ends when this many simulations in a row have met known results alone. */
const val MOST_IDLE = 1000

/** C of a node with this many visits. */
fun exploration(visits: Int, cInit: Double = SearchSettings().cInit): Double =
    ln((1.0 + visits + 19652) / 19652) + cInit

/**
 * What a search has found: `action` is the best one, `winRate` its expected result as a chance, 0 to 1.
 *
 * `simulations` are those of this move, `visits` those of the best action (kept ones counted), `depth` the longest
 * line in plies, `seconds` the time spent on this move. If the result is `proven`, `winRate` is that result: 1, 0.5
 * or 0.
 */
class Report(
    val action: Int,
    val simulations: Int,
    val visits: Int,
    val depth: Int,
    val winRate: Double,
    val seconds: Double,
    val proven: Boolean,
)

/** One of the root's actions; `mean` is its value, -1 to 1, for the player to move; 0 without a visit. */
class Child(val action: Int, val visits: Int, val mean: Double, val prior: Double)

/**
 * A tree above one state of a game, which grows with `run` and follows the game with `play`.
 *
 * `constant` gives C by a node's visits in place of the settings. `trace` is called with the actions of every simulation's
 * path. If it `proves`, what the rules prove counts, in a tree of `nodes` rows. `settings` are those of the network's bundle.
 * One thread uses a search; only `stop` and `isRunning` may be called from any other one.
 */
class Search(
    root: State,
    private val evaluator: Evaluator,
    constant: ((Int) -> Double)? = null,
    private val trace: ((IntArray) -> Unit)? = null,
    private val proves: Boolean = false,
    private val nodes: Int = MOST_NODES,
    settings: SearchSettings = SearchSettings(),
) {
    var state: State = root
        private set
    private var tree = Tree()

    // What belongs to the evaluated nodes, by their slot and not by their row in the tree: most rows are children without
    // a visit. An answer is needed until its node is expanded.
    private var states = ArrayList<State>()
    private var answers = ArrayList<Evaluation?>()

    // The network's values by slot, for roots that need them; else empty.
    private var values = ArrayList<Double>()
    private val shared = settings.root?.let(::GumbelRoot)

    private val early = if (settings.earlyStop && settings.choosesByVisits) EarlyStop() else null

    // Of a choice by lower bound: how many standard errors count against a move.
    private val errors = settings.lowerBound
    private var path = IntArray(64)

    private val constant = constant ?: { exploration(it, settings.cInit) }
    private val firstPlay = settings.firstPlay

    // C by a node's visits, as far as they have come.
    private var constants = DoubleArray(0)
    private var weights = DoubleArray(root.actions)
    private var kept = 0
    private var deepest = 0
    private var spent = 0L
    private var since = 0L
    private var idle = 0
    private var isPlanned = false
    private var forced: Forced? = if (proves) findForced(root) else null

    @Volatile
    private var stopped = false

    /** Whether `run` has begun and not ended. */
    @Volatile
    var isRunning = false
        private set

    /** Forget the tree and stand at `state`. */
    fun reset(state: State) {
        refuseWhileRunning()
        values = ArrayList()
        hold(state, Tree(), ArrayList(), ArrayList())
    }

    /** Put a tree in the place of the old one, and count simulations and time anew. */
    private fun hold(root: State, tree: Tree, states: ArrayList<State>, answers: ArrayList<Evaluation?>) {
        state = root
        this.tree = tree
        this.states = states
        this.answers = answers
        shared?.forget()
        early?.forget()
        isPlanned = false
        kept = tree.visits[Tree.ROOT]
        deepest = 0
        spent = 0L
        idle = 0
        val left = if (proves) findForced(root) else null
        forced = left
        if (left != null && tree.children[Tree.ROOT] > left.moves.size) {
            tree.leaveOnly(left.moves)
            // What is left may be known already: asked as at the end of a path of one move.
            path[0] = Tree.ROOT
            tree.closeAbove(path, 1)
        }
    }

    /** The game's proven result for the player to move, 1, 0 or -1; null without a proof. */
    val result: Int?
        get() {
            val known = forced?.result
            // The root's mean is seen by who moved into it.
            return known ?: if (proves && tree.kind[Tree.ROOT] == Tree.CLOSED) -tree.mean[Tree.ROOT].toInt() else null
        }

    /**
     * Whether no simulation is made any more: the game is over, or the settings stop early and the move is decided. A search
     * that proves also ends if the result is known, the tree is full, or only known results were met for long.
     */
    val isDone: Boolean
        get() = state.isTerminal || early?.isOver == true || (proves && isSolved)

    private val isSolved get() = tree.used >= nodes || idle >= MOST_IDLE || result != null

    /**
     * Say that the next `simulations` are one plan, over any number of runs; null if their number is unknown.
     *
     * For settings that share simulations out or stop early. Without a plan each run is one of its own.
     */
    fun plan(simulations: Int?) {
        belong(simulations)
        isPlanned = true
    }

    private fun belong(simulations: Int?) {
        shared?.begin(simulations)
        early?.begin(tree.visits[Tree.ROOT], simulations)
        look()
    }

    private fun look() {
        early?.look(tree.visits[Tree.ROOT]) { choice().values }
    }

    /**
     * Make `simulations` new ones, or as many as `seconds` allow, and at least one; none if it `isDone`.
     *
     * Returns how many there were. `stop` ends it early.
     */
    fun run(simulations: Int, seconds: Double = Double.POSITIVE_INFINITY): Int {
        refuseWhileRunning()
        stopped = false
        since = System.nanoTime()
        isRunning = true
        try {
            return simulate(simulations, seconds * NANOSECONDS)
        } finally {
            spent += System.nanoTime() - since
            isRunning = false
        }
    }

    private fun simulate(simulations: Int, nanoseconds: Double): Int {
        val isTimed = nanoseconds != Double.POSITIVE_INFINITY
        if (!isPlanned) belong(if (isTimed) null else simulations)
        var made = 0
        while (made < simulations && !stopped && !isDone) {
            shared?.count(simulations - made)
            simulateOnce()
            made++
            look()
            if (isTimed && System.nanoTime() - since >= nanoseconds) break
        }
        return made
    }

    /** End a running `run` after the simulation that it is in; from any thread. */
    fun stop() {
        stopped = true
    }

    private fun refuseWhileRunning() {
        if (isRunning) throw GameError("search: it is running, stop it and wait until run() has ended.")
    }

    private fun simulateOnce() {
        val last = descend()
        val node = path[last]
        // The last visit's value is the result, whichever it was: they are all the same.
        // `mean` is seen from the parent, so it is negated for the node's own player to move.
        val isKnown = tree.kind[node] == Tree.CLOSED
        val value = if (isKnown) -tree.mean[node] else visit(node, last)
        tree.backUp(path, last, value)
        idle = if (isKnown) idle + 1 else 0
        if (proves && !isKnown && tree.kind[node] == Tree.CLOSED) tree.closeAbove(path, last)
        if (last > deepest) deepest = last
        trace?.invoke(IntArray(last) { tree.action[path[it + 1]] })
    }

    /** Walk from the root to a node whose value is wanted; its place in the path. */
    private fun descend(): Int {
        // No node has more visits than the root.
        val most = tree.visits[Tree.ROOT]
        if (most >= constants.size) constants = DoubleArray(max(1024, 2 * most)) { constant(it) }
        var node = Tree.ROOT
        var last = 0
        path[0] = node
        if (shared != null && tree.kind[node] != Tree.FRESH) {
            node = enter(shared)
            path[++last] = node
        }
        while (true) {
            if (tree.kind[node] == Tree.LEAF) expand(node)
            if (tree.kind[node] != Tree.OPEN) return last
            node = tree.bestChild(node, constants[tree.visits[node]], firstPlay)
            if (++last == path.size) path = path.copyOf(2 * last)
            path[last] = node
        }
    }

    /** The root's child by which the simulation begins that the root has counted. */
    private fun enter(root: GumbelRoot): Int {
        val value = values[tree.slot[Tree.ROOT]]
        if (tree.kind[Tree.ROOT] == Tree.LEAF) expand(Tree.ROOT)
        return root.choose(tree, value)
    }

    private fun expand(node: Int) {
        val slot = tree.slot[node]
        val answer = checkNotNull(answers[slot]) { "search: a node was expanded twice, this is a bug." }
        val left = if (node == Tree.ROOT) forced?.moves else null
        val legal = left ?: states[slot].legalActions()
        if (weights.size < legal.size) weights = DoubleArray(legal.size)
        weights(answer, legal, weights)
        tree.expand(node, legal, weights)
        answers[slot] = null
    }

    /** What a node that is reached for the first time is worth to its player to move. */
    private fun visit(node: Int, last: Int): Double {
        val reached = if (last == 0) state else states[tree.slot[path[last - 1]]].apply(tree.action[node])
        if (reached.isTerminal) {
            tree.kind[node] = Tree.CLOSED
            return (reached.returns() * (1 - 2 * reached.toMove)).toDouble()
        }
        val answer = evaluator.evaluate(reached)
        tree.slot[node] = states.size
        states.add(reached)
        answers.add(answer)
        if (shared != null) values.add(answer.value)
        tree.kind[node] = Tree.LEAF
        return answer.value
    }

    /** The root's actions, ascending; none before the second simulation. */
    fun children(): List<Child> = List(tree.children[Tree.ROOT]) {
        val child = tree.first[Tree.ROOT] + it
        Child(tree.action[child], tree.visits[child], tree.mean[child], tree.prior[child])
    }

    /** How many positions the tree holds with their states, kept ones included; its memory depends on it. */
    val positions: Int get() = states.size

    /** The moves that were looked at most, one after the other, from one of the root's on: at most `most`. */
    fun line(action: Int, most: Int): List<Int> {
        val found = mutableListOf(action)
        var node = tree.childFor(action)
        while (found.size < most && node >= 0) {
            node = tree.mostVisited(node)
            if (node >= 0) found += tree.action[node]
        }
        return found
    }

    /** The visit count of every legal action at the root, kept ones counted; all 0 before the first simulation. */
    fun visits(): Map<Int, Int> {
        val children = children()
        if (children.isEmpty()) return (forced?.moves ?: state.legalActions()).associate { it to 0 }
        return children.associate { it.action to it.visits }
    }

    /**
     * The most visited action, the lowest of equals; a search that proves chooses among the actions with the proven result,
     * or those not lost. GameError if the game is over.
     *
     * If the root's simulations are shared out, it is the best of the moves visited longest. If the settings say so, it is
     * the often visited one with the largest lower bound.
     */
    fun bestAction(): Int {
        val counts = choice()
        if (counts.isEmpty()) throw GameError("search: the game is over, there is no move to choose.")
        if (shared != null && tree.children[Tree.ROOT] > 0) {
            return tree.action[shared.best(tree, values[tree.slot[Tree.ROOT]], counts.keys.map(tree::childFor))]
        }
        val most = counts.values.max()
        var best = -1
        var largest = Double.NEGATIVE_INFINITY
        for ((action, visits) in counts) {
            if (visits < SHARE * most) continue
            val worth = if (errors == null || most == 0) visits.toDouble() else boundOf(action, errors)
            if (worth > largest) {
                best = action
                largest = worth
            }
        }
        return best
    }

    private fun boundOf(action: Int, errors: Double): Double {
        val row = tree.childFor(action)
        return lowerBound(tree.visits[row], tree.total[row], tree.squares[row], errors)
    }

    /** The visit counts of the actions that may be played. */
    private fun choice(): Map<Int, Int> {
        val left = forced ?: return visits()
        if (left.result != null) return mapOf(left.moves[0] to 0)
        val wanted = result
        return visits().filterKeys {
            val row = tree.childFor(it)
            val known = if (row >= 0 && tree.kind[row] == Tree.CLOSED) tree.mean[row].toInt() else null
            if (wanted == null) known != -1 else known == wanted
        }
    }

    /** What has been found so far; the evaluator and `trace` may ask too. GameError if the game is over. */
    fun report(): Report {
        val action = bestAction()
        val child = children().find { it.action == action }
        val running = if (isRunning) System.nanoTime() - since else 0L
        val known = result
        val winRate = ((known?.toDouble() ?: child?.mean ?: 0.0) + 1) / 2
        val simulations = tree.visits[Tree.ROOT] - kept
        val seconds = (spent + running) / NANOSECONDS
        return Report(action, simulations, child?.visits ?: 0, deepest, winRate, seconds, proven = known != null)
    }

    /** Follow the game by `action` and keep the tree below it; GameError if it is illegal. */
    fun play(action: Int) {
        refuseWhileRunning()
        val next = state.apply(action)
        val row = tree.childFor(action)
        // A fresh row has no state and no answer to be kept, and the game ends at a closed one.
        if (row < 0 || tree.kind[row] == Tree.FRESH || tree.kind[row] == Tree.CLOSED) {
            reset(next)
        } else {
            moveInto(tree.subtree(row))
        }
    }

    /** Hold a kept tree with the states and answers of its nodes, whose slots are numbered anew. */
    private fun moveInto(tree: Tree) {
        val states = ArrayList<State>()
        val answers = ArrayList<Evaluation?>()
        val values = ArrayList<Double>()
        for (node in 0 until tree.used) {
            if (tree.kind[node] != Tree.LEAF && tree.kind[node] != Tree.OPEN) continue
            answers.add(this.answers[tree.slot[node]])
            states.add(this.states[tree.slot[node]])
            if (shared != null) values.add(this.values[tree.slot[node]])
            tree.slot[node] = states.size - 1
        }
        this.values = values
        hold(states[tree.slot[Tree.ROOT]], tree, states, answers)
    }
}
