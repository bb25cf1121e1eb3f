package org.azx.app.screens.play

import android.text.SpannableString
import android.text.Spanned
import android.text.style.TextAppearanceSpan
import android.view.Gravity
import android.view.ViewGroup
import android.widget.TableLayout
import android.widget.TextView
import org.azx.app.R
import org.azx.app.screens.add

/**
 * Tables of words and figures: a row of heads, then rows that begin with their names. What stands in a second line is
 * small.
 */
class Rows(private val table: TableLayout) {
    private var shown: List<List<String>> = emptyList()

    /** Show `rows`, in the present views if they fit, so that a screen reader keeps its place. */
    fun show(rows: List<List<String>>) {
        if (rows == shown) return
        if (rows.map { it.size } != shown.map { it.size }) build(rows)
        shown = rows
        rows.forEachIndexed { at, row -> write(table.getChildAt(at) as ViewGroup, row, rows.first()) }
    }

    private fun build(rows: List<List<String>>) {
        table.removeAllViews()
        for (row in rows) {
            val view = table.add<ViewGroup>(R.layout.item_row)
            for (column in row.indices) {
                val cell = view.add<TextView>(R.layout.item_cell)
                if (column > 0) cell.gravity = Gravity.END
                if (row === rows.first()) head(cell, column)
            }
        }
    }

    /** A long head stands in several lines, and leaves the names their room. */
    private fun head(cell: TextView, column: Int) {
        cell.setTextAppearance(R.style.Text_Small)
        if (column > 0) cell.maxWidth = (HEAD_DP * cell.resources.displayMetrics.density).toInt()
    }

    private fun write(view: ViewGroup, row: List<String>, heads: List<String>) {
        row.forEachIndexed { column, text ->
            val cell = view.getChildAt(column) as TextView
            if (cell.text.toString() != text) cell.text = withSmallPrint(text)
        }
        val comma = table.resources.getString(R.string.board_comma)
        val names = row.take(1).filter { it.isNotEmpty() }.map { it.replace("\n", comma) }
        val figures = row.drop(1).mapIndexed { at, figure -> if (row === heads) figure else "${heads[at + 1]} $figure" }
        view.contentDescription = (names + figures).joinToString(comma)
    }

    private fun withSmallPrint(text: String): CharSequence {
        val from = text.indexOf('\n').takeIf { it >= 0 } ?: return text
        val small = TextAppearanceSpan(table.context, R.style.Text_Small)
        return SpannableString(text).apply { setSpan(small, from, text.length, Spanned.SPAN_EXCLUSIVE_EXCLUSIVE) }
    }

    private companion object {
        const val HEAD_DP = 104
    }
}
