package org.azx.app.screens.library

import android.view.LayoutInflater
import android.view.ViewGroup
import android.widget.Button
import org.azx.app.R
import org.azx.app.screens.showIf

/** A row of buttons of which one is chosen, the first one is for all; nothing to be seen if there is nothing to choose. */
class Choice<Item>(private val row: ViewGroup, private val all: String, private val onChange: () -> Unit) {
    /** What is chosen; null for all. */
    var chosen: Item? = null

    private var offered: List<Pair<Item, String>>? = null

    /** Offer these, each with its name. */
    fun offer(items: List<Pair<Item, String>>) {
        row.showIf(items.size > 1)
        // What is gone is no longer asked for.
        if (items.none { it.first == chosen }) chosen = null
        if (items != offered) make(items)
        offered = items
        show()
    }

    private val buttons get() = row.getChildAt(0) as ViewGroup

    private fun make(items: List<Pair<Item, String>>) {
        buttons.removeAllViews()
        for ((item, name) in listOf<Pair<Item?, String>>(null to all) + items) {
            val button = LayoutInflater.from(row.context).inflate(R.layout.item_choice, buttons, false) as Button
            button.text = name
            button.tag = item
            button.setOnClickListener {
                chosen = item
                onChange()
            }
            buttons.addView(button)
        }
    }

    private fun show() {
        for (at in 0 until buttons.childCount) buttons.getChildAt(at).run { isSelected = tag == chosen }
    }
}
