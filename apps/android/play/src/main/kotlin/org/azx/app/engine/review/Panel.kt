/**
 * One value for the shown position, from which the app draws its bars, graph, marks, headline and buttons.
 *
 * `panelOf` is a function of what is known (`PanelFacts`) and nothing else. The end of the game beats a proof, a proof
 * beats a table or a solver, those beat a search, and a search beats the network. So no two figures of one screen
 * contradict each other. All figures are those of one named side.
 *
 * Two moves are equal by proof, or if their figures cannot be told apart. For that each was searched at least `least_share`
 * as often as the best one, and they differ by at most `errors` standard errors of their difference. Rounding never makes
 * two equal. The numbers are in games/data/thresholds.json. `azx.games.review.panel` is the definition, panel.json the
 * test.
 */
package org.azx.app.engine.review

import org.azx.app.engine.Player
import org.azx.app.engine.THRESHOLDS
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import kotlin.math.abs
import kotlin.math.hypot
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sign
import kotlin.math.sqrt

private val EQUAL = membersOf(THRESHOLDS["equal"])
private val LEAST_SHARE = EQUAL.number("least_share")
private val ERRORS = EQUAL.number("errors")

/** The source of a figure, the strongest first. */
enum class Source { END, RULES, SOLVED, SEARCH, NETWORK, EARLIER }

/** The next sensible act; each screen shows one as its primary button. */
enum class Act {
    PLAY,
    WAIT,
    STOP,
    PAUSE,
    RESUME,
    ASK_AGAIN,
    AGREE,
    ANALYSE,
    NEXT_MISTAKE,
    TRY_AGAIN,
    TO_GAME,
    PLAY_ON,
    REVIEW,
    REMATCH,
}

/** What the sentence is about: trying, the marked move, the end, a proof, a figure, or nothing that is known. */
enum class Headline { TRYING, VERDICT, OVER, WON, DRAWN, LOST, FIGURE, UNKNOWN }

/** A figure for `side` in `unit`, with its spread (0 if proven) and its source. */
class Figure(val side: Player, val unit: PanelUnit, val value: Double, val spread: Double, val source: Source)

/** The proven result for the figure's side, and the plies to the end if known. */
class Proven(val result: Int, val distance: Int?, internal val source: Source)

/** A move on the board: its figure for the side, its loss in the game's unit, its share of the visits. */
class Option(val action: Int, val value: Double?, val loss: Double?, val share: Double, val isEqual: Boolean)

/**
 * What a screen says of the shown position. `share` is how much of the bar belongs to the side, null if unknown. `played`
 * is the marked move; good moves have no mark, and `better` may hold a better one. `equal` are the equally good moves.
 */
class Panel(
    val figure: Figure?,
    val share: Double?,
    val proven: Proven?,
    val played: PlayedMove?,
    val equal: List<Int>,
    val options: List<Option>,
    val headline: Headline,
    val act: Act,
) {
    val better: Int? get() = played?.better

    /** The side's chance of winning, 0 to 1, as it is proven or estimated; null if only a lead is estimated. */
    val chance: Double?
        get() = proven?.let { (1 + it.result) / 2.0 } ?: figure?.takeIf { it.unit == PanelUnit.CHANCE }?.value
}

/** The panel of a shown position. */
fun panelOf(facts: PanelFacts): Panel {
    val proven = facts.proven()
    val figure = facts.figure(proven)
    val equal = facts.equal()
    val marked = facts.played?.takeIf { it.verdict != Verdict.GOOD }
    val headline = when {
        facts.moment.isTrying -> Headline.TRYING
        marked != null -> Headline.VERDICT
        facts.end != null -> Headline.OVER
        proven == null -> if (figure == null) Headline.UNKNOWN else Headline.FIGURE
        proven.result == 0 -> Headline.DRAWN
        else -> if (proven.result > 0) Headline.WON else Headline.LOST
    }
    return Panel(
        figure, figure?.let(facts::share), proven, marked, equal, facts.options(figure, equal), headline,
        facts.moment.act(marked, facts.end != null),
    )
}

private val PanelFacts.turn get() = if (mover == side) 1 else -1

/** A number of player 0, for `side`. */
private fun PanelFacts.ofSide(number: Double): Double = if (side == 0) number else 0 - number

/** The mover's chance for the side, or the side's for the mover. */
private fun PanelFacts.turned(chance: Double): Double = if (mover == side) chance else 1 - chance

/** The strongest proof, for the named side. */
private fun PanelFacts.proven(): Proven? {
    val ofRules = known?.result
    return when {
        end != null -> Proven(ofSide(end.result.toDouble()).toInt(), 0, Source.END)
        ofRules != null -> Proven(ofRules * turn, if (ofRules == 1) 1 else 2, Source.RULES)
        known?.margin != null -> Proven(known.margin.sign * turn, distance, Source.SOLVED)
        search?.proven != null -> Proven(search.proven * turn, distance, Source.RULES)
        else -> known?.outcome?.let { Proven(it * turn, distance, Source.SOLVED) }
    }
}

