package org.azx.app.screens

import android.content.Context
import android.graphics.Canvas
import android.graphics.ColorFilter
import android.graphics.Paint
import android.graphics.PixelFormat
import android.graphics.drawable.Drawable
import org.azx.app.R

/** What lies over a screen while something is dragged over it: a frame, and in words what can be dropped. */
internal class DropMark(context: Context, private val words: String) : Drawable() {
    private val density = context.resources.displayMetrics.density
    private val veil = Paint().apply {
        color = context.colourOf(R.attr.paper)
        alpha = VEIL
    }
    private val frame = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        color = context.colourOf(R.attr.accent)
        style = Paint.Style.STROKE
        strokeWidth = 3 * density
    }
    private val letters = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        color = context.colourOf(R.attr.ink)
        textAlign = Paint.Align.CENTER
        textSize = context.resources.getDimension(R.dimen.drop)
    }

    override fun draw(canvas: Canvas) {
        val (inset, corner) = 12 * density to 16 * density
        canvas.drawRect(bounds, veil)
        canvas.drawRoundRect(
            bounds.left + inset, bounds.top + inset, bounds.right - inset, bounds.bottom - inset, corner, corner, frame,
        )
        canvas.drawText(words, bounds.exactCenterX(), bounds.exactCenterY(), letters)
    }

    override fun setAlpha(alpha: Int) = Unit

    override fun setColorFilter(filter: ColorFilter?) = Unit

    @Deprecated("Deprecated in Java")
    override fun getOpacity(): Int = PixelFormat.TRANSLUCENT

    private companion object {
        const val VEIL = 220
    }
}
