/** Connect4: columns to tap; discs fall behind a blue board with holes. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.LinearGradient
import android.graphics.Paint
import android.graphics.Path
import android.graphics.RadialGradient
import android.graphics.RectF
import android.graphics.Shader
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.mark
import kotlin.math.floor

/** A spot is a column; its action is the lowest empty cell, or the top one if the column is full. */
class Connect4Board(context: Context, private val rows: Int, private val columns: Int) : BoardView(context) {
    override val spots = columns
    override val ratio = (columns + 2 * MARGIN) / (rows + 2 * MARGIN)

    private val fall = Fall(::invalidate)
    private val front = Path()
    private val frontPaint = Paint(Paint.ANTI_ALIAS_FLAG)
    private val shade = Paint(Paint.ANTI_ALIAS_FLAG)
    private val column = RectF()
    private val radius get() = cell * RADIUS

    override fun layOut(frame: RectF) {
        placeCells(frame, columns, rows, MARGIN)
        cutHoles()
        val bottom = mix(palette.frame, Color.BLACK, 0.2f)
        frontPaint.shader = LinearGradient(0f, body.top, 0f, body.bottom, palette.frame, bottom, Shader.TileMode.CLAMP)
        val shadow = intArrayOf(Color.TRANSPARENT, Color.TRANSPARENT, SHADOW)
        val stops = floatArrayOf(0f, 0.8f, 1f)
        shade.shader = RadialGradient(0f, radius * 0.08f, radius * 1.08f, shadow, stops, Shader.TileMode.CLAMP)
    }

    private fun cutHoles() {
        front.reset()
        front.fillType = Path.FillType.EVEN_ODD
        front.addRoundRect(body, cell * CORNER, cell * CORNER, Path.Direction.CW)
        for (at in 0 until rows * columns) front.addCircle(centreX(at), centreY(at), radius, Path.Direction.CW)
    }

    private fun centreX(at: Int) = left + (at % columns + 0.5f) * cell

    private fun centreY(at: Int) = top + (at / columns + 0.5f) * cell

    override fun move(before: Shown?, now: Shown) {
        val last = now.last
        val isNew = last != null && before != null && (before.state as Connect4).cells[last].toInt() == EMPTY
        if (isNew && now.state.lastAction == last) {
            fall.start(last!!, last / columns + 1)
        } else {
            fall.stop()
        }
    }

    override fun onDetachedFromWindow() {
        super.onDetachedFromWindow()
        fall.stop()
    }

    override fun drawBoard(canvas: Canvas, shown: Shown) {
        val state = shown.state as Connect4
        drawBack(canvas, shown, state)
        canvas.drawPath(front, frontPaint)
        if (shown.canPlay && touched != NONE) {
            boundsOf(touched, column)
            canvas.drawRoundRect(column, cell * 0.2f, cell * 0.2f, palette.fill(fade(Color.WHITE, 0.16f)))
        }
        for (at in state.cells.indices) shadeHole(canvas, at)
        drawMarks(canvas, shown, state)
    }

    /** What is seen through the holes. */
    private fun drawBack(canvas: Canvas, shown: Shown, state: Connect4) {
        // A little smaller than the front, so that no dark rim is seen around it.
        canvas.drawRect(left, top, left + columns * cell, top + rows * cell, palette.fill(palette.hole))
        if (shown.canPlay && touched != NONE) drawGhost(canvas, state)
        for (at in state.cells.indices) {
            val piece = state.cells[at].toInt()
            // A disc that waits for its fall is not visible yet.
            if (at == fall.waiting) continue
            if (piece != EMPTY) {
                drawDisc(canvas, at, colour(piece))
            } else {
                drawHint(canvas, at, centreX(at), centreY(at), radius, cell * TEXT)
            }
        }
    }

