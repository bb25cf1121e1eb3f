/** Dots and Boxes: edges to tap between dots; boxes show who completed them. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.RectF
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.records.READER
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.min
import kotlin.math.round

/** A spot is an edge, numbered as the game's actions are; `size` is the number of boxes a side. */
class DotsBoard(context: Context, private val size: Int) : BoardView(context) {
    private val edges = Edges(size)
    private val across = edges.across
    override val spots = edges.count
    override val ratio = 1f

    private val box = RectF()

    // The middles of an edge across and of one down.
    override val pitch: Float get() = cell * 0.7f
    private val thick get() = min(cell * 0.11f, THICKEST_DP * density)

    override fun layOut(frame: RectF) {
        placeCells(frame, size, size, MARGIN)
        body.inset(density, density)
    }

    override fun drawBoard(canvas: Canvas, shown: Shown) {
        val state = shown.state as DotsAndBoxes
        val corner = 16 * density
        canvas.drawRoundRect(body, corner, corner, palette.fill(palette.card))
        canvas.drawRoundRect(body, corner, corner, palette.stroke(palette.line, density))
        for (at in state.owners.indices) if (state.owners[at].toInt() != EMPTY) drawBox(canvas, at, state, shown)
        drawEdges(canvas, shown, state)
        for (row in 0..size) for (column in 0..size) {
            canvas.drawCircle(left + column * cell, top + row * cell, thick * 0.85f, palette.fill(palette.ink))
        }
        drawNames(canvas)
        drawShares(canvas, shown)
    }

    /** Above the columns of dots and left of the rows. */
    private fun drawNames(canvas: Canvas) {
        val away = cell * MARGIN * 0.62f
        val colour = mix(palette.card, palette.ink, 0.7f)
        for (at in 0..size) {
            palette.write(canvas, Edges.letterOf(at), left + at * cell, top - away, cell * NAMES, colour)
            palette.write(canvas, Edges.numberOf(at), left - away, top + at * cell, cell * NAMES, colour)
        }
    }

    private fun drawBox(canvas: Canvas, at: Int, state: DotsAndBoxes, shown: Shown) {
        val owner = state.owners[at].toInt()
        val colour = if (owner == 1) palette.blue else palette.orange
        val (x, y) = left + at % size * cell to top + at / size * cell
        box.set(x, y, x + cell, y + cell)
        canvas.drawRect(box, palette.fill(fade(colour, if (at in state.completed) 1f else 0.88f)))
        // Other people's boxes have their colours alone.
        if (shown.human == READER) return
        val name = say(if (owner - 1 == shown.human) R.string.board_you else R.string.board_ai)
        palette.write(canvas, name, box.centerX(), box.centerY(), cell * 0.24f, palette.on(colour))
    }

    /** The free edges first, so that drawn ones lie over their ends. */
    private fun drawEdges(canvas: Canvas, shown: Shown, state: DotsAndBoxes) {
        for (edge in 0 until spots) {
            if (state.edges[edge].toInt() == 0) drawFree(canvas, edge, shown.hint.strength(edge))
        }
        for (edge in 0 until spots) {
            if (state.edges[edge].toInt() != 0 && edge != shown.last) drawEdge(canvas, edge, palette.ink, thick)
        }
        val last = shown.last
        if (last != null && last < spots) {
            drawEdge(canvas, last, palette.accent, thick * 1.25f, growing.of(last))
        }
    }

    private fun drawFree(canvas: Canvas, edge: Int, strength: Float?) {
        val width = if (strength == null) thick * 0.35f else thick
        drawEdge(canvas, edge, strength?.let(::warmth) ?: palette.edge, width)
        if (edge == touched && isOpen(edge)) drawEdge(canvas, edge, fade(palette.accent, 0.6f), thick)
    }

    /** An edge, or as much of it, 0 to 1, as has `grown` from its upper or left dot. */
    private fun drawEdge(canvas: Canvas, edge: Int, colour: Int, width: Float, grown: Float = 1f) {
        val (x, y) = left + edges.columnOf(edge) * cell to top + edges.rowOf(edge) * cell
        val long = cell * grown
        val (right, down) = if (edges.isAcross(edge)) long to 0f else 0f to long
        canvas.drawLine(x, y, x + right, y + down, palette.stroke(colour, width))
    }

    private fun drawShares(canvas: Canvas, shown: Shown) {
        for (edge in 0 until spots) {
            if (shown.hint.figure(edge) == null) continue
            boundsOf(edge, box)
            drawHint(canvas, edge, box.centerX(), box.centerY(), cell * 0.19f, cell * 0.17f)
        }
    }

    private fun warmth(strength: Float) = mix(palette.card, palette.accent, 0.3f + 0.7f * strength)

    /** The nearest edge; NONE outside the board and in the very middle of a box. */
    override fun spotAt(x: Float, y: Float): Int {
        val (right, down) = (x - left) / cell to (y - top) / cell
        if (!body.contains(x, y)) return NONE
        val toAcross = abs(down - round(down.coerceIn(0f, size.toFloat())))
        val toDown = abs(right - round(right.coerceIn(0f, size.toFloat())))
        if (min(toAcross, toDown) > FARTHEST) return NONE
        return if (toAcross <= toDown) acrossAt(right, down) else downAt(right, down)
    }

    private fun acrossAt(right: Float, down: Float): Int =
        round(down).toInt().coerceIn(0, size) * size + floor(right).toInt().coerceIn(0, size - 1)

    private fun downAt(right: Float, down: Float): Int =
        across + floor(down).toInt().coerceIn(0, size - 1) * (size + 1) + round(right).toInt().coerceIn(0, size)

    override fun boundsOf(spot: Int, into: RectF) {
        val (x, y) = left + edges.columnOf(spot) * cell to top + edges.rowOf(spot) * cell
        val wide = cell * 0.3f
        if (edges.isAcross(spot)) {
            into.set(x, y - wide, x + cell, y + wide)
        } else {
            into.set(x - wide, y, x + wide, y + cell)
        }
    }

    override fun actionOf(spot: Int): Int = spot

    /** If no person plays, the colours are the names. */
    override fun title(): String {
        val (state, human) = (shown?.state as? DotsAndBoxes ?: return "") to (shown?.human ?: 0)
        if (human !in 0..1) return say(R.string.board_dots_watched, size, state.scores[0], state.scores[1])
        return say(R.string.board_dots, size, state.scores[human], state.scores[1 - human])
    }

    override fun describe(spot: Int): String {
        val shown = shown ?: return ""
        val state = shown.state as DotsAndBoxes
        val isDrawn = state.edges[spot].toInt() != 0
        val what = say(if (isDrawn) R.string.board_drawn else R.string.board_free)
        val gain = if (!isDrawn && state.completes(spot)) say(R.string.board_completes) else null
        return sentence(spot, nameOf(spot), what, gain)
    }

    private fun nameOf(edge: Int): String {
        val name = if (edges.isAcross(edge)) R.string.board_across else R.string.board_down
        return say(name, edges.rowOf(edge) + 1, edges.columnOf(edge) + 1)
    }

    override fun announce(action: Int): String? =
        if (action < spots) say(R.string.board_edge_drawn, nameOf(action)) else null

    private companion object {
        /** In steps between dots: the board around them, and how far from an edge a touch may be. */
        const val MARGIN = 0.32f
        const val FARTHEST = 0.44f

        /** The size of the dots' names. */
        const val NAMES = 0.17f

        /** A drawn edge on a large board. */
        const val THICKEST_DP = 9
    }
}
