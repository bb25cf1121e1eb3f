package org.azx.app.screens.play

import android.content.Context
import android.graphics.Canvas
import android.graphics.Path
import android.util.AttributeSet
import android.view.View
import org.azx.app.R
import org.azx.app.screens.boards.Palette

// Without a figure.
private const val FAINT = 0.25f

/** A bar above the board: the near player's share of it, in the colours of both sides' pieces. */
class EvaluationBar(context: Context, attributes: AttributeSet?) : View(context, attributes) {
    private val palette = Palette(context)
    private val line = context.getColor(R.color.edge)
    private val path = Path()
    private var sides = 0 to 0

    /** The near player's share, 0 to 1; null if unknown. */
    var chance: Double? = null
        private set

    /** Show the share of the near player; `near` and `far` are colours. */
    fun show(near: Int, far: Int, chance: Double?) {
        if (near to far == sides && chance == this.chance) return
        sides = near to far
        this.chance = chance
        alpha = if (chance == null) FAINT else 1f
        invalidate()
    }

    override fun onDraw(canvas: Canvas) {
        val (wide, high) = width.toFloat() to height.toFloat()
        val thick = resources.displayMetrics.density
        path.reset()
        path.addRoundRect(0f, 0f, wide, high, high / 2, high / 2, Path.Direction.CW)
        canvas.save()
        canvas.clipPath(path)
        canvas.drawPaint(palette.fill(sides.second))
        canvas.drawRect(0f, 0f, wide * (chance ?: 0.5).toFloat(), high, palette.fill(sides.first))
        canvas.restore()
        val inset = thick / 2
        val radius = high / 2 - inset
        canvas.drawRoundRect(inset, inset, wide - inset, high - inset, radius, radius, palette.stroke(line, thick))
    }
}