    /** The cell where a disc of the touched column would land. */
    private fun drawGhost(canvas: Canvas, state: Connect4) {
        if (!isOpen(touched)) return
        val at = actionOf(touched)
        val colour = fade(colour(mark(state.toMove)), 0.5f)
        canvas.drawCircle(centreX(at), centreY(at), radius, palette.fill(colour))
    }

    private fun drawDisc(canvas: Canvas, at: Int, colour: Int) {
        val height = if (at == fall.cell) fall.left * (at / columns + 1) * cell else 0f
        val (x, y) = centreX(at) to centreY(at) - height
        canvas.drawCircle(x, y, cell * 0.5f, palette.fill(mix(colour, Color.BLACK, 0.18f)))
        canvas.drawCircle(x, y, radius * 0.86f, palette.fill(mix(colour, Color.WHITE, 0.16f)))
        canvas.drawCircle(x, y, radius * 0.78f, palette.fill(colour))
    }

    private fun shadeHole(canvas: Canvas, at: Int) {
        canvas.save()
        canvas.translate(centreX(at), centreY(at))
        canvas.drawCircle(0f, 0f, radius, shade)
        canvas.restore()
    }

    /** The last move and the winning row; not on a disc that still falls. */
    private fun drawMarks(canvas: Canvas, shown: Shown, state: Connect4) {
        if (fall.cell != NONE) return
        for (at in state.winningLine()) {
            canvas.drawCircle(centreX(at), centreY(at), radius * 0.82f, palette.stroke(Color.WHITE, radius * 0.16f))
        }
        val last = shown.last ?: return
        canvas.drawCircle(centreX(last), centreY(last), radius * 0.26f, palette.fill(fade(Color.BLACK, 0.25f)))
        canvas.drawCircle(centreX(last), centreY(last), radius * 0.22f, palette.fill(Color.WHITE))
    }

    private fun colour(piece: Int) = if (piece == 1) palette.red else palette.yellow

    override fun spotAt(x: Float, y: Float): Int =
        if (body.contains(x, y)) floor((x - left) / cell).toInt().coerceIn(0, columns - 1) else NONE

    override fun boundsOf(spot: Int, into: RectF) =
        into.set(left + spot * cell, top, left + (spot + 1) * cell, top + rows * cell)

    override fun actionOf(spot: Int): Int {
        val cells = (shown?.state as Connect4).cells
        for (row in rows - 1 downTo 1) if (cells[row * columns + spot].toInt() == EMPTY) return row * columns + spot
        return spot
    }

    override fun title(): String = say(R.string.board_connect4, columns)

    override fun describe(spot: Int): String {
        val shown = shown ?: return ""
        return sentence(spot, say(R.string.board_column, spot + 1), contentOf(discsOf(shown.state as Connect4, spot)))
    }

    private fun discsOf(state: Connect4, column: Int): List<String> =
        (rows - 1 downTo 0).map { state.cells[it * columns + column].toInt() }.filter { it != EMPTY }.map(::nameOf)

    private fun contentOf(discs: List<String>): String {
        if (discs.isEmpty()) return say(R.string.board_empty)
        val names = discs.joinToString(say(R.string.board_comma))
        val count = resources.getQuantityString(R.plurals.board_discs, discs.size, discs.size)
        val words = if (discs.size == rows) R.string.board_full else R.string.board_from_below
        return say(words, count, names)
    }

    private fun nameOf(piece: Int): String = say(if (piece == 1) R.string.board_red else R.string.board_yellow)

    override fun announce(action: Int): String {
        val piece = (shown?.state as Connect4).cells[action].toInt()
        val name = say(R.string.board_column, action % columns + 1)
        return say(R.string.board_move, nameOf(piece), name)
    }

    private companion object {
        /** In cells: the board around the columns, its corners, a hole's radius, the text in it. */
        const val MARGIN = 0.2f
        const val CORNER = 0.35f
        const val RADIUS = 0.42f
        const val TEXT = 0.3f
        val SHADOW = Color.argb(120, 0, 0, 0)
    }
}
