package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.GameError

/** What a side of a game is drawn as: its disc, its mark, its box or its stone. */
enum class Piece { DISC, MARK, BOX, STONE }

/** How a game is presented: its title and picture, what asks for a move, what players 0 and 1 play with. */
class Presentation(
    val title: Int,
    val picture: Int,
    val prompt: Int,
    first: Int,
    second: Int,
    val piece: Piece = Piece.DISC,
) {
    val pieces = listOf(first, second)

    /** The colours of what players 0 and 1 play with. */
    val colours = pieces.map(COLOURS::getValue)
}

private val COLOURS = mapOf(
    R.string.red to R.color.red,
    R.string.yellow to R.color.yellow,
    R.string.blue to R.color.blue,
    R.string.orange to R.color.orange,
    R.string.black to R.color.flat_black,
    R.string.white to R.color.flat_white,
    R.string.cross to R.color.red,
    R.string.nought to R.color.yellow,
)

private val PRESENTATIONS = mapOf(
    "connect4" to Presentation(
        R.string.game_connect4, R.drawable.game_connect4, R.string.tap_column, R.string.red, R.string.yellow,
    ),
    "tictactoe" to Presentation(
        R.string.game_tictactoe, R.drawable.game_tictactoe, R.string.tap_cell, R.string.cross, R.string.nought,
        Piece.MARK,
    ),
    "dots_and_boxes" to Presentation(
        R.string.game_dots_and_boxes, R.drawable.game_dots_and_boxes, R.string.tap_edge, R.string.blue, R.string.orange,
        Piece.BOX,
    ),
    "gomoku" to Presentation(
        R.string.game_gomoku, R.drawable.game_gomoku, R.string.tap_point, R.string.black, R.string.white,
        Piece.STONE,
    ),
    "go" to Presentation(
        R.string.game_go, R.drawable.game_go, R.string.tap_point_or_pass, R.string.black, R.string.white,
        Piece.STONE,
    ),
    "reversi" to Presentation(
        R.string.game_reversi, R.drawable.game_reversi, R.string.tap_cell, R.string.black, R.string.white,
        Piece.STONE,
    ),
    "hex" to Presentation(
        R.string.game_hex, R.drawable.game_hex, R.string.tap_cell, R.string.red, R.string.blue,
    ),
)

/** How a game is presented; null where this app has none. */
fun presentationOrNull(game: String): Presentation? = PRESENTATIONS[game]

/** How a game is presented; GameError where this app has none. */
fun presentationOf(game: String): Presentation = presentationOrNull(game) ?: throw GameError(
    "This app has no board for '$game': it has ${PRESENTATIONS.keys.joinToString(", ")}.",
)
