package org.azx.app.screens.play

import android.content.Context
import android.util.AttributeSet
import android.view.View
import android.widget.LinearLayout
import org.azx.app.R
import kotlin.math.max
import kotlin.math.min

// What a tab shows below its name: two rows of controls with nothing else said, one at least.
private const val USUAL_PANE_DP = 96
private const val LEAST_PANE_DP = 56

// As high as a small phone's screen has room for it; in a lower window, beside another app's, it scrolls.
private const val LEAST_DP = 540

/**
 * A phone that is held upright: what is said, the players, the board, what a person does next, and the sheet. The board is
 * as wide as the screen where that leaves the sheet some room, and smaller where not. What comes up below it takes its room
 * from the sheet, so that the board keeps its size.
 */
class Upright(context: Context, attributes: AttributeSet?) : LinearLayout(context, attributes) {
    private val density = resources.displayMetrics.density

    override fun onMeasure(widthMeasureSpec: Int, heightMeasureSpec: Int) {
        val (wide, high) = MeasureSpec.getSize(widthMeasureSpec) to heightOf(heightMeasureSpec)
        val board = findViewById<View>(R.id.board)
        board.measure(
            exactly(wide - paddingLeft - paddingRight),
            MeasureSpec.makeMeasureSpec(mostForBoard(widthMeasureSpec, high), MeasureSpec.AT_MOST),
        )
        board.layoutParams.height = board.measuredHeight
        super.onMeasure(widthMeasureSpec, exactly(high))
    }

    /** That of the window; where it is too low, enough to scroll. */
    private fun heightOf(spec: Int): Int = when (MeasureSpec.getMode(spec)) {
        MeasureSpec.EXACTLY -> MeasureSpec.getSize(spec)
        else -> (LEAST_DP * density).toInt()
    }

    private fun exactly(pixels: Int) = MeasureSpec.makeMeasureSpec(pixels, MeasureSpec.EXACTLY)

    private fun mostForBoard(width: Int, high: Int): Int {
        val (sheet, height) = findViewById<View>(R.id.sheet) to exactly(high)
        val tabs = heightOf(sheet.findViewById(R.id.tabs), width, height)
        val room = high - paddingTop - paddingBottom - tabs
        val all = List(childCount, ::getChildAt).filter { it !== sheet && it.id != R.id.board }
        // Above the board, and the buttons: these are always there.
        val above = all.filter { indexOfChild(it) < indexOfChild(findViewById(R.id.board)) || it.id == R.id.buttons }
        val usual = room - above.sumOf { heightOf(it, width, height) } - USUAL_PANE_DP * density
        val least = room - all.sumOf { heightOf(it, width, height) } - LEAST_PANE_DP * density
        return max(0, min(usual, least).toInt())
    }

    private fun heightOf(view: View, width: Int, height: Int): Int {
        if (view.visibility == GONE) return 0
        measureChildWithMargins(view, width, 0, height, 0)
        val around = view.layoutParams as MarginLayoutParams
        return view.measuredHeight + around.topMargin + around.bottomMargin
    }
}
