package org.azx.app.screens.library

import android.view.ViewGroup
import android.widget.Button
import org.azx.app.R
import org.azx.app.screens.add
import org.azx.app.screens.showIf

/** A row of buttons of which one is chosen; the first stands for all. The row is hidden if there is nothing to choose. */
class Choice<Item>(private val row: ViewGroup, private val all: String, private val onChange: () -> Unit) {
    /** What is chosen; null for all. */
    var chosen: Item? = null

    private var offered: List<Pair<Item, String>>? = null

    /** Offer these, each with its name. */
    fun offer(items: List<Pair<Item, String>>) {
        row.showIf(items.size > 1)
        // What is gone cannot stay chosen.
        if (items.none { it.first == chosen }) chosen = null
        if (items != offered) make(items)
        offered = items
        show()
    }

    private val buttons get() = row.getChildAt(0) as ViewGroup

    private fun make(items: List<Pair<Item, String>>) {
        buttons.removeAllViews()
        for ((item, name) in listOf<Pair<Item?, String>>(null to all) + items) {
            buttons.add<Button>(R.layout.item_choice).run {
                text = name
                tag = item
                setOnClickListener {
                    chosen = item
                    onChange()
                }
            }
        }
    }

    private fun show() {
        for (at in 0 until buttons.childCount) buttons.getChildAt(at).run { isSelected = tag == chosen }
    }
}
