/** The self-test: golden.json's positions on this device, and how fast it is. */
package org.azx.app.play

import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Golden
import org.azx.app.bundle.Manifest
import org.azx.app.bundle.Role
import org.azx.app.engine.Evaluator
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.network.Network
import org.azx.app.network.Runs
import java.util.Locale
import kotlin.math.abs
import kotlin.math.max
import kotlin.math.roundToLong

/** An output may be this far from the reference, and two moves this near are equally good. */
const val TOLERANCE = 1e-4

/**
 * How the network's outputs compare with the recorded ones. Of the `withBest` positions with a best move, `sameBest` keep it.
 * float32 has `passed` by the tolerance, a lower precision by its own limits (`judge`).
 */
class Found(
    val positions: Int,
    val largestError: Double,
    val sameBest: Int,
    val withBest: Int,
    val passed: Boolean = positions > 0 && largestError <= TOLERANCE && sameBest == withBest,
)

/** Milliseconds per evaluation: half take at most `p50`, nine of ten at most `p90`. */
class Times(val p50: Double, val p90: Double, val perSecond: Double)

/** The result of a self-test on a `device`, where this `runs` the network; no playouts if it cannot be played. */
class Tested(
    val bundle: Bundle,
    val device: String,
    val found: Found,
    val times: Times,
    val playoutsPerSecond: Double?,
    val runs: Runs? = null,
) {
    val passed: Boolean get() = found.passed

    /** The result to be shared, in English. */
    fun text(): String {
        val checkpoint = bundle.manifest.checkpoint
        return listOf(
            "azx self-test: ${if (passed) "PASS" else "FAIL"}",
            "Bundle: ${bundle.entry.title} (${bundle.entry.name}, ${checkpoint.file} ${checkpoint.sha256.take(12)})",
            "Device: $device",
            "Runtime: ${runs ?: "unknown"}",
            "Positions: ${found.positions}",
            "Largest error: %.1e, ".say(found.largestError) + allowed(),
            if (found.withBest > 0) "Best move: ${found.sameBest} of ${found.withBest}" else "Best move: no policy",
            "One evaluation: p50 %.2f ms, p90 %.2f ms".say(times.p50, times.p90),
            "Evaluations a second: ${times.perSecond.roundToLong()}",
            "Playouts a second: ${playoutsPerSecond?.roundToLong() ?: "none, it cannot be played"}",
        ).joinToString("\n")
    }

    private fun allowed(): String = bundle.lower?.let {
        "allowed in %s: win rate %.1e, best moves kept %.1f %%"
            .say(it.precision, it.limits.valueMax, 100 * it.limits.bestMove)
    } ?: "allowed %.1e".say(TOLERANCE)
}

private fun String.say(vararg words: Any): String = String.format(Locale.ROOT, this, *words)

/** One run of the self-test, which blocks the thread that it is called on. */
class SelfTest(private val bundle: Bundle, private val network: Network) {
    @Volatile
    private var isCancelled = false

    /** Let `run` end soon and return null. From any thread. */
    fun cancel() {
        isCancelled = true
    }

    /**
     * Compare the outputs, then measure the network and the search for `seconds` each; null if it was cancelled.
     * BundleError if golden.json cannot be read.
     */
    fun run(device: String, seconds: Double = 1.0): Tested? {
        val golden = bundle.golden()
        val limits = bundle.lower?.limits
        val found = when (limits) {
            null -> compare(golden, bundle.manifest, { isCancelled }, network::outputs)
            else -> judge(golden, bundle.manifest, limits, { isCancelled }, network::outputs)
        }
        val states = bundle.readingOrNull?.let { line(it.start()) }
        val asked: List<() -> Unit> =
            states?.map { { network.evaluate(it) } } ?: golden.map { { network.outputs(it.inputs) } }
        if (isCancelled) return null
        val times = evaluations(asked, seconds) { isCancelled }
        if (isCancelled) return null
        val playouts = states?.let { playouts(network, it[0], seconds) { isCancelled } }
        return if (isCancelled) null else Tested(bundle, device, found, times, playouts, network.runs)
    }
}

