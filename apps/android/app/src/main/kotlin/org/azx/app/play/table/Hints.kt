/**
 * What the network thinks of a position, for a person who asks. A hint is a help: without one the game goes on, and it
 * can be asked for again.
 */
package org.azx.app.play.table

import org.azx.app.engine.State
import org.azx.app.engine.review.Known
import org.azx.app.play.Advice
import org.azx.app.play.Analysis
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.analyse
import org.azx.app.play.failureOf
import org.azx.app.play.provenChance

/**
 * Hints are offered where the network has a policy to search by: without one all moves are alike. What is looked at
 * needs none.
 */
val Table.canHint: Boolean get() = (canPlay || canTry) && opened.hasPolicy && !isLive

/** Show what a search of the position that is shown considers, on the board and in a list. */
fun Table.hint() {
    if (!canHint) return
    val (state, actions) = displayed.visible to displayed.actions.take(displayed.ply)
    val (chosen, count) = settings to simulations
    val look = { asked: Asked ->
        val found = opened.thinker.analyse(chosen, actions, count, asked)
        if (asked.isOver) found else found.measure(state)
    }
    ask(state, look) { showCandidates(it, state) }
}

/** Colour the board by the network's policy. */
internal fun Table.warmUp() {
    if (!canPlay || !opened.hasPolicy) return
    val (state, chosen, actions) = Triple(session.latest, settings, session.actions)
    ask(state, { opened.thinker.advise(chosen, actions) }, ::showPolicy)
}

/** Ask about `state`; the answer is of no use any more where another position is shown. */
private fun <Answer> Table.ask(state: State, work: (Asked) -> Answer, answer: (Answer) -> Unit) {
    hinted?.isOver = true
    val asked = Asked().also { hinted = it }
    worker.ask({ work(asked) }) { found ->
        if (hinted !== asked) return@ask
        hinted = null
        if (displayed.visible === state) found.fold(answer, ::failHint)
    }
}

private fun Table.failHint(error: Throwable) {
    notice = Notice.NoHint(failureOf(error))
    show()
}

private fun Table.showCandidates(analysis: Analysis, state: State) {
    val best = analysis.candidates.firstOrNull() ?: return
    val isOwn = state.toMove == displayed.side
    val rate = analysis.rates?.get(best.action).takeIf { displayed.hasPerson }
    found = analysis
    settle(state, analysis.known)
    advise(best.action, analysis.shares, rate?.let { if (isOwn) it else 1 - it })
}

/** What is proven of the last position is its chance in the graph too, whatever a search has said there. */
private fun Table.settle(state: State, known: Known) {
    if (session.latest === state) session = session.rate(known.provenChance)
}

private fun Table.showPolicy(advice: Advice) {
    // The network may like what is proven to lose something.
    val best = advice.policy.filterKeys { it in advice.known.left }.maxByOrNull { it.value } ?: return
    found = null
    settle(session.latest, advice.known)
    advise(best.key, advice.policy, advice.winRate)
}

private fun Table.advise(action: Int, shares: Map<Int, Double>, winRate: Double?) {
    heat = shares
    estimated = null
    // What the rules did is more than what the network would do.
    if (notice !is Notice.ForcedPass) notice = Notice.Hint(action, shares[action] ?: 0.0, winRate)
    show()
}

/** Nothing that was said of one position is said of another. */
internal fun Table.forgetHint() {
    heat = null
    found = null
    estimated = null
    if (notice?.isOfOnePosition == true) notice = null
}
