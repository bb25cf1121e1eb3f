/** What the screen says of a reviewed game, and of figures. */
package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.review.Figure
import org.azx.app.engine.review.Judged
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.PanelUnit
import org.azx.app.engine.review.Source
import org.azx.app.engine.review.Verdict
import org.azx.app.engine.review.accuracy
import org.azx.app.engine.review.counts
import org.azx.app.play.Analysis
import org.azx.app.play.Session
import org.azx.app.play.facts
import org.azx.app.play.ratesOf
import org.azx.app.play.table.Retry
import org.azx.app.play.table.Said
import org.azx.app.screens.boards.signed
import kotlin.math.abs
import kotlin.math.round

/**
 * "Column 4: blunder, 45 % lost. Better: column 3.". A proven reason, boxes or discs stand in place of the loss. Empty if
 * the shown move was not judged.
 */
fun Words.verdict(session: Session): String {
    val judged = session.judgedMove ?: return ""
    val before = session.states[session.ply - 1]
    val (name, called) = move(judged.action, before).capital() to choice("verdict_", judged.verdict)
    val better = judged.better ?: return say(R.string.verdict_move, name, called)
    val why = because(judged, before)
        ?: return say(R.string.verdict_better, name, called, percent(judged.loss), move(better, before))
    return say(R.string.verdict_reason, name, called, why, move(better, before))
}

/** The words of the graph: chances now, a lead, or the result that is proven. */
fun Words.chances(session: Session, panel: Panel, presentation: Presentation): String {
    val figure = panel.figure
    val name = if (session.hasPerson) say(R.string.you) else nameOf(session, session.side, presentation)
    return when {
        figure == null ->
            if (session.hasPerson) say(R.string.chances_unknown) else say(R.string.chances_of_unknown, name)
        figure.unit != PanelUnit.CHANCE -> lead(figure, name)
        figure.source == Source.SOLVED -> say(SOLVED[(panel.proven?.result ?: 0) + 1], name)
        session.hasPerson -> say(R.string.chances_now, percent(figure.value))
        else -> say(R.string.chances_of_now, name, percent(figure.value))
    }
}

private val SOLVED = listOf(R.string.solved_lost, R.string.solved_drawn, R.string.solved_won)

/** "You: ahead by 3 boxes". */
private fun Words.lead(figure: Figure, name: String): String {
    val lead = abs(figure.value)
    val amount = when (figure.unit) {
        PanelUnit.BOXES -> count(R.plurals.boxes_count, lead.toInt())
        PanelUnit.DISCS -> count(R.plurals.discs_count, lead.toInt())
        else -> say(R.string.points_count, number(round(2 * lead) / 2))
    }
    val about = if (figure.spread > 0) "$amount ± ${number(round(figure.spread))}" else amount
    if (figure.value == 0.0) return say(R.string.lead_even, name)
    return say(if (figure.value > 0) R.string.lead_ahead else R.string.lead_behind, name, about)
}

/** The words at the axis of the graph: the best, the middle and the worst that it can show. */
fun Words.levels(unit: PanelUnit?, session: Session): List<String> {
    if (unit == null || unit == PanelUnit.CHANCE) return listOf(1.0, 0.5, 0.0).map(::percent)
    return session.facts().scale.toInt().let { listOf(it, 0, -it) }.map(::signed)
}

/** The sentence about a mistake that is tried again, in the position before it. */
fun Words.trial(retry: Retry, before: State): String {
    val mistake = retry.mistake
    val name = { action: Int -> move(action, before) }
    return when (val said = retry.said) {
        is Said.Ask -> say(R.string.retry_ask, name(mistake.action))
        is Said.Same -> say(R.string.retry_same, name(mistake.action).capital())
        is Said.Wait -> say(R.string.retry_wait, name(said.action))
        is Said.Found -> found(said.judged, mistake, before)
    }
}

