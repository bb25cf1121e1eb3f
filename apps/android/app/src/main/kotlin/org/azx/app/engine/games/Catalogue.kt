/** The games that the engine plays: one entry each. */
package org.azx.app.engine.games

import org.azx.app.engine.Encoding
import org.azx.app.engine.Game
import org.azx.app.engine.GameError
import org.azx.app.engine.Numbering
import org.azx.app.engine.Setting
import org.azx.app.engine.Settings
import org.azx.app.engine.State

/** A game by its parts; `settings` is empty where it has one board. */
private class Entry(
    override val name: String,
    override val title: String,
    override val encoding: Encoding,
    override val settings: List<Setting> = emptyList(),
    private val boards: Map<List<Int>, Settings> = emptyMap(),
    private val numberedBy: (State) -> List<Numbering>,
    private val first: (Settings) -> State,
) : Game {
    override fun settingsOf(board: List<Int>): Settings = boards[board].orEmpty()

    override fun numberings(state: State): List<Numbering> = numberedBy(state)

    override fun start(settings: Settings): State = first(settings)
}

private fun same(name: String, width: Int) = Numbering(name, width) { it }

/** One output a cell; some networks have one more, for a pass that is never legal. */
private fun cells(count: Int) = listOf(same("cell", count), same("cell_and_pass", count + 1))

/** The size by the shape of its encoding's planes. */
private fun sized(sizes: List<Int>, encoding: (Int) -> Encoding): Map<List<Int>, Settings> =
    sizes.associate { encoding(it).board to mapOf("size" to it) }

private fun size(default: Int, choices: List<Int>, about: String) = Setting("size", default, choices, about)

private val CONNECT4 = Entry(
    name = "connect4",
    title = "Connect4",
    encoding = Connect4.ENCODING,
    numberedBy = {
        listOf(same("cell", Connect4.CELLS), Numbering("column", Connect4.COLUMNS) { it % Connect4.COLUMNS })
    },
    first = { Connect4() },
)

private val TICTACTOE = Entry(
    name = "tictactoe",
    title = "Tic-tac-toe",
    encoding = TicTacToe.ENCODING,
    numberedBy = { cells(TicTacToe.CELLS) },
    first = { TicTacToe() },
)

private val DOTS_AND_BOXES = Entry(
    name = "dots_and_boxes",
    title = "Dots and Boxes",
    encoding = dotsAndBoxesEncoding(),
    settings = listOf(size(3, DOTS_AND_BOXES_SIZES, "boxes a side")),
    boards = sized(DOTS_AND_BOXES_SIZES, ::dotsAndBoxesEncoding),
    numberedBy = { listOf(same("edge", it.actions)) },
    first = { startDotsAndBoxes(it["size"] as Int) },
)

private val GOMOKU = Entry(
    name = "gomoku",
    title = "Gomoku",
    encoding = gomokuEncoding(15),
    settings = listOf(
        size(15, GOMOKU_SIZES, "points a side"),
        Setting("rule", "freestyle", GOMOKU_RULES, "what black may not play"),
    ),
    boards = sized(GOMOKU_SIZES, ::gomokuEncoding),
    numberedBy = { cells(it.actions) },
    first = { startGomoku(it["size"] as Int, it["rule"] as String) },
)

private val GO = Entry(
    name = "go",
    title = "Go",
    encoding = goEncoding(9),
    settings = listOf(
        size(9, GO_SIZES, "points a side"),
        Setting("komi", GO_KOMI, emptyList(), "points that white gets for moving second"),
    ),
    boards = sized(GO_SIZES, ::goEncoding),
    numberedBy = { listOf(same("point", it.actions)) },
    first = { startGo(it["size"] as Int, it["komi"] as Double) },
)

/** The games by name, in the order in which a list shows them. */
val GAMES: Map<String, Game> = listOf(CONNECT4, TICTACTOE, DOTS_AND_BOXES, GOMOKU, GO).associateBy { it.name }

/** The game called `name`; GameError, with the known names, where there is none. */
fun byName(name: String): Game =
    GAMES[name] ?: throw GameError("game '$name' is unknown: this app plays ${GAMES.keys.joinToString(", ")}.")