private fun PanelFacts.figure(proven: Proven?): Figure? {
    if (proven != null) {
        val lead = if (end != null) end.lead?.let(::ofSide) else known?.margin?.let { (it * turn).toDouble() }
        // A game that was given up, or whose result a record tells, may be lost with a lead.
        val isCounted = lead != null && unit != PanelUnit.CHANCE && lead.sign.toInt() == proven.result
        if (isCounted) return Figure(side, unit, lead!!, 0.0, proven.source)
        return Figure(side, PanelUnit.CHANCE, (1 + proven.result) / 2.0, 0.0, proven.source)
    }
    if (points != null && unit != PanelUnit.CHANCE) {
        return Figure(side, PanelUnit.POINTS, ofSide(points.mean), points.spread, Source.SEARCH)
    }
    val searched = search?.chance
    return when {
        searched != null -> chance(turned(searched), search?.candidates?.firstOrNull()?.visits ?: 0, Source.SEARCH)
        network != null -> chance(turned(network), 0, Source.NETWORK)
        else -> earlier?.let { chance(it, 0, Source.EARLIER) }
    }
}

private fun PanelFacts.chance(value: Double, visits: Int, source: Source) =
    Figure(side, PanelUnit.CHANCE, value, standardError(value, visits), source)

/** The standard error of a chance after a number of visits, with one win and one loss added. */
internal fun standardError(chance: Double, visits: Int): Double {
    val count = visits + 2
    val smooth = (chance * visits + 1) / count
    return sqrt(smooth * (1 - smooth) / count)
}

private fun PanelFacts.share(figure: Figure): Double {
    val share = if (figure.unit == PanelUnit.CHANCE) figure.value else 0.5 + figure.value / (2 * scale)
    return share.coerceIn(0.0, 1.0)
}

/** The candidates in figures of the named side. */
private fun PanelFacts.options(figure: Figure?, equal: List<Int>): List<Option> {
    val candidates = search?.candidates.orEmpty().takeIf { end == null } ?: return emptyList()
    val total = max(1, candidates.sumOf { it.visits }).toDouble()
    return candidates.map {
        Option(it.action, figure?.run { value(this, it) }, it.loss, it.visits / total, it.action in equal)
    }
}

/** The proven result for the mover; the moves `left` keep it. */
private val PanelFacts.kept: Int? get() = known?.run { result ?: margin?.sign ?: outcome }

/** The moves that are equally good. */
private fun PanelFacts.equal(): List<Int> {
    if (end != null) return emptyList()
    val (kept, candidates) = kept to search?.candidates.orEmpty()
    // Of a lost position nothing says which move holds out longest, unless it is counted.
    if (kept != null) return known?.run { left.takeIf { kept >= 0 || margin != null } }.orEmpty()
    return candidates.filter { isEqual(it, candidates[0]) }.map { it.action }
}

private fun PanelFacts.isEqual(one: PanelCandidate, first: PanelCandidate): Boolean = when {
    one.action == first.action -> true
    (one.loss ?: 0.0) > (first.loss ?: 0.0) -> false
    search?.chance == null -> one.visits == first.visits
    one.visits < LEAST_SHARE * first.visits -> false
    else -> abs(one.winRate - first.winRate) <= ERRORS * hypot(one.error, first.error)
}

private val PanelCandidate.error get() = standardError(winRate, visits)

/** The figure of a move for the named side; no move is worth more to the mover than the position. */
private fun PanelFacts.value(figure: Figure, each: PanelCandidate): Double? {
    if (figure.unit != PanelUnit.CHANCE) return each.loss?.let { figure.value - turn * it }
    val best = turned(figure.value)
    val isProven = kept != null
    if (isProven && each.action in known!!.left) return figure.value
    // What gives a draw away is lost, what gives a win away is a draw at most; a win at once may be made up for later.
    val most = if (!isProven || known?.result != null) best else max(0.0, best - 0.5)
    return turned(min(each.winRate, most))
}

private fun Moment.act(marked: PlayedMove?, isEnd: Boolean): Act = when {
    isBusy -> Act.STOP
    isReplay -> actInReplay(marked, isEnd)
    else -> actInPlay()
}

private fun Moment.actInPlay(): Act = when {
    phase == Phase.SCORING -> Act.AGREE
    phase == Phase.OVER -> if (canReview) Act.REVIEW else Act.REMATCH
    phase == Phase.READ -> Act.REVIEW
    isWatched -> if (isPaused) Act.RESUME else Act.PAUSE
    phase == Phase.YOURS -> Act.PLAY
    isStuck -> Act.ASK_AGAIN
    else -> if (hasNetwork) Act.STOP else Act.WAIT
}

private fun Moment.actInReplay(marked: PlayedMove?, isEnd: Boolean): Act = when {
    isTrying -> Act.TO_GAME
    marked?.better != null && marked.verdict.isMistake -> Act.TRY_AGAIN
    hasMistakes -> Act.NEXT_MISTAKE
    canReview && !isReviewed -> Act.ANALYSE
    else -> if (isEnd) Act.REMATCH else Act.PLAY_ON
}