private fun Words.found(judged: Judged, mistake: Judged, before: State): String {
    val (name, better) = move(judged.action, before).capital() to mistake.better
    if (judged.verdict == Verdict.GOOD) {
        if (better == null || judged.action == better) return say(R.string.retry_best, name)
        return say(R.string.retry_good, name, move(better, before))
    }
    val why = because(judged, before) ?: return say(R.string.retry_loses, name, percent(judged.loss))
    return say(R.string.retry_because, name, why)
}

private fun Words.because(judged: Judged, before: State): String? {
    val (reason, margin) = judged.reason to judged.margin
    if (reason != null) {
        return say("because_" + reason.code.name.lowercase(), listOf(move(reason.action, before)))
    }
    val text = if (judged.unit == PanelUnit.DISCS) R.plurals.loses_discs else R.plurals.loses_boxes
    return if (margin == null || margin == 0) null else count(text, margin)
}

/** A name at the beginning of a sentence. */
fun String.capital(): String = replaceFirstChar(Char::uppercaseChar)

/** How far a review is, or that it has found no mistake; else empty. */
fun Words.reviewStatus(session: Session): String {
    val moves = session.judged
    return when {
        session.isSeen && moves.isEmpty() -> ""
        session.isSeen -> if (session.nextMistake() == null) say(R.string.no_mistakes) else ""
        session.seenSoFar == 0 -> ""
        else -> say(R.string.analysed_of, session.seenSoFar, session.positions)
    }
}

/**
 * The rows of a review: the players, then one row for each bad verdict, and one for the accuracy. The person stands first,
 * or the player who began. Empty if no move was judged.
 */
fun Words.judgement(session: Session, presentation: Presentation): List<List<String>> {
    val moves = session.judged.ifEmpty { return emptyList() }
    val players = listOf(session.side, 1 - session.side)
    val own = listOf(R.string.you, R.string.ai).map { say(it) }
    val sides = if (session.hasPerson) own else players.map { player(session, it, presentation) }
    val told = mapOf(
        Verdict.INACCURACY to R.string.inaccuracies,
        Verdict.MISTAKE to R.string.mistakes,
        Verdict.BLUNDER to R.string.blunders,
    )
    val found = players.map { counts(moves, it) }
    val rates = players.map { accuracy(moves, it)?.let { rate -> percent(rate / 100) } ?: say(R.string.unknown) }
    val rows = told.map { (verdict, name) -> listOf(say(name)) + found.map { number(it.getValue(verdict)) } }
    return listOf(listOf("") + sides) + rows + listOf(listOf(say(R.string.accuracy)) + rates)
}

/**
 * The rows of a hint: the names of the columns, then each move that the search considers in `state`, with the moves that
 * follow it in a line below. The last column says what the discs on the board say.
 */
fun Words.candidateRows(found: Analysis, state: State, panel: Panel): List<List<String>> {
    val (shares, worths) = found.shares to worthsOf(found, panel)
    val worth = if (found.points == null) R.string.candidate_rate else countedIn(state)
    val heads = listOfNotNull(R.string.candidate_move, R.string.candidate_visits, worth.takeIf { worths != null })
    return listOf(heads.map { say(it) }) + found.candidates.zip(found.lines) { each, line ->
        val visits = "${number(each.visits)} (${percent(shares.getValue(each.action))})"
        listOfNotNull(named(each.action, line, state), visits, worths?.get(each.action))
    }
}

/** Points against the best if they are known, else chances; null without a value. */
private fun Words.worthsOf(found: Analysis, panel: Panel): Map<Int, String>? =
    found.points?.mapValues { signed(it.value) } ?: panel.ratesOf(found)?.mapValues { percent(it.value) }

/** The heading of figures that are points. */
private fun countedIn(state: State): Int = when (state) {
    is DotsAndBoxes -> R.string.candidate_boxes
    is Reversi -> R.string.candidate_discs
    else -> R.string.candidate_points
}

private fun Words.named(action: Int, line: List<Int>, state: State): String {
    val next = line.joinToString(say(R.string.board_comma)) { move(it, state) }
    val name = move(action, state).capital()
    return if (next.isEmpty()) name else name + "\n" + say(R.string.candidate_line, next)
}
