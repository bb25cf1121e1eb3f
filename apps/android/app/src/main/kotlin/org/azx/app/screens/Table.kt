package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.GameError
import org.azx.app.engine.State
import org.azx.app.engine.games.Go

/** What is particular to a game: its title and picture, what asks for a move, what players 0 and 1 play with. */
class Table(val title: Int, val picture: Int, val prompt: Int, first: Int, second: Int) {
    val pieces = listOf(first, second)
}

private val TABLES = mapOf(
    "connect4" to Table(
        R.string.game_connect4, R.drawable.game_connect4, R.string.tap_column, R.string.red, R.string.yellow,
    ),
    "tictactoe" to Table(
        R.string.game_tictactoe, R.drawable.game_tictactoe, R.string.tap_cell, R.string.cross, R.string.nought,
    ),
    "dots_and_boxes" to Table(
        R.string.game_dots_and_boxes, R.drawable.game_dots_and_boxes, R.string.tap_edge, R.string.blue, R.string.orange,
    ),
    "gomoku" to Table(R.string.game_gomoku, R.drawable.game_gomoku, R.string.tap_point, R.string.black, R.string.white),
    "go" to Table(R.string.game_go, R.drawable.game_go, R.string.tap_point_or_pass, R.string.black, R.string.white),
)

/** The table for a game; null where this app has none. */
fun tableOrNull(game: String): Table? = TABLES[game]

/** The table for a game; GameError where this app has none. */
fun tableOf(game: String): Table =
    TABLES[game] ?: throw GameError("This app has no board for '$game': it has ${TABLES.keys.joinToString(", ")}.")

/** The pass that a person may choose; null where there is none. */
fun passOf(state: State): Int? = if (state is Go && !state.isTerminal) state.pass else null
