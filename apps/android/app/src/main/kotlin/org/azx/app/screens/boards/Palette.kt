/** The colours of the app, which all its apps share. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.Paint
import android.graphics.Typeface
import org.azx.app.R

/** The colours of a theme, and a paint that everything is drawn with. */
class Palette(context: Context) {
    val card = context.getColor(R.color.card)
    val ink = context.getColor(R.color.ink)
    val line = context.getColor(R.color.line)
    val accent = context.getColor(R.color.accent)
    val onAccent = context.getColor(R.color.accent_ink)
    val red = context.getColor(R.color.red)
    val yellow = context.getColor(R.color.yellow)
    val blue = context.getColor(R.color.blue)
    val orange = context.getColor(R.color.orange)
    val wood = context.getColor(R.color.wood)
    val woodLine = context.getColor(R.color.wood_line)
    val felt = context.getColor(R.color.felt)
    val feltLine = context.getColor(R.color.felt_line)
    val frame = context.getColor(R.color.frame)
    val hole = context.getColor(R.color.hole)
    val win = context.getColor(R.color.win)
    val winRing = context.getColor(R.color.win_ring)
    val edge = context.getColor(R.color.edge)
    val forbidden = context.getColor(R.color.forbidden)
    private val dark = context.getColor(R.color.dark_text)
    private val light = context.getColor(R.color.light_text)

    private val paint = Paint(Paint.ANTI_ALIAS_FLAG)
    private val letters = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        textAlign = Paint.Align.CENTER
        typeface = Typeface.DEFAULT_BOLD
    }

    /** A paint that fills; valid until the next call. */
    fun fill(color: Int): Paint = paint.apply {
        reset()
        isAntiAlias = true
        this.color = color
    }

    /** A paint that draws lines of a width in pixels; valid until the next call. */
    fun stroke(color: Int, width: Float, cap: Paint.Cap = Paint.Cap.ROUND): Paint = fill(color).apply {
        style = Paint.Style.STROKE
        strokeWidth = width
        strokeCap = cap
        strokeJoin = Paint.Join.ROUND
    }

    /** The colour of text on a ground: dark or light, the one with more contrast. */
    fun on(ground: Int): Int = if (contrast(dark, ground) > contrast(light, ground)) dark else light

    internal fun contrast(one: Int, other: Int): Float {
        val (least, most) = listOf(Color.luminance(one), Color.luminance(other)).sorted()
        return (most + 0.05f) / (least + 0.05f)
    }

    /** Write a short text in bold around a point, `size` pixels high. */
    fun write(canvas: Canvas, text: String, x: Float, y: Float, size: Float, colour: Int) {
        letters.color = colour
        letters.textSize = size
        canvas.drawText(text, x, y - (letters.ascent() + letters.descent()) / 2, letters)
    }
}

/** Draw a cross around a point, whose ends are `arm` pixels to each side. */
fun Canvas.drawCross(x: Float, y: Float, arm: Float, paint: Paint) {
    drawLine(x - arm, y - arm, x + arm, y + arm, paint)
    drawLine(x - arm, y + arm, x + arm, y - arm, paint)
}

/** A colour with a share, 0 to 1, of its opacity. */
fun fade(color: Int, share: Float): Int =
    (color and 0xffffff) or ((Color.alpha(color) * share).toInt().coerceIn(0, 255) shl 24)

/** A colour on the way from one to another; share 0 to 1. */
fun mix(from: Int, to: Int, share: Float): Int = Color.rgb(
    (Color.red(from) + (Color.red(to) - Color.red(from)) * share).toInt(),
    (Color.green(from) + (Color.green(to) - Color.green(from)) * share).toInt(),
    (Color.blue(from) + (Color.blue(to) - Color.blue(from)) * share).toInt(),
)
