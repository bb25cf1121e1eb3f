/** The position that stands for a game in the list: one that shows what the game is about. */
package org.azx.app.play

import org.azx.app.engine.State
import org.azx.app.engine.play
import org.azx.app.engine.readTable

/** How each game was played until there, as its moves are called; passes that the rules force are left out. */
internal val POSITIONS: Map<String, List<String>> = (readTable("positions") as Map<*, *>).entries
    .associate { (game, moves) -> game.toString() to moves.toString().split(" ") }

/** The last position of those moves, as far as the rules of this board allow them. */
fun positionFor(game: String, start: State): State {
    var state = start
    for (move in POSITIONS[game].orEmpty()) {
        val action = state.legalActions().find { state.label(it) == move } ?: break
        state = state.play(action).last()
    }
    return state
}
