/** Hex: a rhombus of hexagons, around it the four sides in the colours of the players. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.Paint
import android.graphics.Path
import android.graphics.RectF
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.Player
import org.azx.app.engine.games.Hex
import kotlin.math.abs
import kotlin.math.hypot
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/** A spot is a hexagon, which stands on a corner; `cell` is its width. */
class HexBoard(context: Context, size: Int) : GridBoard(context, size) {
    override val ratio get() = widthOf(size) / heightOf(size)
    private var chain = IntArray(0)
    private val path = Path()

    override fun layOut(frame: RectF) {
        cell = min(frame.width() / widthOf(size), frame.height() / heightOf(size))
        left = frame.centerX() - cell * widthOf(size) / 2
        top = frame.centerY() - cell * heightOf(size) / 2
    }

    override fun onShown(before: Shown?, now: Shown) {
        chain = (now.state as? Hex)?.winningLine() ?: IntArray(0)
    }

    override fun centreX(at: Int) = left + (MARGIN + at % size + at / size / 2f + 0.5f) * cell

    override fun centreY(at: Int) = top + (MARGIN + (1.5f * (at / size) + 1) * SIDE) * cell

    override fun drawBoard(canvas: Canvas, shown: Shown) {
        val state = shown.state as? Hex ?: return
        drawSides(canvas)
        val heat = shown.hint
        for (at in 0 until spots) drawCell(canvas, at, state, heat)
        if (touched != NONE && isOpen(touched)) drawStone(canvas, landing(state, touched), state.toMove, 0.55f)
        val last = lastOf(state, shown)?.takeIf { strengthOf(state, heat, it) == null }
        if (last != null) {
            canvas.drawCircle(centreX(last), centreY(last), cell * 0.11f, palette.fill(Color.WHITE))
        }
        drawNames(canvas, state)
    }

    private fun drawCell(canvas: Canvas, at: Int, state: Hex, heat: Heat) {
        val ground = if (at in chain) mix(palette.card, palette.win, 0.55f) else palette.card
        val piece = state.cells[at].toInt()
        canvas.drawPath(hexagon(at), palette.fill(ground))
        canvas.drawPath(hexagon(at), palette.stroke(palette.edge, max(1f, cell * 0.04f)))
        if (piece != EMPTY) drawStone(canvas, at, piece - 1, 1f, growing.of(at))
        if (strengthOf(state, heat, at) == null) return
        drawHint(canvas, at, centreX(at), centreY(at), cell * 0.42f, cell * 0.34f)
    }

    /** How much a hint considers a cell: an empty one, or the first stone while it can be taken over. */
    private fun strengthOf(state: Hex, heat: Heat, at: Int): Float? =
        if (state.cells[at].toInt() == EMPTY || state.isSwapOpen) heat.strength(at) else null

    /** The cell of a stone after the move: one that is taken over changes its place. */
    private fun landing(state: Hex, action: Int): Int = state.apply(action).lastStone ?: action

    /** A stone. The second player's has a pale ring, so that the colour is not the only difference. */
    private fun drawStone(canvas: Canvas, at: Int, player: Player, share: Float, grown: Float = 1f) {
        val (colour, radius) = (if (player == 0) palette.red else palette.blue) to cell * RADIUS * grown
        canvas.drawCircle(centreX(at), centreY(at), radius, palette.fill(fade(colour, share)))
        if (player == 0) return
        val ring = palette.stroke(fade(Color.WHITE, 0.7f * share), max(2f, cell * 0.08f) * grown)
        canvas.drawCircle(centreX(at), centreY(at), radius * 0.72f, ring)
    }

    private fun hexagon(at: Int): Path = path.apply {
        rewind()
        CORNERS.forEachIndexed { corner, (dx, dy) ->
            val (px, py) = centreX(at) + dx * cell to centreY(at) + dy * cell
            if (corner == 0) moveTo(px, py) else lineTo(px, py)
        }
        close()
    }

