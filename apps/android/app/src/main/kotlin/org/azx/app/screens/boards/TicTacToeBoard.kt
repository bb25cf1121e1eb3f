/** Tic-tac-toe: nine cards with crosses and rings. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.RectF
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.TicTacToe.Companion.SIDE
import org.azx.app.engine.mark
import kotlin.math.round

class TicTacToeBoard(context: Context) : GridBoard(context, SIDE) {
    private val card = RectF()
    private val state get() = shown?.state as TicTacToe

    override fun layOut(frame: RectF) = placeCells(frame, SIDE, SIDE)

    override fun drawBoard(canvas: Canvas, shown: Shown) {
        val line = state.winningLine()
        for (at in 0 until spots) {
            drawCard(canvas, at, at in line)
            if (at == touched && isOpen(at)) drawPiece(canvas, at, mark(state.toMove), 0.4f)
            drawPiece(canvas, at, state.cells[at].toInt(), growing.of(at))
        }
    }

    private fun drawCard(canvas: Canvas, at: Int, isWinning: Boolean) {
        val colour = if (isWinning) mix(palette.card, palette.win, 0.3f) else palette.card
        placeCard(at)
        val corner = cell * 0.12f
        canvas.drawRoundRect(card, corner, corner, palette.fill(colour))
        drawBorder(canvas, at, isWinning, corner)
        drawHint(canvas, at, card.centerX(), card.centerY(), cell * 0.32f, cell * 0.24f)
    }

    private fun drawBorder(canvas: Canvas, at: Int, isWinning: Boolean, corner: Float) {
        val isLast = at == shown?.last
        val colour = when {
            isLast -> palette.accent
            isWinning -> palette.win
            else -> palette.line
        }
        val width = if (isLast || isWinning) 2.5f * density else 1.5f * density
        canvas.drawRoundRect(card, corner, corner, palette.stroke(colour, width))
    }

    private fun placeCard(at: Int) {
        boundsOf(at, card)
        card.inset(round(cell * 0.04f), round(cell * 0.04f))
    }

    private fun drawPiece(canvas: Canvas, at: Int, piece: Int, share: Float) {
        if (piece == EMPTY) return
        val colour = if (piece == 1) palette.red else palette.yellow
        // A darker rim, so that yellow is seen on white.
        drawShape(canvas, at, piece, fade(mix(colour, Color.BLACK, 0.35f), share), cell * 0.125f)
        drawShape(canvas, at, piece, fade(colour, share), cell * 0.1f)
    }

    private fun drawShape(canvas: Canvas, at: Int, piece: Int, colour: Int, width: Float) {
        val (x, y) = centreX(at) to centreY(at)
        val paint = palette.stroke(colour, width)
        if (piece == 2) canvas.drawCircle(x, y, cell * 0.23f, paint) else canvas.drawCross(x, y, cell * 0.21f, paint)
    }

    override fun placeName(at: Int): String = say(R.string.board_cell, at / SIDE + 1, at % SIDE + 1)

    override fun pieceName(piece: Int): String = say(if (piece == 1) R.string.board_x else R.string.board_o)

    override fun title(): String = say(R.string.board_tictactoe)
}
