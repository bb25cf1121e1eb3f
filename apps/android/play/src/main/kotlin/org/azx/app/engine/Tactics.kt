/** What the rules alone say of a position's moves: wins in one, and moves that the opponent answers with one. */
package org.azx.app.engine

/**
 * What two plies prove: the `moves` that are left to choose among, ascending, and the `result` for the mover.
 *
 * `result` 1: each of the moves wins at once. -1: the opponent wins at once after every move; these leave it the fewest ways.
 * null: after these moves the opponent cannot win at once, after every other one it can. If a result is known, the lowest of
 * the moves is played without a network.
 */
class Forced(val moves: IntArray, val result: Int?)

/** The actions that win at once, and how many such the opponent has after each legal one, in their order. */
class Sudden(val wins: IntArray, val answers: IntArray)

/** The moves that are left to choose among; none once the game is over. */
fun findForced(state: State): Forced {
    val legal = state.legalActions()
    val known = state.sudden()
    val wins = known?.wins ?: winsOf(state)
    if (wins.isNotEmpty()) return Forced(wins, 1)
    val answers = known?.answers ?: IntArray(legal.size) { answersTo(state.apply(legal[it])) }
    val fewest = answers.minOrNull() ?: 0
    val moves = legal.indices.filter { answers[it] == fewest }.map { legal[it] }.toIntArray()
    return Forced(moves, if (fewest > 0) -1 else null)
}

private fun winsOf(state: State): IntArray {
    val won = 1 - 2 * state.toMove
    return state.legalActions().filter { state.apply(it).returns() == won }.toIntArray()
}

/** How many moves win at once for the mover; if the last move has lost the game, more than there can be. */
private fun answersTo(after: State): Int = when {
    !after.isTerminal -> winsOf(after).size
    after.returns() == 1 - 2 * after.toMove -> after.actions + 1
    else -> 0
}
