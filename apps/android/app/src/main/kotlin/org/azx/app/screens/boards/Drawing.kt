/** Which board shows the positions of a game. */
package org.azx.app.screens.boards

import android.content.Context
import org.azx.app.engine.State

/** The board for positions of the size of this one; null if it is a position of another game. */
typealias Drawing = (Context, State) -> BoardView?

/** The drawing of the game whose positions are of `Kind`. */
internal inline fun <reified Kind : State> drawing(crossinline board: (Context, Kind) -> BoardView): Drawing =
    { context, state -> (state as? Kind)?.let { board(context, it) } }
