package org.azx.app.screens.boards

import android.content.res.Resources
import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.engine.games.CellState
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.Hex
import org.azx.app.engine.games.TicTacToe
import kotlin.math.max
import kotlin.math.min

/** The ends of the longest row that has won; null if no row has. */
fun lineWords(resources: Resources, state: State): String? {
    val line = (state as? CellState)?.longestLine()?.takeIf { it.isNotEmpty() } ?: return null
    val (first, last) = line.first() to line.last()
    return when (state) {
        is Connect4 -> columns(resources, line.size, first % state.columns + 1, last % state.columns + 1)
        is TicTacToe -> resources.getString(R.string.line_points, 3, cell(resources, first), cell(resources, last))
        is Hex -> resources.getString(R.string.line_chain, line.size, state.label(first), state.label(last))
        else -> resources.getString(R.string.line_points, line.size, state.label(first), state.label(last))
    }
}

private fun columns(resources: Resources, count: Int, one: Int, other: Int): String {
    if (one == other) return resources.getString(R.string.line_column, count, one)
    return resources.getString(R.string.line_columns, count, min(one, other), max(one, other))
}

private fun cell(resources: Resources, at: Int): String =
    resources.getString(R.string.move_cell, at / TicTacToe.SIDE + 1, at % TicTacToe.SIDE + 1)
