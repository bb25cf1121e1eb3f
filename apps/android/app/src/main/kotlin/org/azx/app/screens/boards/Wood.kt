/** The wooden board of Gomoku and Go, and the green one of Reversi: lines, star points, coordinates. */
package org.azx.app.screens.boards

import android.graphics.Canvas
import android.graphics.Color
import android.graphics.LinearGradient
import android.graphics.Paint
import android.graphics.RectF
import android.graphics.Shader
import org.azx.app.engine.readTable
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.max
import kotlin.math.min
import kotlin.math.round

private val STAR_POINTS = readTable("star_points") as Map<*, *>

/** The rows and columns of the star points of a board; empty if it has none. */
private fun starPoints(size: Int): List<List<Int>> =
    (STAR_POINTS["$size"] as List<*>?).orEmpty().map { point -> (point as List<*>).map { it as Int } }

/** A board of `size` x `size` points inside `frame`, in pixels; if `isFelt` a green one whose lines part the cells. */
internal class Wood(
    private val size: Int,
    frame: RectF,
    private val palette: Palette,
    private val density: Float,
    private val isFelt: Boolean = false,
) {
    private val colour = if (isFelt) palette.felt else palette.wood
    private val lineColour = if (isFelt) palette.feltLine else palette.woodLine
    val cell = max(1f, floor(min(frame.width(), frame.height()) / (size + 2 * MARGIN)))
    private val line = max(1f, round(cell * 0.035f))

    /** The corner of the first point's cell; a line is in the middle of a pixel, or between two. */
    val left = round(frame.centerX() - cell * size / 2) + shift(cell, line)
    val top = round(frame.centerY() - cell * size / 2) + shift(cell, line)

    private val body = RectF(left, top, left + cell * size, top + cell * size)
        .apply { inset(-cell * MARGIN, -cell * MARGIN) }
    private val ground = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        val (light, dark) = mix(colour, -1, 0.1f) to mix(colour, lineColour, 0.12f)
        shader = LinearGradient(body.left, body.top, body.right, body.bottom, light, dark, Shader.TileMode.CLAMP)
    }

    /** The shift that makes a line of this width through the middle of a cell crisp. */
    private fun shift(cell: Float, line: Float): Float = (line / 2 - if (isFelt) 0f else cell / 2).let { ceil(it) - it }

    private fun x(column: Int) = left + (column + 0.5f) * cell

    private fun y(row: Int) = top + (row + 0.5f) * cell

    fun draw(canvas: Canvas, columns: List<String>, rows: List<String>) {
        val corner = 10 * density
        canvas.drawRoundRect(body, corner, corner, ground)
        if (isFelt) drawBorders(canvas) else for (at in 0 until size) drawLines(canvas, at)
        for ((row, column) in if (isFelt) emptyList() else starPoints(size)) {
            canvas.drawCircle(x(column), y(row), max(cell * 0.1f, 1.5f * line), palette.fill(palette.woodLine))
        }
        for (at in 0 until size) drawNames(canvas, at, columns[at], rows[at])
    }

    private fun drawLines(canvas: Canvas, at: Int) {
        val width = if (at == 0 || at == size - 1) 2 * line - line % 2 else line
        val paint = palette.stroke(palette.woodLine, width, Paint.Cap.SQUARE)
        canvas.drawLine(x(0), y(at), x(size - 1), y(at), paint)
        canvas.drawLine(x(at), y(0), x(at), y(size - 1), paint)
    }

    private fun drawBorders(canvas: Canvas) {
        val paint = palette.stroke(lineColour, line, Paint.Cap.SQUARE)
        val far = size * cell
        for (at in 0..size) {
            canvas.drawLine(left, top + at * cell, left + far, top + at * cell, paint)
            canvas.drawLine(left + at * cell, top, left + at * cell, top + far, paint)
        }
    }

    /** Below the columns and left of the rows. */
    private fun drawNames(canvas: Canvas, at: Int, column: String, row: String) {
        val text = max(cell * 0.34f, min(SMALLEST_DP * density, cell * 0.46f))
        val (edge, far) = cell * (MARGIN - 0.05f) / 2 to size * cell
        val tint = if (isFelt) palette.on(colour) else mix(lineColour, Color.BLACK, 0.4f)
        palette.write(canvas, column, x(at), top + far + edge, text, tint)
        palette.write(canvas, row, left - edge, y(at), text, tint)
    }

    private companion object {
        /** Around the cells, for the coordinates, in cells. */
        const val MARGIN = 0.6f
        const val SMALLEST_DP = 8
    }
}
