package org.azx.app.screens.play

import android.content.Context
import android.graphics.Canvas
import android.graphics.DashPathEffect
import android.graphics.Paint
import android.graphics.Path
import android.util.AttributeSet
import android.view.MotionEvent
import android.view.View
import android.view.ViewConfiguration
import org.azx.app.R
import org.azx.app.engine.review.Verdict
import org.azx.app.play.GraphPoint
import org.azx.app.screens.colourOf
import kotlin.math.abs
import kotlin.math.max
import kotlin.math.roundToInt

// A short game does not fill the graph at once.
private const val LEAST_MOVES = 8

// Numbers of moves below the graph: no more than fit side by side.
private const val MOST_NUMBERS = 6
private val STEPS = listOf(1, 2, 5, 10, 20, 50, 100, 200)

/**
 * `points` of a game of `moves`, with a line at `shown`. `mistakes` are the marked moves, `levels` the words at the top,
 * the middle and the bottom of the axis.
 */
data class Curve(
    val points: List<GraphPoint>,
    val moves: Int,
    val shown: Int,
    val mistakes: Map<Int, Verdict>,
    val levels: List<String>,
)

/** A person's chances or lead by move, with axes, marks at mistakes, and a line at the move that is shown. */
class WinRateGraph(context: Context, attributes: AttributeSet?) : View(context, attributes) {
    /** Called with the move that a finger points at. */
    var onPoint: ((Int) -> Unit)? = null

    private val density = resources.displayMetrics.density
    private val bound = stroke(context.colourOf(R.attr.line), 1f)
    private val even = stroke(context.colourOf(R.attr.line), 1.5f).apply {
        pathEffect = DashPathEffect(floatArrayOf(4 * density, 4 * density), 0f)
    }
    private val now = stroke(context.colourOf(R.attr.soft), 1f)
    private val pen = stroke(context.colourOf(R.attr.accent), 2f)
    private val dot = fill(context.colourOf(R.attr.accent))
    private val marks = mapOf(Verdict.MISTAKE to R.color.orange, Verdict.BLUNDER to R.color.red)
        .mapValues { (_, colour) -> fill(context.getColor(colour)) }
    private val rim = stroke(context.colourOf(R.attr.card), 1.5f)
    private val letters = fill(context.colourOf(R.attr.soft)).apply { textSize = resources.getDimension(R.dimen.axis) }
    private val levels get() = listOf(1.0, 0.5, 0.0).zip(curve.levels)
    private val path = Path()
    private val slop = ViewConfiguration.get(context).scaledTouchSlop
    private var pressed = 0f
    private var isDragged = false
    private var curve = Curve(emptyList(), 0, 0, emptyMap(), List(3) { "" })

    private fun fill(color: Int) = Paint(Paint.ANTI_ALIAS_FLAG).apply { this.color = color }

    private fun stroke(color: Int, width: Float) = fill(color).apply {
        style = Paint.Style.STROKE
        strokeWidth = width * density
    }

    /** Draw this unless it is there. */
    fun show(curve: Curve) {
        if (curve != this.curve) invalidate()
        this.curve = curve
    }

    private val edge get() = 8 * density
    private val left get() = edge + (curve.levels.maxOfOrNull(letters::measureText) ?: 0f) + 4 * density
    private val bottom get() = height - 4 * density - letters.textSize * 1.2f
    private val wide get() = max(curve.moves, LEAST_MOVES)

    private fun x(move: Int): Float = left + move.toFloat() / wide * (width - left - edge)

    private fun y(rate: Double): Float = edge + (1 - rate.toFloat()) * (bottom - 2 * edge)

    override fun onDraw(canvas: Canvas) {
        drawAxes(canvas)
        canvas.drawLine(x(curve.shown), y(1.0), x(curve.shown), y(0.0), now)
        path.reset()
        curve.points.forEachIndexed { at, (move, rate, _) ->
            if (at == 0) path.moveTo(x(move), y(rate)) else path.lineTo(x(move), y(rate))
        }
        canvas.drawPath(path, pen)
        for ((move, rate, _) in curve.points) {
            val mark = marks[curve.mistakes[move]]
            canvas.drawCircle(x(move), y(rate), (if (mark == null) 3 else 6) * density, mark ?: dot)
            if (mark != null) canvas.drawCircle(x(move), y(rate), 6 * density, rim)
        }
    }

    private fun drawAxes(canvas: Canvas) {
        val middle = (letters.ascent() + letters.descent()) / 2
        letters.textAlign = Paint.Align.RIGHT
        for ((rate, text) in levels) {
            canvas.drawLine(left, y(rate), width - edge, y(rate), if (rate == 0.5) even else bound)
            canvas.drawText(text, left - 4 * density, y(rate) - middle, letters)
        }
        letters.textAlign = Paint.Align.CENTER
        val step = STEPS.firstOrNull { wide / it <= MOST_NUMBERS } ?: 500
        for (move in 0..wide step step) canvas.drawText(move.toString(), x(move), bottom - letters.ascent(), letters)
    }

    /** A tap points, and so does a finger that is drawn along; one that goes up or down scrolls the page. */
    override fun onTouchEvent(event: MotionEvent): Boolean {
        when (event.actionMasked) {
            MotionEvent.ACTION_DOWN -> {
                pressed = event.x
                isDragged = false
            }
            MotionEvent.ACTION_MOVE -> if (isDragged || abs(event.x - pressed) > slop) {
                isDragged = true
                parent?.requestDisallowInterceptTouchEvent(true)
                point(event.x)
            }
            MotionEvent.ACTION_UP -> point(event.x)
        }
        return true
    }

    private fun point(at: Float) {
        val move = ((at - left) / (width - left - edge) * wide).roundToInt().coerceIn(0, curve.moves)
        onPoint?.invoke(move)
    }
}
