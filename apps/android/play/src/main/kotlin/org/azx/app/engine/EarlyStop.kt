/**
 * When a search ends before its last simulation: as soon as no other move can still be visited as often as the leader.
 *
 * With r simulations left a move that is d visits behind catches up only if d <= r. Leela Zero and KataGo, among others,
 * stop thinking at that point. The move played is the one that the whole search would have played, unless what the rules
 * prove had changed what may be played.
 */
package org.azx.app.engine

/** Whether a root's visits decide the move already (`isOver`); `visits` are the root's, kept ones counted. */
internal class EarlyStop {
    var isOver = false
        private set

    // The root's visits at the end, null if unknown, and the visits at which the next look is due.
    private var ends: Int? = null
    private var looksAt = 0

    /** Forget the root. */
    fun forget() {
        isOver = false
        ends = null
    }

    /** Begin a plan of `simulations`; null if their number is unknown. */
    fun begin(visits: Int, simulations: Int?) {
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
