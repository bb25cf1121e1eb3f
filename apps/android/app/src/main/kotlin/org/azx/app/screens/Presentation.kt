package org.azx.app.screens

import android.app.Activity
import android.content.Context
import android.view.Gravity
import android.view.ViewGroup.LayoutParams
import android.widget.FrameLayout
import org.azx.app.R
import org.azx.app.engine.GameError
import org.azx.app.engine.State
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Gomoku
import org.azx.app.engine.games.Hex
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.TicTacToe
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.boards.Connect4Board
import org.azx.app.screens.boards.DotsBoard
import org.azx.app.screens.boards.Drawing
import org.azx.app.screens.boards.HexBoard
import org.azx.app.screens.boards.StonesBoard
import org.azx.app.screens.boards.TicTacToeBoard
import org.azx.app.screens.boards.drawing

/** What a side of a game is drawn as: its disc, its mark, its box or its stone. */
enum class Piece { DISC, MARK, BOX, STONE }

/** How a game is presented: its title, picture and board, what asks for a move, what players 0 and 1 play with. */
class Presentation(
    val title: Int,
    val picture: Int,
    val prompt: Int,
    first: Int,
    second: Int,
    val piece: Piece = Piece.DISC,
    val board: Drawing,
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

private val PRESENTATIONS = linkedMapOf(
    "connect4" to Presentation(
        R.string.game_connect4, R.drawable.game_connect4, R.string.tap_column, R.string.red, R.string.yellow,
        board = drawing { context, state: Connect4 -> Connect4Board(context, state.board[0], state.columns) },
    ),
    "tictactoe" to Presentation(
        R.string.game_tictactoe, R.drawable.game_tictactoe, R.string.tap_cell, R.string.cross, R.string.nought,
        Piece.MARK,
        board = drawing { context, _: TicTacToe -> TicTacToeBoard(context) },
    ),
    "dots_and_boxes" to Presentation(
        R.string.game_dots_and_boxes, R.drawable.game_dots_and_boxes, R.string.tap_edge, R.string.blue, R.string.orange,
        Piece.BOX,
        board = drawing { context, state: DotsAndBoxes -> DotsBoard(context, state.size) },
    ),
    "gomoku" to Presentation(
        R.string.game_gomoku, R.drawable.game_gomoku, R.string.tap_point, R.string.black, R.string.white,
        Piece.STONE,
        board = drawing { context, state: Gomoku -> StonesBoard(context, state.size) },
    ),
    "go" to Presentation(
        R.string.game_go, R.drawable.game_go, R.string.tap_point_or_pass, R.string.black, R.string.white,
        Piece.STONE,
        board = drawing { context, state: Go -> StonesBoard(context, state.size) },
    ),
    "reversi" to Presentation(
        R.string.game_reversi, R.drawable.game_reversi, R.string.tap_cell, R.string.black, R.string.white,
        Piece.STONE,
        board = drawing { context, state: Reversi -> StonesBoard(context, state.size, isFelt = true) },
    ),
    "hex" to Presentation(
        R.string.game_hex, R.drawable.game_hex, R.string.tap_cell, R.string.red, R.string.blue,
        board = drawing { context, state: Hex -> HexBoard(context, state.size) },
    ),
)

/** How a game is presented; null if this app has none. */
fun presentationOrNull(game: String): Presentation? = PRESENTATIONS[game]

/** How a game is presented; GameError if this app has none. */
fun presentationOf(game: String): Presentation = presentationOrNull(game) ?: throw GameError(
    "This app has no board for '$game': it has ${PRESENTATIONS.keys.joinToString(", ")}.",
)

/** The board of a game of the size of `state`; GameError if the game has none. */
fun boardFor(context: Context, state: State): BoardView =
    PRESENTATIONS.values.firstNotNullOfOrNull { it.board(context, state) } ?: throw GameError(
        "${state.javaClass.simpleName}: the app has no board for this game, choose another game.",
    )

/** Put the board of a game of the size of `state` into its frame on the screen; GameError if the game has none. */
fun Activity.layBoard(state: State): BoardView = boardFor(this, state).also { board ->
    val size = FrameLayout.LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.WRAP_CONTENT, Gravity.CENTER)
    val frame = findViewById<FrameLayout>(R.id.board)
    frame.removeAllViews()
    frame.addView(board, size)
}

/** The result of `body` while one more game is presented, for tests. */
internal fun <Found> withPresentation(game: String, presentation: Presentation, body: () -> Found): Found {
    PRESENTATIONS[game] = presentation
    try {
        return body()
    } finally {
        PRESENTATIONS.remove(game)
    }
}
