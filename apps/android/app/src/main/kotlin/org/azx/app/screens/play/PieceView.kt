package org.azx.app.screens.play

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.util.AttributeSet
import android.view.View
import org.azx.app.engine.Player
import org.azx.app.screens.Piece
import org.azx.app.screens.boards.Palette
import org.azx.app.screens.boards.Stones
import org.azx.app.screens.boards.drawCross
import org.azx.app.screens.boards.mix
import kotlin.math.min

/** What one side of a game plays with, as the board draws it. */
class PieceView(context: Context, attributes: AttributeSet?) : View(context, attributes) {
    private val palette = Palette(context)
    private var stones: Stones? = null
    private var piece = Piece.DISC
    private var player: Player = 0
    private var colour = palette.red

    /** Show what `player` plays with, in its `colour`. */
    fun show(piece: Piece, player: Player, colour: Int) {
        if (piece == this.piece && player == this.player && colour == this.colour) return
        this.piece = piece
        this.player = player
        this.colour = colour
        invalidate()
    }

    private val radius get() = min(width, height) * 0.42f

    override fun onSizeChanged(width: Int, height: Int, oldWidth: Int, oldHeight: Int) {
        stones = Stones(radius)
    }

    override fun onDraw(canvas: Canvas) {
        val (x, y) = width / 2f to height / 2f
        when (piece) {
            Piece.STONE -> stones?.draw(canvas, player + 1, x, y)
            Piece.DISC -> drawDisc(canvas, x, y)
            Piece.MARK -> drawMark(canvas, x, y)
            Piece.BOX -> drawBox(canvas, x, y)
        }
    }

    private fun drawDisc(canvas: Canvas, x: Float, y: Float) {
        canvas.drawCircle(x, y, radius, palette.fill(mix(colour, Color.BLACK, 0.18f)))
        canvas.drawCircle(x, y, radius * 0.84f, palette.fill(colour))
    }

    private fun drawMark(canvas: Canvas, x: Float, y: Float) {
        for ((shade, width) in listOf(mix(colour, Color.BLACK, 0.35f) to 0.52f, colour to 0.4f)) {
            val paint = palette.stroke(shade, radius * width)
            val arm = radius * 0.7f
            if (player == 1) canvas.drawCircle(x, y, arm, paint) else canvas.drawCross(x, y, arm, paint)
        }
    }

    private fun drawBox(canvas: Canvas, x: Float, y: Float) {
        canvas.drawRect(x - radius, y - radius, x + radius, y + radius, palette.fill(colour))
    }
}
