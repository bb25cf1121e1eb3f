package org.azx.app.screens.play

import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.RadioButton
import android.widget.RadioGroup
import android.widget.Spinner
import android.widget.Switch
import android.widget.TextView
import org.azx.app.R
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Limit
import org.azx.app.play.Strength
import org.azx.app.play.komisOf
import org.azx.app.play.rulesOf
import org.azx.app.screens.add
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf

// As many as are large enough for a thumb beside each other.
private const val STEPS_IN_A_ROW = 4

/** The choices before a new game: how strong the network is, who begins, and the settings. */
class Terms(seat: Seat, now: Choices) {
    private val opened = seat.opened
    private val words = seat.words
    val view: View = seat.activity.layoutInflater.inflate(R.layout.part_terms, null)

    // What the person has chosen so far, but for the sides of a series.
    private var choices = now
    private val series = SeriesChoice(seat, view, now)
    private val steps = HashMap<Strength, Button>()
    private val exact = view.findViewById<RadioGroup>(R.id.terms_exact)
    private val openExact = view.findViewById<View>(R.id.terms_open_exact)

    init {
        val (levels, others) = opened.strengths.partition { it.limit is Limit.Level }
        levels.forEach(::addStep)
        others.forEach(::addExact)
        openExact.setOnClickListener { showExact() }
        // What was chosen among them is in sight.
        if (now.strength in others) showExact()
        choose(now.strength)
        view.findViewById<Spinner>(R.id.terms_begins)
            .offer(Begins.entries, { words.choice("begins_", it) }, now.begins, ::chooseBegins)
        chooseBegins(now.begins)
        showKomi()
        showRule()
    }

    /** What the person has chosen so far. */
    val chosen: Choices
        get() = when (choices.begins) {
            Begins.WATCH -> choices.copy(sides = series.sides, count = series.count)
            else -> choices
        }

    /** If networks play each other, the sides have levels of their own. */
    private fun chooseBegins(begins: Begins) {
        choices = choices.copy(begins = begins)
        view.findViewById<View>(R.id.terms_series).showIf(begins == Begins.WATCH)
        view.findViewById<View>(R.id.terms_strength_part).showIf(begins != Begins.WATCH)
    }

    /** The levels in rows of steps, each of which is called by its number. */
    private fun addStep(strength: Strength) {
        val rows = view.findViewById<ViewGroup>(R.id.terms_levels)
        val row = rows.getChildAt(steps.size / STEPS_IN_A_ROW) as ViewGroup
        steps[strength] = row.add<Button>(R.layout.item_step).apply {
            text = words.number(steps.size + 1)
            contentDescription = words.strength(strength)
            setOnClickListener { choose(strength) }
        }
    }

    private fun addExact(strength: Strength) {
        exact.add<RadioButton>(R.layout.item_exact).run {
            id = View.generateViewId()
            tag = strength
            text = words.strength(strength)
            setOnClickListener { choose(strength) }
        }
    }

    private fun showExact() {
        exact.showIf(true)
        openExact.showIf(false)
    }

    private fun choose(strength: Strength) {
        choices = choices.copy(strength = strength)
        for ((each, step) in steps) step.isSelected = each == strength
        exact.findViewWithTag<RadioButton>(strength)?.let { it.isChecked = true } ?: exact.clearCheck()
        view.findViewById<TextView>(R.id.terms_strength).say(words.strength(strength))
    }

    private fun showKomi() {
        val komis = komisOf(opened, choices)
        view.findViewById<View>(R.id.terms_komi_part).showIf(komis.isNotEmpty())
        if (komis.isEmpty()) return
        val komi = choices.komi ?: opened.komi
        view.findViewById<Spinner>(R.id.terms_komi).offer(komis, words::number, komi) {
            choices = choices.copy(komi = it)
        }
    }

    private fun showRule() {
        val rules = rulesOf(opened.game)
        view.findViewById<Switch>(R.id.terms_rule).run {
            showIf(rules.isNotEmpty())
            if (rules.isEmpty()) return
            text = words.say("rule_" + rules[1], emptyList())
            isChecked = choices.rule == rules[1]
            setOnCheckedChangeListener { _, isOn -> choices = choices.copy(rule = rules[if (isOn) 1 else 0]) }
        }
    }
}
