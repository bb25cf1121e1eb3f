package org.azx.app.screens.play

import android.app.Activity
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
import org.azx.app.play.Opened
import org.azx.app.play.Strength
import org.azx.app.play.komisOf
import org.azx.app.play.rulesOf
import org.azx.app.screens.Words
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf

// As many as are large enough for a thumb beside each other.
private const val STEPS_IN_A_ROW = 4

/** What is asked before a new game: how strong the network is, first of all, who begins, and by which settings. */
class Terms(private val activity: Activity, private val opened: Opened, now: Choices) {
    val view: View = activity.layoutInflater.inflate(R.layout.part_terms, null)

    /** What the person has chosen so far. */
    var chosen = now
        private set

    private val words = Words(activity.resources)
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
        view.findViewById<Spinner>(R.id.terms_begins).run {
            offer(Begins.entries, { words.choice("begins_", it) }) { chosen = chosen.copy(begins = it) }
            setSelection(now.begins.ordinal)
        }
        showKomi()
        showRule()
    }

    /** The levels in rows of steps, each of which is called by its number. */
    private fun addStep(strength: Strength) {
        val rows = view.findViewById<ViewGroup>(R.id.terms_levels)
        val row = rows.getChildAt(steps.size / STEPS_IN_A_ROW) as ViewGroup
        val step = activity.layoutInflater.inflate(R.layout.item_step, row, false) as Button
        step.text = words.number(steps.size + 1)
        step.contentDescription = words.strength(strength)
        step.setOnClickListener { choose(strength) }
        row.addView(step)
        steps[strength] = step
    }

    private fun addExact(strength: Strength) {
        val choice = activity.layoutInflater.inflate(R.layout.item_exact, exact, false) as RadioButton
        choice.id = View.generateViewId()
        choice.tag = strength
        choice.text = words.strength(strength)
        choice.setOnClickListener { choose(strength) }
        exact.addView(choice)
    }

    private fun showExact() {
        exact.showIf(true)
        openExact.showIf(false)
    }

    private fun choose(strength: Strength) {
        chosen = chosen.copy(strength = strength)
        for ((each, step) in steps) step.isSelected = each == strength
        exact.findViewWithTag<RadioButton>(strength)?.let { it.isChecked = true } ?: exact.clearCheck()
        view.findViewById<TextView>(R.id.terms_strength).say(words.strength(strength))
    }

    private fun showKomi() {
        val komis = komisOf(opened, chosen)
        view.findViewById<View>(R.id.terms_komi_part).showIf(komis.isNotEmpty())
        if (komis.isEmpty()) return
        view.findViewById<Spinner>(R.id.terms_komi).run {
            offer(komis, words::number) { chosen = chosen.copy(komi = it) }
            setSelection(komis.indexOf(chosen.komi ?: opened.komi))
        }
    }

    private fun showRule() {
        val rules = rulesOf(opened.game)
        view.findViewById<Switch>(R.id.terms_rule).run {
            showIf(rules.isNotEmpty())
            if (rules.isEmpty()) return
            text = words.say("rule_" + rules[1], emptyList())
            isChecked = chosen.rule == rules[1]
            setOnCheckedChangeListener { _, isOn -> chosen = chosen.copy(rule = rules[if (isOn) 1 else 0]) }
        }
    }
}
