package org.azx.app.screens.boards

import android.content.Context
import org.azx.app.engine.GameError
import org.azx.app.engine.State
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Gomoku
import org.azx.app.engine.games.Hex
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.TicTacToe

/** The board of a game of the size of `state`; GameError where the game has none. */
fun boardFor(context: Context, state: State): BoardView = when (state) {
    is Connect4 -> Connect4Board(context, state.board[0], state.columns)
    is DotsAndBoxes -> DotsBoard(context, state.size)
    is TicTacToe -> TicTacToeBoard(context)
    is Gomoku -> StonesBoard(context, state.size)
    is Go -> StonesBoard(context, state.size)
    is Reversi -> StonesBoard(context, state.size, isFelt = true)
    is Hex -> HexBoard(context, state.size)
    else -> throw GameError("${state.javaClass.simpleName}: the app has no board for this game, choose another game.")
}
