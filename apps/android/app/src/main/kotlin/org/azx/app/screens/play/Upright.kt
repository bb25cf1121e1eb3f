package org.azx.app.screens.play

import android.content.Context
import android.util.AttributeSet
import android.view.View
import android.widget.LinearLayout
import org.azx.app.R
import org.azx.app.screens.ButtonRow
import kotlin.math.max
import kotlin.math.min

// The height of a tab below its name: usually two rows of controls, at least one.
private const val USUAL_PANE_DP = 96
private const val LEAST_PANE_DP = 56

// The sheet in a review, its tabs included: the walk through the game, the list and more.
private const val REVIEW_SHEET_DP = 240

// A smaller board cannot be played on: on a low screen the review has what remains.
private const val LEAST_BOARD_DP = 200

// The room on a small phone's screen. In a lower window, beside another app's, the page scrolls.
private const val LEAST_DP = 540

/**
 * A phone that is held upright: the status, the players, the board, the next act, and the sheet. The board is as wide as
 * the screen if that leaves the sheet some room, else smaller. What appears below it takes its room from the sheet, so
 * that the board keeps its size. In a review the sheet is larger: the list and the graph are what the person works with.
 */
class Upright(context: Context, attributes: AttributeSet?) : LinearLayout(context, attributes) {
    private val density = resources.displayMetrics.density

    /** Whether a game is walked through. */
    var isReview = false
        set(isReview) {
            if (field != isReview) requestLayout()
            field = isReview
        }

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

    /** That of the window; if it is too low, enough to scroll. */
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
        val inReview = room + tabs - all.sumOf { heightOf(it, width, height) } - REVIEW_SHEET_DP * density
        if (isReview) return max(LEAST_BOARD_DP * density, inReview).coerceAtMost(max(0f, room.toFloat())).toInt()
        val usual = room - above.sumOf { usualHeightOf(it, width, height) } - USUAL_PANE_DP * density
        val least = room - all.sumOf { heightOf(it, width, height) } - LEAST_PANE_DP * density
        return max(0, min(usual, least).toInt())
    }

    /** Of the buttons one row: a second one comes and goes, and takes its room from the sheet. */
    private fun usualHeightOf(view: View, width: Int, height: Int): Int {
        val all = heightOf(view, width, height)
        return if (all > 0 && view is ButtonRow) all - view.measuredHeight + view.rowHeight else all
    }

    private fun heightOf(view: View, width: Int, height: Int): Int {
        if (view.visibility == GONE) return 0
        measureChildWithMargins(view, width, 0, height, 0)
        val around = view.layoutParams as MarginLayoutParams
        return view.measuredHeight + around.topMargin + around.bottomMargin
    }
}
