/** The end of a game of Go: dead stones are marked and counted; and an estimate on the way there. */
package org.azx.app.play

import org.azx.app.engine.State
import org.azx.app.engine.games.Estimate
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.areasSeen
import org.azx.app.engine.games.areasWithout
import org.azx.app.engine.games.chain
import org.azx.app.engine.games.estimate
import org.azx.app.engine.games.ownership
import org.azx.app.engine.mark
import org.azx.app.engine.records.Ending
import org.azx.app.engine.review.Phase

/** What a board shows when it is counted: the dead stones, and the points of each player. */
class Counted(val dead: Set<Int>, val areas: List<IntArray>)

/** Whether two passes have ended a game of Go, so that there are dead stones to agree on. */
fun isUnsettled(states: List<State>): Boolean {
    val (last, before) = states.last() to states.getOrNull(states.size - 2)
    return last is Go && last.isTerminal && last.lastAction == last.pass && before?.lastAction == last.pass
}

/** The dead stones with the chain on a point added, or taken out if it was among them. */
fun toggleChain(state: Go, dead: List<Int>, at: Int): List<Int> {
    val points = state.chain(at)
    return if (at in dead) dead - points.toSet() else (dead + points).sorted()
}

/** The end of a game of Go as it is agreed, or as its stones are marked `dead` until then; null if nothing is counted. */
fun Session.counted(dead: List<Int>?): Counted? {
    val state = latest as? Go ?: return null
    val gone = (ending as? Ending.Agreed)?.dead ?: dead?.takeIf { phase == Phase.SCORING }
    return gone?.let { Counted(it.toSet(), state.areasWithout(it)) }
}

/** The estimate of a position, and what the board shows of it. */
fun estimateBoard(state: Go): Pair<Estimate, Counted> {
    val found = state.ownership()
    val areas = state.areasSeen(found)
    val dead = areas.flatMapIndexed { player, points -> points.filter { state.cells[it].toInt() == mark(1 - player) } }
    return state.estimate(found) to Counted(dead.toSet(), areas)
}
