package org.azx.app.screens

import android.content.Context
import android.graphics.Bitmap
import android.graphics.Canvas
import android.view.View.MeasureSpec
import org.azx.app.engine.State
import org.azx.app.engine.records.READER
import org.azx.app.screens.boards.Shown

// A board is drawn for a screen, so that its lines and numbers have room; the picture is a small one of it.
private const val TIMES = 2

/** A picture of a position and its `last` move, `pixels` wide and high; GameError if the game has no board. */
fun boardPicture(context: Context, state: State, pixels: Int, last: Int? = state.lastAction): Bitmap {
    val side = MeasureSpec.makeMeasureSpec(TIMES * pixels, MeasureSpec.EXACTLY)
    val board = boardFor(context, state)
    board.measure(side, side)
    board.layout(0, 0, board.measuredWidth, board.measuredHeight)
    board.show(Shown(state, READER, last, null, canPlay = false))
    val large = Bitmap.createBitmap(TIMES * pixels, TIMES * pixels, Bitmap.Config.ARGB_8888)
    board.draw(Canvas(large))
    return Bitmap.createScaledBitmap(large, pixels, pixels, true).also { large.recycle() }
}
