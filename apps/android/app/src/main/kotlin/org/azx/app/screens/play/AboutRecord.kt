package org.azx.app.screens.play

import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.games.Go
import org.azx.app.engine.review.Panel
import org.azx.app.play.table.branches
import org.azx.app.play.table.comment
import org.azx.app.play.table.displayed
import org.azx.app.screens.add
import org.azx.app.screens.say
import org.azx.app.screens.sayIf
import org.azx.app.screens.showIf

// SGF's properties of a game, in the order in which they are shown.
private val TOLD = mapOf(
    "GN" to R.string.told_name,
    "EV" to R.string.told_event,
    "RO" to R.string.told_round,
    "PC" to R.string.told_place,
    "DT" to R.string.told_date,
    "BR" to R.string.told_first_rank,
    "WR" to R.string.told_second_rank,
    "RE" to R.string.told_result,
    "KM" to R.string.told_komi,
    "RU" to R.string.told_rules,
    "GC" to R.string.told_comment,
)

/** What a record says beside its moves: about the game, the shown position, and its variations. */
class AboutRecord(seat: Seat) : Part(seat) {
    private val told = find<ViewGroup>(R.id.told)
    private val branches = find<ViewGroup>(R.id.branches)
    private var facts: List<Pair<Int, String>>? = null
    private var offered: List<String>? = null

    override fun show(panel: Panel) {
        find<TextView>(R.id.comment).sayIf(table.comment)
        showBranches(table.branches)
        val leftOut = table.identity.beside.leftOut
        find<TextView>(R.id.left_out).sayIf(
            if (table.isReplay && leftOut > 0) words.count(R.plurals.record_left_out, leftOut) else null,
        )
        showTold()
    }

    private fun showBranches(actions: List<Int>) {
        branches.showIf(actions.isNotEmpty())
        val names = actions.map { words.move(it, table.displayed.visible) }
        if (names == offered) return
        offered = names
        val row = branches.getChildAt(0) as ViewGroup
        row.removeAllViews()
        val title = row.add<TextView>(R.layout.item_cell).apply { say(words.say(R.string.record_branches)) }
        title.importantForAccessibility = View.IMPORTANT_FOR_ACCESSIBILITY_YES
        actions.zip(names).forEach { (action, name) ->
            row.add<Button>(R.layout.item_choice).run {
                text = name
                setOnClickListener { table.play(action) }
            }
        }
    }

    /** Komi and result of other people's game stand there as the game is counted here, unless the text says them. */
    private fun showTold() {
        val beside = table.identity.beside.told
        val komi = (table.session.states[0] as? Go)?.takeIf { table.session.isRead }?.let { words.number(it.komi) }
        val all = listOfNotNull(komi?.let { "KM" to it }).toMap() + beside
        val now = TOLD.mapNotNull { (key, name) -> all[key]?.let { name to it } }
        told.showIf(now.isNotEmpty())
        if (now == facts) return
        facts = now
        told.removeAllViews()
        for ((name, fact) in now) {
            val row = told.add<ViewGroup>(R.layout.item_row)
            for (text in listOf(words.say(name), fact)) row.add<TextView>(R.layout.item_cell).say(text)
            (row.getChildAt(0) as TextView).setTextAppearance(R.style.Text_Soft)
            row.contentDescription = words.say(name) + words.say(R.string.board_comma) + fact
        }
    }
}
