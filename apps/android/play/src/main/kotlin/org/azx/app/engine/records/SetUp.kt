/**
 * Stones that stand before a game's first move, as moves that bring them there: AB, AW, PL and HA of SGF.
 *
 * Each side places a stone in turn, and passes if it has none left: a handicap of two is `D4 pass F6`. Of a position of
 * Go in which every chain has a liberty each part has that too, so nothing is taken on the way. Games without a pass have
 * only what moves in turn can bring there. Reversi's own first four discs are no move.
 */
package org.azx.app.engine.records

import org.azx.app.engine.Player
import org.azx.app.engine.State
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.mark

private val NO_HANDICAP = listOf("", "0", "1")
private val PLACING = listOf("AB", "AW")

/** Whether a node sets stones up or takes them away. */
internal fun setsUp(node: Properties): Boolean = "AE" in node || PLACING.any { it in node }

/**
 * The moves that place stones before the first move, which player `begins` makes; if that is null, PL says whose turn it
 * is. `nodes` are the main line. RecordError if no moves lead there.
 */
internal fun setUp(game: String, start: State, nodes: List<Properties>, begins: Player?): List<Move> {
    val first = nodes.indexOfFirst { "B" in it || "W" in it }.takeIf { it >= 0 } ?: nodes.size
    val (before, later) = nodes.take(first + 1) to nodes.drop(first + 1)
    val stones = PLACING.map { namesOf(start, before, it).take(MOST_MOVES).toList() }
    if (nodes.any { "AE" in it } || later.any(::setsUp)) throw noSetUp()
    val isEmpty = stones.all { it.isEmpty() }
    if (game == "reversi" && !isEmpty) {
        if (stones.map { it.toSet() } != firstDiscs(start as Reversi)) throw noSetUp()
        return emptyList()
    }
    if (isEmpty && begins != 0 && firstValue(nodes[0], "HA") !in NO_HANDICAP) throw noSetUp()
    val told = firstValue(nodes[0], "PL").take(1).uppercase()
    return inTurn(start, stones, begins ?: listOf("B", "W").indexOf(told).takeIf { it >= 0 })
}

/** The discs of each side with which Reversi begins. */
private fun firstDiscs(start: Reversi): List<Set<String>> = List(2) { player ->
    start.cells.indices.filter { start.cells[it].toInt() == mark(player) }.map(start::label).toSet()
}

/** Both sides' stones in turn; of a game with a pass that too, so that it is the turn of `begins`. */
private fun inTurn(start: State, stones: List<List<String>>, begins: Player?): List<Move> {
    val pass = nameOf(start, "")
    val left = stones.map { ArrayDeque(it) }
    val moves = mutableListOf<Move>()
    while (left.any { it.isNotEmpty() }) {
        val player = moves.size % 2
        val name = left[player].removeFirstOrNull() ?: pass
        if (name.isEmpty() && pass.isEmpty()) throw noSetUp()
        moves += Move(name, player)
    }
    if (moves.isNotEmpty() && pass.isNotEmpty() && begins == 1 - moves.size % 2) moves += Move(pass, moves.size % 2)
    return moves
}
