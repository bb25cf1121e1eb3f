/**
 * How many playouts a second a search makes with the Connect4 network, against the bare evaluations of that network.
 *
 * Both in turn, for some rounds, so that a machine that is busy for a while is so for both; the medians are compared.
 * The bare evaluations are of the states that such a search asks for.
 */
package org.azx.host

import org.azx.app.bundle.reference
import org.azx.app.engine.Evaluator
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.network.TfLite
import java.util.Locale
import kotlin.system.exitProcess

private const val ROUNDS = 11
private const val SECONDS = 1.0
private const val SLICE_SECONDS = 0.05
private const val SIMULATIONS = 800

// What the search itself may cost beside the network.
private const val AT_LEAST = 0.85

fun main() {
    HostTfLite.load()
    val bundle = reference("connect4")
    val share = TfLite(bundle.model(), bundle.manifest, bundle.reading).use { network ->
        println("Connect4, ${network.runs}, $ROUNDS rounds of $SECONDS s each")
        measure(network, bundle.reading.start())
    }
    if (share < AT_LEAST) exitProcess(1)
}

private fun measure(network: Evaluator, start: State): Double {
    val states = positionsOf(network, start)
    val rounds = (-2 until ROUNDS).map { evaluations(network, states) to playouts(network, start) }.drop(2)
    val bare = median(rounds.map { it.first })
    val search = median(rounds.map { it.second })
    val share = median(rounds.map { it.second / it.first })
    val figures = String.format(Locale.ROOT, "%.0f evaluations/s, %.0f playouts/s", bare, search)
    val judged = String.format(Locale.ROOT, "%.3f of the evaluations, %.2f is asked for", share, AT_LEAST)
    println("$figures, $judged")
    return share
}

/** The states that a search evaluates. */
private fun positionsOf(network: Evaluator, start: State): List<State> {
    val states = ArrayList<State>()
    val listening = Evaluator { state ->
        states.add(state)
        network.evaluate(state)
    }
    Search(start, listening).run(SIMULATIONS)
    return states
}

private fun evaluations(network: Evaluator, states: List<State>): Double = perSecond { deadline ->
    var made = 0
    while (System.nanoTime() < deadline) network.evaluate(states[made++ % states.size])
    made
}

/** As in a game: a search of 800 simulations in slices, and the next one. */
private fun playouts(network: Evaluator, start: State): Double = perSecond { deadline ->
    var made = 0
    var search = Search(start, network)
    var left = SIMULATIONS
    while (System.nanoTime() < deadline) {
        val count = search.run(left, SLICE_SECONDS)
        made += count
        left -= count
        if (left > 0) continue
        search = Search(start, network)
        left = SIMULATIONS
    }
    made
}

private fun perSecond(work: (deadline: Long) -> Int): Double {
    val begin = System.nanoTime()
    val made = work(begin + (1e9 * SECONDS).toLong())
    return made * 1e9 / (System.nanoTime() - begin)
}

private fun median(numbers: List<Double>): Double = numbers.sorted()[numbers.size / 2]
