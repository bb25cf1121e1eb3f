package org.azx.app.screens.play

import android.view.View
import android.widget.Spinner
import android.widget.Switch
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Phase
import org.azx.app.network.Runs
import org.azx.app.play.Begins
import org.azx.app.play.Progress
import org.azx.app.play.graph
import org.azx.app.play.table.displayed
import org.azx.app.play.table.lookAt
import org.azx.app.play.table.panelOfGame
import org.azx.app.screens.chances
import org.azx.app.screens.levels
import org.azx.app.screens.offer
import org.azx.app.screens.say
import org.azx.app.screens.showIf
import kotlin.math.roundToInt

/** What stands beside the board: the network's thought, the graph and the evaluation bar, and the choices. */
class Beside(seat: Seat) : Part(seat) {
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

    override fun show(panel: Panel) {
        showThought(panel)
        showGraph()
        val side = table.displayed.side
        val (near, far) = listOf(side, 1 - side).map { activity.getColor(presentation.colours[it]) }
        evaluation.show(near, far, panel.share)
        showChoices()
        find<TextView>(R.id.about).say(words.parameters(opened.bundle.manifest.checkpoint.parameters))
        showRuns(opened.network.runs)
    }

    /** What runs the network, once it is open. */
    private fun showRuns(runs: Runs?) {
        find<View>(R.id.runs_on_part).showIf(runs != null)
        if (runs != null) find<TextView>(R.id.runs_on).say(words.runs(runs))
    }

    private fun showThought(panel: Panel) {
        val unknown = words.say(R.string.unknown)
        // What was thought of one position is not said beside another.
        val found = table.progress.takeIf { table.displayed.visible === table.session.latest }
        find<TextView>(R.id.simulations).say(found?.let { words.number(it.simulations) } ?: unknown)
        find<TextView>(R.id.depth).say(found?.let { words.number(it.depth) } ?: unknown)
        find<TextView>(R.id.rate).say(rateOf(panel, found)?.let(words::percent) ?: unknown)
    }

    /**
     * The network's win rate. Against a person it is 100 % less the person's, in whole percents. A network that plays itself
     * has its own estimate, while the game goes on.
     */
    private fun rateOf(panel: Panel, found: Progress?): Double? {
        val session = table.session
        if (session.hasPerson) return panel.chance?.let { 1 - (100 * it).roundToInt() / 100.0 }
        return found?.winRate.takeIf { session.phase != Phase.OVER }
    }

    /** The graph is the game's, and so are its words while a line is tried out. */
    private fun showGraph() {
        val (session, panel) = table.session to table.panelOfGame
        val mistakes = session.judged.withIndex().filter { it.value.verdict.isMistake }
        val verdicts = mistakes.associate { it.index + 1 to it.value.verdict }
        val points = session.graph(panel).map { it.copy(moves = it.moves - session.setUp) }
        val levels = words.levels(points.firstOrNull()?.unit, session)
        graph.show(Curve(points, session.played, session.ply - session.setUp, verdicts, levels))
        graph.contentDescription = words.chances(session, panel, presentation)
        find<TextView>(R.id.graph_title).say(graph.contentDescription.toString())
    }

    private fun showChoices() {
        val choices = table.choices
        select(strength, opened.strengths.indexOf(choices.strength))
        select(begins, choices.begins.ordinal)
        heat.isChecked = choices.alwaysHeat
    }

    /** A spinner that is set anew reports it again, which may come after a person's own choice. */
    private fun select(spinner: Spinner, at: Int) {
        if (spinner.selectedItemPosition != at) spinner.setSelection(at)
    }
}
