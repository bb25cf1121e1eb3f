package org.azx.app.screens.play

import android.view.Gravity
import android.view.LayoutInflater
import android.view.ViewGroup
import android.widget.TableLayout
import android.widget.TextView
import org.azx.app.R
import org.azx.app.screens.say

/** Tables of words and figures: a row of heads, then rows that begin with their names. */
class Rows(private val table: TableLayout) {
    private var shown: List<List<String>> = emptyList()

    /** Show `rows` unless they are there: a screen reader would lose its place. */
    fun show(rows: List<List<String>>) {
        if (rows == shown) return
        shown = rows
        table.removeAllViews()
        for (row in rows) add(row, rows.first())
    }

    private fun add(row: List<String>, heads: List<String>) {
        val view = inflate<ViewGroup>(R.layout.item_row, table)
        row.forEachIndexed { column, text ->
            val cell = inflate<TextView>(R.layout.item_cell, view)
            cell.say(text)
            if (column > 0) cell.gravity = Gravity.END
            if (row === heads) cell.setTextAppearance(R.style.Text_Small)
        }
        val figures = row.drop(1).mapIndexed { at, figure -> if (row === heads) figure else "${heads[at + 1]} $figure" }
        val comma = table.resources.getString(R.string.board_comma)
        view.contentDescription = (row.take(1).filter { it.isNotEmpty() } + figures).joinToString(comma)
    }

    private fun <Made : android.view.View> inflate(layout: Int, parent: ViewGroup): Made {
        val made = LayoutInflater.from(table.context).inflate(layout, parent, false)
        parent.addView(made)
        @Suppress("UNCHECKED_CAST")
        return made as Made
    }
}