    private fun drawSides(canvas: Canvas) {
        val steps = 0 until size
        drawSide(canvas, palette.red, steps.toList(), listOf(5, 0, 1))
        drawSide(canvas, palette.red, steps.map { (size - 1) * size + it }, listOf(4, 3, 2))
        drawSide(canvas, palette.blue, steps.map { it * size }, listOf(5, 4))
        drawSide(canvas, palette.blue, steps.map { it * size + size - 1 }, listOf(1, 2))
    }

    private fun drawSide(canvas: Canvas, colour: Int, cells: List<Int>, corners: List<Int>) {
        path.rewind()
        for (at in cells) {
            for (corner in corners) {
                val (dx, dy) = CORNERS[corner]
                val (px, py) = centreX(at) + dx * cell to centreY(at) + dy * cell
                if (path.isEmpty) path.moveTo(px, py) else path.lineTo(px, py)
            }
        }
        canvas.drawPath(path, palette.stroke(colour, cell * 0.3f, Paint.Cap.BUTT))
    }

    private fun drawNames(canvas: Canvas, state: Hex) {
        val height = max(cell * 0.34f, min(8 * density, cell * 0.5f))
        for (at in 0 until size) {
            val row = at * size
            val (column, number) = state.label(at).take(1) to state.label(row).drop(1)
            palette.write(canvas, column, centreX(at) - 0.25f * cell, centreY(at) - 0.95f * cell, height, palette.ink)
            palette.write(canvas, number, centreX(row) - 1.05f * cell, centreY(row), height, palette.ink)
        }
    }

    /** The cell of the last stone's mark; after a swap it is not the cell that was played. */
    private fun lastOf(state: Hex, shown: Shown): Int? =
        if (shown.last == state.lastAction) state.lastStone else shown.last?.takeIf { state.cells[it].toInt() != EMPTY }

    /** The cell whose hexagon has the point; NONE outside. */
    override fun spotAt(x: Float, y: Float): Int {
        val nearest = (0 until spots).minBy { hypot(x - centreX(it), y - centreY(it)) }
        val (dx, dy) = abs(x - centreX(nearest)) / cell to abs(y - centreY(nearest)) / cell
        return if (dx <= 0.5f && dy <= SIDE - dx * SIDE) nearest else NONE
    }

    override fun boundsOf(spot: Int, into: RectF) {
        val high = SIDE * cell
        into.set(centreX(spot) - cell / 2, centreY(spot) - high, centreX(spot) + cell / 2, centreY(spot) + high)
    }

    override fun title(): String = say(R.string.board_hex, size)

    override fun remark(spot: Int, shown: Shown): String? {
        val state = shown.state as Hex
        return when {
            cells[spot].toInt() != EMPTY && shown.canPlay && state.isSwapOpen -> say(R.string.board_take_over)
            spot == lastOf(state, shown) -> say(R.string.board_last)
            else -> null
        }
    }

    override fun pieceName(piece: Int): String = say(if (piece == 1) R.string.board_red else R.string.board_blue)

    private companion object {
        /** The side of a hexagon of width 1, and what is free around the rhombus for the names. */
        val SIDE = 1 / sqrt(3f)
        const val MARGIN = 0.85f

        /** Of a stone, in cells. */
        const val RADIUS = 0.37f

        /** The corners around a hexagon's middle, clockwise from the one on top. */
        val CORNERS = listOf(
            0f to -SIDE,
            0.5f to -SIDE / 2,
            0.5f to SIDE / 2,
            0f to SIDE,
            -0.5f to SIDE / 2,
            -0.5f to -SIDE / 2,
        )

        fun widthOf(size: Int): Float = 1.5f * size - 0.5f + 2 * MARGIN

        fun heightOf(size: Int): Float = (1.5f * size + 0.5f) * SIDE + 2 * MARGIN
    }
}