/** Compare every position's outputs with the recorded ones; `outputs` are the network's. */
fun compare(
    golden: List<Golden>,
    manifest: Manifest,
    isCancelled: () -> Boolean = { false },
    outputs: (Map<String, FloatArray>) -> Map<String, FloatArray>,
): Found {
    val policy = manifest.outputWith(Role.POLICY)?.name
    return compareBest(golden, isCancelled, outputs) { position, found ->
        if (policy == null || position.best == null) null else isBest(found[policy], position, policy)
    }
}

/** Compare every position's outputs; `keepsBest` says whether the best move stays the best, null without one. */
internal fun compareBest(
    golden: List<Golden>,
    isCancelled: () -> Boolean,
    outputs: (Map<String, FloatArray>) -> Map<String, FloatArray>,
    keepsBest: (Golden, Map<String, FloatArray>) -> Boolean?,
): Found {
    var (largest, same, with) = Triple(0.0, 0, 0)
    for (position in golden) {
        if (isCancelled()) break
        val found = outputs(position.inputs)
        largest = max(largest, largestError(position, found))
        val isKept = keepsBest(position, found) ?: continue
        with++
        if (isKept) same++
    }
    return Found(golden.size, largest, same, with)
}

/** The largest error of the outputs for a position; infinite if a number is missing or is NaN. */
private fun largestError(position: Golden, outputs: Map<String, FloatArray>): Double =
    position.outputs.maxOfOrNull { (name, expected) -> errorOf(outputs[name], expected) } ?: 0.0

private fun errorOf(found: FloatArray?, expected: FloatArray): Double {
    if (found == null || found.size != expected.size) return Double.POSITIVE_INFINITY
    return expected.indices.maxOf { at ->
        val error = abs(found[at].toDouble() - expected[at])
        if (error.isNaN()) Double.POSITIVE_INFINITY else error
    }
}

/** Whether the largest legal output is the recorded best, or as good by the record. */
private fun isBest(found: FloatArray?, position: Golden, policy: String): Boolean {
    val recorded = position.outputs.getValue(policy)
    if (found == null || found.size != recorded.size) return false
    val moves = position.legal ?: IntArray(found.size) { it }
    val chosen = moves.reduce { top, move -> if (found[move] > found[top]) move else top }
    return recorded[position.best!!].toDouble() - recorded[chosen] <= TOLERANCE
}

/** The first states of a game in which the middle one of the legal moves is played. */
internal fun line(start: State): List<State> = generateSequence(start) { state ->
    val legal = state.legalActions()
    state.apply(legal[legal.size / 2])
}.takeWhile { !it.isTerminal }.take(8).toList()

/** How long an evaluation takes; `asked` are made in turn. */
private fun evaluations(asked: List<() -> Unit>, seconds: Double, isCancelled: () -> Boolean): Times {
    val milliseconds = ArrayList<Double>()
    val begin = System.nanoTime()
    do {
        val from = System.nanoTime()
        asked[milliseconds.size % asked.size]()
        milliseconds.add((System.nanoTime() - from) / 1e6)
    } while (secondsSince(begin) < seconds && !isCancelled())
    val perSecond = milliseconds.size / secondsSince(begin)
    milliseconds.sort()
    return Times(milliseconds[milliseconds.size / 2], milliseconds[milliseconds.size * 9 / 10], perSecond)
}

/** How many simulations a second a search makes, as in a game: in slices. */
fun playouts(network: Evaluator, state: State, seconds: Double, isCancelled: () -> Boolean = { false }): Double {
    val search = Search(state, network)
    val begin = System.nanoTime()
    var made = 0
    do {
        made += search.run(Int.MAX_VALUE, 0.05)
    } while (secondsSince(begin) < seconds && !isCancelled())
    return made / secondsSince(begin)
}

private fun secondsSince(begin: Long): Double = (System.nanoTime() - begin) / 1e9
