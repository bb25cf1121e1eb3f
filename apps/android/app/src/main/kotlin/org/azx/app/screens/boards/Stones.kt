/** Black and white stones with shade and shadow. */
package org.azx.app.screens.boards

import android.graphics.Canvas
import android.graphics.Color
import android.graphics.Paint
import android.graphics.RadialGradient
import android.graphics.Shader

/** Draws stones of one radius, in pixels. */
internal class Stones(private val radius: Float) {
    private val black = paint(1.35f, -0.32f, Color.rgb(122, 122, 122), Color.rgb(12, 12, 12), 0.75f)
    private val white = paint(1.5f, -0.32f, Color.WHITE, Color.rgb(196, 196, 188), 1f)
    private val rim = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        style = Paint.Style.STROKE
        strokeWidth = radius * 0.05f
        color = Color.argb(90, 0, 0, 0)
    }
    private val shadow = Paint(Paint.ANTI_ALIAS_FLAG).apply {
        val colours = intArrayOf(Color.argb(140, 0, 0, 0), Color.argb(140, 0, 0, 0), Color.TRANSPARENT)
        shader = RadialGradient(0f, 0f, radius * 1.14f, colours, floatArrayOf(0f, 0.8f, 1f), Shader.TileMode.CLAMP)
    }

    /** A paint that shines from the upper left, around (0, 0). */
    private fun paint(reach: Float, at: Float, shine: Int, body: Int, stop: Float): Paint {
        val (colours, stops) = intArrayOf(shine, body) to floatArrayOf(0f, stop)
        val centre = radius * at
        val light = RadialGradient(centre, centre, radius * reach, colours, stops, Shader.TileMode.CLAMP)
        return Paint(Paint.ANTI_ALIAS_FLAG).apply { shader = light }
    }

    /** Draw a stone, 1 black or 2 white, around a point. */
    fun draw(canvas: Canvas, piece: Int, x: Float, y: Float) {
        canvas.save()
        canvas.translate(x, y + radius * 0.1f)
        canvas.drawCircle(0f, 0f, radius * 1.14f, shadow)
        canvas.translate(0f, -radius * 0.1f)
        canvas.drawCircle(0f, 0f, radius, if (piece == 1) black else white)
        if (piece == 2) canvas.drawCircle(0f, 0f, radius - rim.strokeWidth / 2, rim)
        canvas.restore()
    }

    fun drawGhost(canvas: Canvas, piece: Int, x: Float, y: Float) {
        val colour = if (piece == 1) Color.argb(140, 0, 0, 0) else Color.argb(190, 255, 255, 255)
        ghost.color = colour
        canvas.drawCircle(x, y, radius, ghost)
    }

    private val ghost = Paint(Paint.ANTI_ALIAS_FLAG)
}
