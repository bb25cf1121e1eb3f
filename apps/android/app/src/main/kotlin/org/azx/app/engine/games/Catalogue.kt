/** The games that the engine plays: what shapes.json says of each, and its first state. */
package org.azx.app.engine.games

import org.azx.app.engine.Encoding
import org.azx.app.engine.Game
import org.azx.app.engine.GameError
import org.azx.app.engine.Setting
import org.azx.app.engine.Settings
import org.azx.app.engine.Shape
import org.azx.app.engine.State
import org.azx.app.engine.encodingFrom
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import org.azx.app.engine.readTable
import org.azx.app.engine.rows

private val FIRST: Map<String, (Settings) -> State> = mapOf(
    "connect4" to { Connect4() },
    "tictactoe" to { TicTacToe() },
    "dots_and_boxes" to { startDotsAndBoxes(it["size"] as Int) },
    "gomoku" to { startGomoku(it["size"] as Int, it["rule"] as String) },
    "go" to { startGo(it["size"] as Int, it["komi"] as Double) },
)

/** The games by name, in the order in which a list shows them. */
val GAMES: Map<String, Game> =
    (readTable("shapes") as List<*>).map { gameFrom(membersOf(it)) }.associateBy { it.name }

private fun gameFrom(row: Map<String, Any?>): Game {
    val (name, shapes) = row["name"] as String to row.rows("shapes").map(::shapeFrom)
    val encoding = encodingFrom(membersOf(row["encoding"]) + ("board" to shapes[0].board))
    val settings = row.rows("settings").map(::settingFrom)
    return Game(name, row["title"] as String, settings, shapes, encoding, FIRST.getValue(name))
}

private fun settingFrom(row: Map<String, Any?>): Setting {
    val choices = (row["choices"] as List<*>).map(::checkNotNull)
    return Setting(row["name"] as String, checkNotNull(row["default"]), choices, row["about"] as String)
}

private fun shapeFrom(row: Map<String, Any?>): Shape {
    val settings = membersOf(row["settings"]).mapValues { checkNotNull(it.value) }
    val policies = row.rows("policies").associate { it["name"] as String to it.number("width").toInt() }
    return Shape((row["board"] as List<*>).map { it as Int }, settings, policies)
}

/** The game called `name`; GameError, with the known names, where there is none. */
fun byName(name: String): Game =
    GAMES[name] ?: throw GameError("game '$name' is unknown: this app plays ${GAMES.keys.joinToString(", ")}.")

/** What the reference network of a game reads, on its first board or on another one. */
internal fun encodingOf(game: String, vararg board: Int): Encoding = GAMES.getValue(game).encoding.let {
    if (board.isEmpty()) it else it.copy(board = board.asList())
}

internal fun settingOf(game: String, name: String): Setting = GAMES.getValue(game).settings.first { it.name == name }

/** The sizes of the boards of a game that has several. */
internal fun sizesOf(game: String): List<Int> = settingOf(game, "size").choices.map { it as Int }
