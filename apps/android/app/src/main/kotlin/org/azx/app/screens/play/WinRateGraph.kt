package org.azx.app.screens.play

import android.content.Context
import android.graphics.Canvas
import android.graphics.DashPathEffect
import android.graphics.Paint
import android.graphics.Path
import android.util.AttributeSet
import android.view.View
import org.azx.app.R
import kotlin.math.max

// A short game does not fill the graph at once.
private const val LEAST_MOVES = 8

/** A person's chances by move, with a line at the move that is shown. */
class WinRateGraph(context: Context, attributes: AttributeSet?) : View(context, attributes) {
    private val density = resources.displayMetrics.density
    private val even = stroke(R.color.line, 1.5f).apply {
        pathEffect = DashPathEffect(floatArrayOf(4 * density, 4 * density), 0f)
    }
    private val now = stroke(R.color.soft, 1f)
    private val curve = stroke(R.color.accent, 2f)
    private val dot = Paint(Paint.ANTI_ALIAS_FLAG).apply { color = context.getColor(R.color.accent) }
    private val path = Path()
    private var points: List<Pair<Int, Double>> = emptyList()
    private var moves = 0
    private var shown = 0

    private fun stroke(color: Int, width: Float) = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        style = Paint.Style.STROKE
        strokeWidth = width * density
        this.color = context.getColor(color)
    }

    /** Draw `points`, a chance (0 to 1) by move, of `moves` in all, with the line at `shown`. */
    fun show(points: List<Pair<Int, Double>>, moves: Int, shown: Int) {
        if (points == this.points && moves == this.moves && shown == this.shown) return
        this.points = points
        this.moves = moves
        this.shown = shown
        invalidate()
    }

    private fun x(move: Int): Float {
        val edge = 8 * density
        return edge + move.toFloat() / max(moves, LEAST_MOVES) * (width - 2 * edge)
    }

    private fun y(rate: Double): Float {
        val edge = 8 * density
        return edge + (1 - rate.toFloat()) * (height - 2 * edge)
    }

    override fun onDraw(canvas: Canvas) {
        canvas.drawLine(x(0), y(0.5), width - x(0), y(0.5), even)
        canvas.drawLine(x(shown), y(1.0), x(shown), y(0.0), now)
        path.reset()
        points.forEachIndexed { at, (move, rate) ->
            if (at == 0) path.moveTo(x(move), y(rate)) else path.lineTo(x(move), y(rate))
        }
        canvas.drawPath(path, curve)
        for ((move, rate) in points) canvas.drawCircle(x(move), y(rate), 3 * density, dot)
    }
}
