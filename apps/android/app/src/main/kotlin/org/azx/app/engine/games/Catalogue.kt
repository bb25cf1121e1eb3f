/** The games that the engine plays: one entry each. */
package org.azx.app.engine.games

import org.azx.app.engine.Game
import org.azx.app.engine.GameError
import org.azx.app.engine.Numbering
import org.azx.app.engine.Settings
import org.azx.app.engine.State

/** A game by its row of shapes.json and its `first` state. */
private class Entry(private val row: Row, private val first: (Settings) -> State) : Game {
    override val name get() = row.name
    override val title get() = row.title
    override val encoding get() = row.encoding
    override val settings get() = row.settings

    override fun settingsOf(board: List<Int>): Settings = row.shapes.find { it.board == board }?.settings.orEmpty()

    override fun numberings(state: State): List<Numbering> =
        row.shapes.first { it.board == state.board }.policies.map { (policy, width) ->
            Numbering(policy, width) { if (policy == "column") it % width else it }
        }

    override fun start(settings: Settings): State = first(settings)
}

/** The first state of each game. */
private val FIRST: Map<String, (Settings) -> State> = mapOf(
    "connect4" to { Connect4() },
    "tictactoe" to { TicTacToe() },
    "dots_and_boxes" to { startDotsAndBoxes(it["size"] as Int) },
    "gomoku" to { startGomoku(it["size"] as Int, it["rule"] as String) },
    "go" to { startGo(it["size"] as Int, it["komi"] as Double) },
)

/** The games by name, in the order in which a list shows them. */
val GAMES: Map<String, Game> = ROWS.mapValues { (name, row) -> Entry(row, FIRST.getValue(name)) }

/** The game called `name`; GameError, with the known names, where there is none. */
fun byName(name: String): Game =
    GAMES[name] ?: throw GameError("game '$name' is unknown: this app plays ${GAMES.keys.joinToString(", ")}.")
