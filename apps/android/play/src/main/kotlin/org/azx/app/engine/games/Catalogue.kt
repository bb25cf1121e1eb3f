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
    "connect4" to { startConnect4(it["rows"] as Int, it["columns"] as Int) },
    "tictactoe" to { TicTacToe() },
    "dots_and_boxes" to { startDotsAndBoxes(it["size"] as Int) },
    "gomoku" to { startGomoku(it["size"] as Int, it["rule"] as String) },
    "go" to { startGo(it["size"] as Int, it["komi"] as Double) },
    "reversi" to { startReversi(it["size"] as Int) },
    "hex" to { startHex(it["size"] as Int, it["rule"] as String) },
)

private val KNOWN: MutableMap<String, Game> = (readTable("shapes") as List<*>).map(::membersOf)
    .associateTo(LinkedHashMap()) { row -> (row["name"] as String).let { it to gameFrom(row, FIRST.getValue(it)) } }

/** The games by name, in the order in which a list shows them. */
val GAMES: Map<String, Game> = KNOWN

/** The result of `body` while there is one more game, for tests. */
internal fun <Found> withGame(game: Game, body: () -> Found): Found {
    KNOWN[game.name] = game
    try {
        return body()
    } finally {
        KNOWN.remove(game.name)
    }
}

/** The game of a row of shapes.json. */
internal fun gameFrom(row: Map<String, Any?>, start: (Settings) -> State): Game {
    val (name, settings) = row["name"] as String to row.rows("settings").map(::settingFrom)
    val shapes = sidesOf(settings, row.rows("board")).map { shapeFrom(it, row) }
    val encoding = encodingFrom(membersOf(row["encoding"]) + ("board" to shapes[0].board))
    return Game(name, row["title"] as String, settings, shapes, encoding, start)
}

private fun settingFrom(row: Map<String, Any?>): Setting {
    val choices = (row["choices"] as List<*>).map(::checkNotNull)
    return Setting(row["name"] as String, checkNotNull(row["default"]), choices, row["about"] as String)
}

/** The settings of each board, those that its sides depend on; the reference network's first. */
private fun sidesOf(settings: List<Setting>, board: List<Map<String, Any?>>): List<Settings> {
    val named = board.map { it["setting"] }
    return settings.filter { it.name in named }.fold(listOf(emptyMap())) { known, setting ->
        val choices = (listOf(setting.default) + setting.choices).distinct()
        known.flatMap { sides -> choices.map { sides + (setting.name to it) } }
    }
}

private fun shapeFrom(settings: Settings, row: Map<String, Any?>): Shape {
    val policies = row.rows("policies").associate { policy ->
        val width = policy.rows("factors").fold(1) { product, term -> product * numberOf(term, settings) }
        policy["name"] as String to width + policy.number("plus").toInt()
    }
    return Shape(row.rows("board").map { numberOf(it, settings) }, settings, policies)
}

/** A side of a board: a setting's value times a factor, plus a number. */
private fun numberOf(term: Map<String, Any?>, settings: Settings): Int =
    term.number("times").toInt() * (settings[term["setting"]] as Int? ?: 0) + term.number("plus").toInt()

/** The game called `name`; GameError, with the known names, if there is none. */
fun byName(name: String): Game =
    GAMES[name] ?: throw GameError("game '$name' is unknown: this app plays ${GAMES.keys.joinToString(", ")}.")

/** What the reference network of a game reads, on its first board or on another one. */
internal fun encodingOf(game: String, vararg board: Int): Encoding = GAMES.getValue(game).encoding.let {
    if (board.isEmpty()) it else it.copy(board = board.asList())
}

internal fun settingOf(game: String, name: String): Setting = GAMES.getValue(game).settings.first { it.name == name }

/** The sizes of the boards of a game that has several. */
internal fun sizesOf(game: String): List<Int> = settingOf(game, "size").choices.map { it as Int }
