/**
 * When a search ends before its last simulation: as soon as no other move can still be visited as often as the leader.
 *
 * With r simulations left a move that is d visits behind catches up only if d <= r. Leela Zero and KataGo, among others,
 * stop thinking at that point. The move played is the one that the whole search would have played, unless what the rules
 * prove had changed what may be played.
 */
package org.azx.app.engine

/**
 * Whether a root's visits decide the move already (`isOver`); `visits` are the root's, kept ones counted.
 *
 * A plan says how many simulations belong together. Without one each run is a plan of its own.
 */
internal class EarlyStop {
    private var isPlanned = false

    var isOver = false
        private set

    // The root's visits at the end of the plan, null where nobody knows, and those at which it is worth a look.
    private var ends: Int? = null
    private var looksAt = 0

    /** The root is another one. */
    fun forget() {
        isPlanned = false
        isOver = false
        ends = null
    }

    /** The simulations from now on, in however many runs, belong together; null: nobody knows how many. */
    fun plan(visits: Int, simulations: Int?) {
        begin(visits, simulations)
        isPlanned = true
    }

    /** A run begins: it is a plan of its own where it is no part of one. */
    fun beginRun(visits: Int, simulations: Int?) {
        if (!isPlanned) begin(visits, simulations)
    }

    private fun begin(visits: Int, simulations: Int?) {
        ends = simulations?.let { visits + it }
        looksAt = visits
        isOver = false
    }

    /** Find out whether the move is decided; `counts` gives the visits of the moves that may be played. */
    fun look(visits: Int, counts: () -> Collection<Int>) {
        val left = (ends ?: return) - visits
        if (isOver || visits < looksAt) return
        val (leader, second) = counts().sortedDescending() + listOf(0, 0)
        isOver = leader - second > left
        // Each simulation adds at most 1 to the lead and takes 1 from what is left.
        looksAt = visits + (left - (leader - second)) / 2 + 1
    }
}
