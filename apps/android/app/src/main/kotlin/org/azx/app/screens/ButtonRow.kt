package org.azx.app.screens

import android.content.Context
import android.util.AttributeSet
import android.view.View
import android.widget.LinearLayout
import android.widget.TextView
import kotlin.math.ceil

/**
 * Buttons in the fewest rows in which no word is broken over two lines. Weights hold within a row.
 */
class ButtonRow(context: Context, attributes: AttributeSet?) : LinearLayout(context, attributes) {
    private var rows: List<List<View>> = emptyList()

    private val gap: Int get() = dividerDrawable?.intrinsicWidth ?: 0

    /** How high one row is. */
    val rowHeight: Int get() = rows.firstOrNull()?.firstOrNull()?.measuredHeight ?: 0

    override fun onMeasure(widthMeasureSpec: Int, heightMeasureSpec: Int) {
        val seen = List(childCount, ::getChildAt).filter { it.visibility != GONE }
        val width = MeasureSpec.getSize(widthMeasureSpec)
        rows = (1..seen.size).map { divide(seen, it) }.firstOrNull { all -> all.all { fits(it, width) } }
            ?: seen.map(::listOf)
        if (rows.size < 2) return super.onMeasure(widthMeasureSpec, heightMeasureSpec)
        for (row in rows) measure(row, width)
        val high = rows.sumOf { it[0].measuredHeight } + gap * (rows.size - 1)
        setMeasuredDimension(width, resolveSize(high, heightMeasureSpec))
    }

    /** As many to a row as there can be, so that their sizes differ little: the last one may have fewer. */
    private fun divide(seen: List<View>, count: Int): List<List<View>> = seen.chunked((seen.size + count - 1) / count)

    private fun fits(row: List<View>, width: Int) = row.zip(shares(row, width)).all { (each, share) ->
        each !is TextView || each.longestWord() + each.compoundPaddingLeft + each.compoundPaddingRight <= share
    }

    private fun TextView.longestWord(): Int =
        ceil(text.split(' ', '\n').maxOf { paint.measureText(it) }.toDouble()).toInt()

    private fun shares(row: List<View>, width: Int): List<Int> {
        val weights = row.map { (it.layoutParams as LayoutParams).weight }
        val room = width - gap * (row.size - 1)
        return weights.map { (room * it / weights.sum()).toInt() }
    }

    /** All of a row are as high as the highest one. */
    private fun measure(row: List<View>, width: Int) {
        val shares = row.zip(shares(row, width))
        val any = MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED)
        for ((each, share) in shares) each.measure(MeasureSpec.makeMeasureSpec(share, MeasureSpec.EXACTLY), any)
        val high = MeasureSpec.makeMeasureSpec(row.maxOf { it.measuredHeight }, MeasureSpec.EXACTLY)
        for ((each, share) in shares) each.measure(MeasureSpec.makeMeasureSpec(share, MeasureSpec.EXACTLY), high)
    }

    override fun onLayout(changed: Boolean, l: Int, t: Int, r: Int, b: Int) {
        if (rows.size < 2) return super.onLayout(changed, l, t, r, b)
        var top = 0
        for (row in rows) {
            var left = 0
            // From right to left in a script that is read so.
            for (each in if (layoutDirection == LAYOUT_DIRECTION_RTL) row.reversed() else row) {
                each.layout(left, top, left + each.measuredWidth, top + each.measuredHeight)
                left += each.measuredWidth + gap
            }
            top += row[0].measuredHeight + gap
        }
    }
}
