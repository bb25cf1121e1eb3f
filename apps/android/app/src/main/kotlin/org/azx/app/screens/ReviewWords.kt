/** What is said of a game that is looked at again. */
package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.review.Judged
import org.azx.app.engine.review.MarginUnit
import org.azx.app.engine.review.Verdict
import org.azx.app.engine.review.accuracy
import org.azx.app.engine.review.counts
import org.azx.app.play.Analysis
import org.azx.app.play.Session
import org.azx.app.play.table.Retry
import org.azx.app.play.table.Said
import org.azx.app.screens.boards.signed

/**
 * "Column 4: blunder, 45 % lost. Better: column 3.", or the reason in place of the loss, or boxes or discs, where proven; empty
 * where the move that is shown was not judged.
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

/** What is said of a mistake that is tried again, in the position before it. */
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
    val text = if (judged.unit == MarginUnit.DISCS) R.plurals.loses_discs else R.plurals.loses_boxes
    return if (margin == null || margin == 0) null else count(text, margin)
}

/** A name at the beginning of a sentence. */
fun String.capital(): String = replaceFirstChar(Char::uppercaseChar)

/** How far a review is, or that it has found no mistake; empty where there is nothing to say. */
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
 * The rows of a review: whose the figures are, then one for each verdict that is none to be proud of, and one for the
 * accuracy; the person first, or who began. None where no move was judged.
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
 * The rows of a hint: what each column is, then one for each move that the search considers, in `state`, with how it
 * goes on from there in a line below it.
 */
fun Words.candidateRows(found: Analysis, state: State): List<List<String>> {
    val (shares, worths) = found.shares to worthsOf(found)
    val worth = if (found.points == null) R.string.candidate_rate else countedIn(state)
    val heads = listOfNotNull(R.string.candidate_move, R.string.candidate_visits, worth.takeIf { worths != null })
    return listOf(heads.map { say(it) }) + found.candidates.zip(found.lines) { each, line ->
        val visits = "${number(each.visits)} (${percent(shares.getValue(each.action))})"
        listOfNotNull(named(each.action, line, state), visits, worths?.get(each.action))
    }
}

/** What the discs on the board say: points against the best where they are known, else chances; null without a value. */
private fun Words.worthsOf(found: Analysis): Map<Int, String>? =
    found.points?.mapValues { signed(it.value) } ?: found.rates?.mapValues { percent(it.value) }

/** What points of a position are points of, over the figures. */
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
