package org.azx.app.screens.play

import android.content.Context
import android.os.Bundle
import android.os.Parcelable
import android.util.AttributeSet
import android.view.View
import android.view.accessibility.AccessibilityNodeInfo.CollectionInfo
import android.view.accessibility.AccessibilityNodeInfo.CollectionItemInfo
import android.widget.LinearLayout
import org.azx.app.R
import org.azx.app.screens.onNodeInfo
import org.azx.app.screens.showIf

private const val ABOVE = "above"
private const val CHOSEN = "chosen"

private val TABS = listOf(R.id.tab_moves, R.id.tab_analysis, R.id.tab_game)
private val PANES = listOf(R.id.pane_moves, R.id.pane_analysis, R.id.pane_game)

/** The long parts behind tabs: moves, analysis and game. The chosen tab stays chosen when the device is turned. */
class Sheet(context: Context, attributes: AttributeSet?) : LinearLayout(context, attributes) {
    /** The tab that is seen: its view's id. */
    var chosen = TABS[0]
        private set

    override fun onFinishInflate() {
        super.onFinishInflate()
        for ((at, id) in TABS.withIndex()) {
            val tab = findViewById<View>(id)
            tab.setOnClickListener { choose(id) }
            // Its place among the tabs; whether it is chosen is the view's own state.
            @Suppress("DEPRECATION")
            tab.onNodeInfo { it.collectionItemInfo = CollectionItemInfo.obtain(0, 1, at, 1, false, tab.isSelected) }
        }
        findViewById<View>(R.id.tabs).onNodeInfo {
            it.className = "android.widget.TabWidget"
            @Suppress("DEPRECATION")
            it.collectionInfo = CollectionInfo.obtain(1, TABS.size, false, CollectionInfo.SELECTION_MODE_SINGLE)
        }
        choose(chosen)
    }

    fun choose(tab: Int) {
        chosen = tab
        for ((each, pane) in TABS.zip(PANES)) {
            findViewById<View>(each).isSelected = each == tab
            findViewById<View>(pane).showIf(each == tab)
        }
    }

    override fun onSaveInstanceState(): Parcelable = Bundle().apply {
        putParcelable(ABOVE, super.onSaveInstanceState())
        putInt(CHOSEN, TABS.indexOf(chosen))
    }

    @Suppress("DEPRECATION")
    override fun onRestoreInstanceState(state: Parcelable) {
        val kept = state as Bundle
        super.onRestoreInstanceState(kept.getParcelable(ABOVE))
        TABS.getOrNull(kept.getInt(CHOSEN))?.let(::choose)
    }
}
