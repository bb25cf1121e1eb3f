/** What is known of the position that a session shows, and of each position of its graph, as facts of a panel. */
package org.azx.app.play

import org.azx.app.engine.State
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.scoreWithout
import org.azx.app.engine.records.Ending
import org.azx.app.engine.review.Ended
import org.azx.app.engine.review.Lead
import org.azx.app.engine.review.Moment
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.PanelCandidate
import org.azx.app.engine.review.PanelFacts
import org.azx.app.engine.review.PanelUnit
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.PlayedMove
import org.azx.app.engine.review.Searched
import org.azx.app.engine.review.Source
import org.azx.app.engine.review.panelOf
import kotlin.math.max
import kotlin.math.sign

/** What searches have found of the shown position; null without a search. */
class Findings(val found: Analysis? = null, val thinking: Progress? = null, val lead: Lead? = null)

/** The facts of the position that the session shows. */
fun Session.facts(
    findings: Findings = Findings(),
    played: PlayedMove? = null,
    moment: Moment = Moment(Phase.OVER),
): PanelFacts {
    val (state, found) = visible to findings.found
    val seen = found?.seen ?: seen[ply]
    val (unit, scale) = currencyOf(state)
    return PanelFacts(
        side, state.toMove, unit, scale,
        end = endAt(state),
        known = found?.known ?: seen?.known,
        search = found?.searched() ?: thought(findings.thinking) ?: seen?.let { Searched(it.chance, null) },
        points = findings.lead,
        earlier = chanceShown,
        played = played,
        moment = moment,
    )
}

/** What a game is counted in, and the lead that fills a bar. */
private fun currencyOf(state: State): Pair<PanelUnit, Double> = when (state) {
    is DotsAndBoxes -> PanelUnit.BOXES to state.owners.size.toDouble()
    is Reversi -> PanelUnit.DISCS to state.cells.size.toDouble()
    is Go -> PanelUnit.POINTS to state.cells.size.toDouble()
    else -> PanelUnit.CHANCE to 1.0
}

/** The end of the game, if `state` is it. */
private fun Session.endAt(state: State): Ended? {
    if (state !== latest || phase != Phase.OVER) return null
    val isTold = ending != null && ending !is Ending.Agreed
    return Ended(if (side == 0) result else -result, if (isTold) null else leadAt(state))
}

/** Player 0's lead at the end; null in games that count nothing. */
private fun Session.leadAt(state: State): Double? = when (state) {
    is Go -> state.scoreWithout((ending as? Ending.Agreed)?.dead.orEmpty())
    else -> state.scores?.let { (one, two) -> (one - two).toDouble() }
}

private fun Analysis.searched() = Searched(
    seen?.chance, null,
    candidates.mapIndexed { at, each ->
        val loss = points?.get(each.action)?.let { max(0, -it).toDouble() }
        PanelCandidate(each.action, each.visits, each.winRate, lines[at], loss)
    },
)

/** What the network thinks while a person waits for it; null in games without a person. */
private fun Session.thought(thinking: Progress?): Searched? {
    val chance = thinking?.winRate
    if (chance == null || phase != Phase.THEIRS || !hasPerson || visible !== latest) return null
    return Searched(chance, if (thinking.proven) (2 * chance - 1).sign.toInt() else null)
}

/** A point of the graph: after how many moves, how much of the height is the side's, and in which unit. */
data class GraphPoint(val moves: Int, val share: Double, val unit: PanelUnit)

/**
 * The graph of the session, with the figure of the shown position from its panel. Chances and counts have no scale in
 * common: the graph has the points of the kind that most positions have.
 */
fun Session.graph(shown: Panel): List<GraphPoint> {
    val points = curve().toMap().mapValues { (at, chance) ->
        val state = states[at]
        val (unit, scale) = currencyOf(state)
        val end = if (at == moves) endAt(state) else null
        panelOf(PanelFacts(side, state.toMove, unit, scale, end, seen[at]?.known, earlier = chance))
    }
    val now = if (shown.figure.let { it != null && it.source != Source.EARLIER }) mapOf(ply to shown) else emptyMap()
    val all = (points + now).toSortedMap().mapNotNull { (at, panel) ->
        panel.figure?.let { GraphPoint(at, panel.share ?: 0.5, it.unit) }
    }
    val counted = all.filter { it.unit != PanelUnit.CHANCE }
    val unit = if (2 * counted.size < all.size) PanelUnit.CHANCE else counted.firstOrNull()?.unit
    return all.filter { it.unit == unit }
}

/** The chance of each candidate for the panel's side; null if the figure is no chance. */
fun Panel.ratesOf(found: Analysis?): Map<Int, Double>? {
    val isTold = found?.seen != null && figure?.unit == PanelUnit.CHANCE
    return if (isTold) options.associate { it.action to (it.value ?: 0.0) } else null
}
