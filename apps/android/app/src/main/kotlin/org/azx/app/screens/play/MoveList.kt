package org.azx.app.screens.play

import android.graphics.Typeface
import android.text.SpannableStringBuilder
import android.text.Spanned
import android.text.style.ForegroundColorSpan
import android.text.style.StyleSpan
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.HorizontalScrollView
import org.azx.app.R
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Verdict
import org.azx.app.play.Session
import org.azx.app.play.table.lookAt
import org.azx.app.screens.add
import org.azx.app.screens.capital
import org.azx.app.screens.colourOf
import org.azx.app.screens.showIf

// The usual signs behind a move.
private val GLYPHS = mapOf(Verdict.INACCURACY to "?!", Verdict.MISTAKE to "?", Verdict.BLUNDER to "??")

private const val SPANNED = Spanned.SPAN_EXCLUSIVE_EXCLUSIVE

/**
 * The list of moves. Each is a button that shows its position, with the sign of its verdict. A line above the list says if
 * stones stood before the first move.
 */
class MoveList(seat: Seat) : Part(seat) {
    private data class Entry(val action: Int, val verdict: Verdict)

    private val list = find<HorizontalScrollView>(R.id.move_list)
    private val row = list.getChildAt(0) as ViewGroup
    private var listed: List<Entry> = emptyList()
    private var shown: View? = null
    private var isToBring = false

    init {
        row.addOnLayoutChangeListener { _, _, _, _, _, _, _, _, _ -> if (isToBring) bring() }
    }

    override fun show(panel: Panel) {
        val session = table.session
        find<View>(R.id.stones_set_up).showIf(session.setUp > 0)
        val judged = session.judged
        val now = session.actions.drop(session.setUp).mapIndexed { at, action ->
            Entry(action, judged.getOrNull(at)?.verdict ?: Verdict.GOOD)
        }
        list.showIf(now.isNotEmpty())
        if (row.childCount > now.size) row.removeViews(now.size, row.childCount - now.size)
        for ((at, entry) in now.withIndex()) {
            if (entry != listed.getOrNull(at)) write(buttonAt(at), at, entry, session)
        }
        listed = now
        mark(if (table.line == null) row.getChildAt(session.ply - session.setUp - 1) else null)
    }

    private fun buttonAt(at: Int): Button {
        val known = row.getChildAt(at) as Button?
        return known ?: row.add<Button>(R.layout.item_choice).apply {
            setOnClickListener { table.lookAt(table.session.setUp + at + 1) }
        }
    }

    private fun write(button: Button, at: Int, entry: Entry, session: Session) {
        val (number, name) = words.number(at + 1) to
            words.move(entry.action, session.states[session.setUp + at]).capital()
        val soft = inColour(activity.colourOf(R.attr.soft))
        val text = SpannableStringBuilder().append("$number  ", soft, SPANNED).append(name)
        GLYPHS[entry.verdict]?.let { glyph ->
            val from = text.append(" ").length
            text.append(glyph, inColour(colourOf(entry.verdict)), SPANNED)
            text.setSpan(StyleSpan(Typeface.BOLD), from, text.length, SPANNED)
        }
        button.text = text
        val called = if (entry.verdict in GLYPHS) words.choice("verdict_", entry.verdict) else null
        button.contentDescription = listOfNotNull(number, name, called).joinToString(words.say(R.string.board_comma))
    }

    private fun inColour(colour: Int) = ForegroundColorSpan(colour)

    private fun colourOf(verdict: Verdict) =
        activity.getColor(if (verdict == Verdict.BLUNDER) R.color.failed else R.color.mistake)

    /** Mark the move before the shown position, and scroll the list to it. */
    private fun mark(now: View?) {
        if (now === shown) return
        shown?.isSelected = false
        now?.isSelected = true
        shown = now
        isToBring = true
        // A new button has no place before the next layout.
        if (!row.isLayoutRequested) bring()
    }

    private fun bring() {
        isToBring = false
        val at = shown ?: return
        list.scrollTo(at.left - (list.width - at.width) / 2, 0)
    }
}
