package org.azx.app.screens.play

import android.view.View
import android.widget.Spinner
import android.widget.Switch
import android.widget.TextView
import org.azx.app.R
import org.azx.app.network.Runs
import org.azx.app.play.Begins
import org.azx.app.play.Phase
import org.azx.app.play.Progress
import org.azx.app.play.Session
import org.azx.app.play.table.displayed
import org.azx.app.play.table.lookAt
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf

/** The panel beside the board: what the network has found, the chances, and the choices. */
class Panel(seat: Seat) : Part(seat) {
    private val opened = seat.opened
    private val strength = find<Spinner>(R.id.strength)
    private val begins = find<Spinner>(R.id.begins)
    private val heat = find<Switch>(R.id.always_heat)
    private val graph = find<WinRateGraph>(R.id.graph)
    private val evaluation = find<EvaluationBar>(R.id.evaluation)

    init {
        strength.offer(opened.strengths, words::strength) { table.choose(table.choices.copy(strength = it)) }
        begins.offer(Begins.entries, { words.choice("begins_", it) }) { table.choose(table.choices.copy(begins = it)) }
        showChoices()
        heat.showIf(opened.hasPolicy)
        heat.setOnCheckedChangeListener { _, isOn -> table.choose(table.choices.copy(alwaysHeat = isOn)) }
        graph.onPoint = { table.lookAt(table.session.setUp + it) }
        evaluation.showIf(opened.network.hasValue)
    }

    override fun show() {
        val session = table.session
        showThought()
        showChances(session)
        showEvaluation(session)
        showChoices()
        find<TextView>(R.id.about).say(words.parameters(opened.bundle.manifest.checkpoint.parameters))
        showRuns(opened.network.runs)
    }

    /** What runs the network, once it is open. */
    private fun showRuns(runs: Runs?) {
        find<View>(R.id.runs_on_part).showIf(runs != null)
        if (runs != null) find<TextView>(R.id.runs_on).say(words.runs(runs))
    }

    private fun showThought() {
        val unknown = words.say(R.string.unknown)
        // What was thought of one position is not said beside another.
        val found = table.progress.takeIf { table.displayed.visible === table.session.latest }
        find<TextView>(R.id.simulations).say(found?.let { words.number(it.simulations) } ?: unknown)
        find<TextView>(R.id.depth).say(found?.let { words.number(it.depth) } ?: unknown)
        find<TextView>(R.id.rate).say(rateOf(found)?.let(words::percent) ?: unknown)
    }

    /** AI's win rate: the result once the game is over. */
    private fun rateOf(found: Progress?): Double? {
        val session = table.session
        if (found == null || session.phase != Phase.OVER) return found?.winRate
        return if (session.hasPerson) (1 - session.result) / 2.0 else null
    }

    private fun showChances(session: Session) {
        val curve = session.curve().map { (moves, rate) -> moves - session.setUp to rate }
        val mistakes = session.judged.withIndex().filter { it.value.verdict.isMistake }
        val verdicts = mistakes.associate { it.index + 1 to it.value.verdict }
        graph.show(Curve(curve, session.played, session.ply - session.setUp, verdicts))
        val now = session.chanceShown?.let(words::percent)
        graph.contentDescription = if (session.hasPerson) chances(now) else chancesOf(session, now)
        find<TextView>(R.id.graph_title).say(
            if (session.hasPerson) words.say(R.string.chances) else words.say(R.string.chances_of, sideOf(session)),
        )
    }

    private fun showEvaluation(session: Session) {
        val side = session.side
        val isNear = table.displayed.visible.toMove == side
        val found = table.found?.chance?.let { if (isNear) it else 1 - it }
        val (near, far) = listOf(side, 1 - side).map { activity.getColor(presentation.colours[it]) }
        evaluation.show(near, far, found ?: session.chanceShown)
    }

    private fun sideOf(session: Session): String = words.player(session, session.side, presentation)

    private fun chances(now: String?): String =
        if (now == null) words.say(R.string.chances_unknown) else words.say(R.string.chances_now, now)

    private fun chancesOf(session: Session, now: String?): String = when (now) {
        null -> words.say(R.string.chances_of_unknown, sideOf(session))
        else -> words.say(R.string.chances_of_now, sideOf(session), now)
    }

    private fun showChoices() {
        val choices = table.choices
        select(strength, opened.strengths.indexOf(choices.strength))
        select(begins, choices.begins.ordinal)
        heat.isChecked = choices.alwaysHeat
    }

    /** A selection that is made anew is told again, which may come after a person's own. */
    private fun select(spinner: Spinner, at: Int) {
        if (spinner.selectedItemPosition != at) spinner.setSelection(at)
    }
}
