/** A position that people set up: pieces by their cells, or moves in games whose pieces cannot be placed freely. */
package org.azx.app.play.people

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Game
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.games.CellState
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.arrange
import org.azx.app.engine.games.chain
import org.azx.app.engine.play
import org.azx.app.engine.through

/**
 * Why a position cannot come about: the rules' `reason`, the numbers of pieces do not fit the mover (`isTurn`), or a chain
 * `at` a point has no liberty. Without any of these no moves lead there.
 */
class Impossible(val reason: Refusal?, val isTurn: Boolean = false, val at: Int? = null) :
    RuntimeException("impossible: ${reason?.code} $isTurn $at")

// Tries to find an order in which the pieces are placed.
private const val MOST_TRIES = 50_000

/** What was set up so far; immutable. `moves` are for games whose pieces cannot be placed freely. */
class SetUp(
    val game: Game,
    val settings: Settings,
    val pieces: Map<Int, Player> = emptyMap(),
    val mover: Player = 0,
    val moves: List<Int> = emptyList(),
) {
    private val start: State = begin(game, settings)

    /** Whether both sides' moves lead to a position: discs that turn, and boxes that somebody owns, cannot be put. */
    val isByMoves: Boolean get() = start is Reversi || start is DotsAndBoxes

    private val played: List<State> get() = start.through(moves)

    /** What the board shows, possible or not. */
    val shown: State get() = if (isByMoves) played.last() else start.arrange(pieces)

    /** Who moves next. */
    val toMove: Player get() = if (isByMoves) played.last().toMove else mover

    private fun with(
        pieces: Map<Int, Player> = this.pieces,
        mover: Player = this.mover,
        moves: List<Int> = this.moves,
    ) = SetUp(game, settings, pieces, mover, moves)

    /** With a piece of `player` on a cell, or the next move; a disc of Connect4 falls. Impossible if the move is illegal. */
    fun put(action: Int, player: Player): SetUp {
        if (!isByMoves) return landing(action)?.let { with(pieces + (it to player)) } ?: this
        played.last().whyIllegal(action)?.let { throw Impossible(it) }
        return with(moves = moves + played.last().play(action).map { checkNotNull(it.lastAction) })
    }

    /** Without the piece on a cell, of Connect4 the column's highest one; without the last move. */
    fun take(action: Int): SetUp {
        if (isByMoves) return with(moves = moves.dropLast(1).dropLastWhile { it == start.pass })
        val at = if (start is Connect4) columnOf(action).firstOrNull { it in pieces } else action
        return with(pieces - listOfNotNull(at).toSet())
    }

    private fun landing(action: Int): Int? =
        if (start is Connect4) columnOf(action).lastOrNull { it !in pieces } else action

    private fun columnOf(action: Int): List<Int> =
        start.board.let { (rows, columns) -> List(rows) { it * columns + action % columns } }

    /** With the other one to move; only pieces leave that open. */
    fun letMove(player: Player): SetUp = with(mover = player)

    fun clear(): SetUp = with(emptyMap(), 0, emptyList())

    /** All positions from the empty board to this one. Impossible if the rules do not lead there. */
    fun states(): List<State> {
        val found = when {
            isByMoves -> played
            start is Go -> placeWithPasses()
            else -> placeInTurn()
        }
        if (found.last().isTerminal) throw Impossible(Refusal(Refusal.Code.OVER))
        return found
    }

    /** Stones of Go in turn; a side that has none left passes. */
    private fun placeWithPasses(): List<State> {
        (shown as Go).run { pieces.keys.find { !hasLiberty(it) } }?.let { throw Impossible(null, at = it) }
        val left = List(2) { player -> ArrayDeque(pieces.filterValues { it == player }.keys) }
        val states = mutableListOf(start)
        while (left.any { it.isNotEmpty() }) {
            val state = states.last() as Go
            val action = left[state.toMove].removeFirstOrNull() ?: state.pass
            states += state.after(action)
        }
        if (states.last().toMove != mover) states += states.last().after((start as Go).pass)
        return states
    }

    private fun State.after(action: Int): State {
        whyIllegal(action)?.let { throw Impossible(it) }
        return apply(action)
    }

    private fun Go.hasLiberty(at: Int): Boolean = chain(at).any { stone ->
        val beside = listOf(stone - 1, stone + 1).filter { it >= 0 && it / size == stone / size }
        (beside + (stone - size) + (stone + size)).any { it in cells.indices && cells[it].toInt() == EMPTY }
    }

    /** Pieces that stay where they are, one of each side in turn. */
    private fun placeInTurn(): List<State> {
        val (first, second) = pieces.values.partition { it == 0 }
        if (first.size - second.size != mover) throw Impossible(null, isTurn = true)
        return Placing(pieces).from(start) ?: throw Impossible(null)
    }
}

/** Looks for an order of moves that leads to these pieces. */
private class Placing(private val pieces: Map<Int, Player>) {
    private val failed = HashSet<List<Byte>>()
    private var tries = 0
    private var reason: Refusal? = null

    /** All positions on the way; null if no order is found. Impossible if the rules give a reason. */
    fun from(start: State): List<State>? {
        val order = walk(start) ?: return reason?.let { throw Impossible(it) }
        return start.through(order)
    }

    private fun walk(state: State): List<Int>? {
        val cells = (state as CellState).cells
        val left = pieces.filter { (at, _) -> cells[at].toInt() == EMPTY }
        if (left.isEmpty()) return emptyList()
        // A row that has won stays there: no order helps.
        if (state.isTerminal) throw Impossible(Refusal(Refusal.Code.OVER))
        if (tries++ > MOST_TRIES || cells.asList() in failed) return null
        for ((at, player) in left) {
            if (player != state.toMove) continue
            val why = state.whyIllegal(at)
            // A disc that would hang in the air comes later.
            if (why != null && why.code != Refusal.Code.NOT_LOWEST) reason = why
            if (why != null) continue
            val rest = walk(state.apply(at)) ?: continue
            return listOf(at) + rest
        }
        failed += cells.asList()
        return null
    }
}
