/** Hints: what the network thinks of a position. The game goes on without one, and a person can ask again. */
package org.azx.app.play.table

import org.azx.app.engine.State
import org.azx.app.engine.review.Known
import org.azx.app.engine.review.PanelUnit
import org.azx.app.play.Advice
import org.azx.app.play.Analysis
import org.azx.app.play.Asked
import org.azx.app.play.Notice
import org.azx.app.play.analyse
import org.azx.app.play.failureOf
import org.azx.app.play.provenChance

/** Hints need a network with a policy: without one all moves are alike. Live analysis shows the same already. */
val Table.canHint: Boolean get() = (canPlay || canTry) && opened.hasPolicy && !isLive

/** Whether a hint is under way. */
val Table.isHinting: Boolean get() = hinted != null && isHintWanted

/** Show what a search of the shown position considers, on the board and in a list. */
fun Table.hint() {
    if (!canHint) return
    isHintWanted = true
    val (state, actions) = displayed.visible to displayed.actions.take(displayed.ply)
    val (chosen, count) = settings to simulations
    val look = { asked: Asked ->
        val found = opened.thinker.analyse(chosen, actions, count, asked)
        if (asked.isOver) found else found.measure(state)
    }
    ask(state, look) { showCandidates(it, state) }
    // That it is under way is seen at once.
    show()
}

/** End the hint that is under way: what it has found by then is shown. */
fun Table.stopHint() {
    hinted?.isOver = true
}

/** Colour the board by the network's policy. */
internal fun Table.warmUp() {
    if (!canPlay || !opened.hasPolicy) return
    val (state, chosen, actions) = Triple(session.latest, settings, session.actions)
    isHintWanted = false
    ask(state, { opened.thinker.advise(chosen, actions) }, ::showPolicy)
}

/** Ask about `state`. The answer is dropped if another position is shown by then. */
private fun <Answer> Table.ask(state: State, work: (Asked) -> Answer, answer: (Answer) -> Unit) {
    hinted?.isOver = true
    val asked = Asked().also { hinted = it }
    worker.ask({ work(asked) }) { found ->
        if (hinted !== asked) return@ask
        hinted = null
        if (displayed.visible === state) found.fold(answer, ::failHint) else show()
    }
}

private fun Table.failHint(error: Throwable) {
    notice = Notice.NoHint(failureOf(error))
    show()
}

private fun Table.showCandidates(analysis: Analysis, state: State) {
    val best = analysis.candidates.firstOrNull()
    // A search that was ended at once has found nothing.
    if (best == null) return show()
    found = analysis
    settle(state, analysis.known)
    val panel = panel
    // A network without a value finds no chance: the figure may be an earlier position's.
    val isTold = displayed.hasPerson && analysis.seen != null
    val rate = panel.figure?.takeIf { isTold && it.unit == PanelUnit.CHANCE }?.value
    val isLost = panel.equal.isEmpty() && panel.options.size > 1
    advise(Notice.Hint(best.action, analysis.shares.getValue(best.action), rate, panel.equal, isLost), analysis.shares)
}

/** The graph has the proven chance of the last position, whatever a search said there. */
private fun Table.settle(state: State, known: Known) {
    if (session.latest === state) session = session.rate(known.provenChance)
}

private fun Table.showPolicy(advice: Advice) {
    // The network may prefer a move that is proven to lose something.
    val best = advice.policy.filterKeys { it in advice.known.left }.maxByOrNull { it.value } ?: return
    found = null
    settle(session.latest, advice.known)
    advise(Notice.Hint(best.key, best.value, advice.winRate), advice.policy)
}

private fun Table.advise(hint: Notice.Hint, shares: Map<Int, Double>) {
    heat = shares
    estimated = null
    // What the rules did is more than what the network would do.
    if (notice !is Notice.ForcedPass) notice = hint
    show()
}

/** Forget what was said of the position that was shown. */
internal fun Table.forgetHint() {
    heat = null
    found = null
    estimated = null
    if (notice?.isOfOnePosition == true) notice = null
}
