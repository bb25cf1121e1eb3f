/** The self-test of an approximation: by the limits that its manifest records, on golden.json's positions. */
package org.azx.app.play

import org.azx.app.bundle.Golden
import org.azx.app.bundle.Limits
import org.azx.app.bundle.Manifest
import org.azx.app.bundle.PolicyRange
import org.azx.app.bundle.Role
import org.azx.app.engine.Evaluation
import org.azx.app.engine.priors
import kotlin.math.abs
import kotlin.math.max

/** How far from 1 the sum of chances may be. */
private const val SLACK = 1e-3

/**
 * How far the answers are from the recorded ones; `passed` says whether that is within the limits, and each of them a
 * number. Those positions alone have a best move whose two best ones are far enough apart; of few, one may always change.
 */
internal fun judge(
    golden: List<Golden>,
    manifest: Manifest,
    limits: Limits,
    isCancelled: () -> Boolean = { false },
    outputs: (Map<String, FloatArray>) -> Map<String, FloatArray>,
): Found {
    var isClose = golden.isNotEmpty()
    val scores = areScores(golden, manifest)
    val found = compareBest(golden, isCancelled, outputs) { position, answer ->
        isClose = isClose && winRateError(position, manifest, answer) <= limits.valueMax
        keepsBest(position, manifest, answer, limits.margin, scores)
    }
    return with(found) {
        val changes = max(1, ((1 - limits.bestMove) * withBest).toInt())
        val passed = isClose && largestError.isFinite() && withBest - sameBest <= changes
        Found(positions, largestError, sameBest, withBest, passed)
    }
}

/** From 0 to 1; infinite if an answer is missing or is NaN. */
private fun winRateError(position: Golden, manifest: Manifest, answer: Map<String, FloatArray>): Double {
    val output = manifest.outputWith(Role.VALUE) ?: return 0.0
    val (found, expected) = answer[output.name] to position.outputs.getValue(output.name)
    val head = output.valueHead
    if (head == null || found?.size != expected.size) return Double.POSITIVE_INFINITY
    val error = abs(head.read(found) - head.read(expected)) / 2
    return if (error >= 0) error else Double.POSITIVE_INFINITY
}

/** Whether a policy has a number of its own for each move, which do not add up to 1, as sigmoids have. */
private fun areScores(golden: List<Golden>, manifest: Manifest): Boolean {
    val policy = manifest.outputWith(Role.POLICY) ?: return false
    if (policy.policyRange == PolicyRange.LOGITS) return false
    return golden.any { abs(it.outputs.getValue(policy.name).sumOf(Float::toDouble) - 1) > SLACK }
}

/** Whether the best legal move stays the best; null if the two best ones are as good, or there is no policy. */
private fun keepsBest(
    position: Golden,
    manifest: Manifest,
    answer: Map<String, FloatArray>,
    margin: Double,
    scores: Boolean,
): Boolean? {
    val policy = manifest.outputWith(Role.POLICY) ?: return null
    val (found, expected) = answer[policy.name] to position.outputs.getValue(policy.name)
    val moves = position.legal ?: IntArray(expected.size) { it }

    // Divided by their sum, small scores would differ by more than what was allowed of them.
    fun chances(numbers: FloatArray): List<Double> {
        if (scores) return moves.map { numbers[it].toDouble() }
        return priors(Evaluation(0.0, numbers, policy.policyRange == PolicyRange.LOGITS), moves).toList()
    }
    val original = chances(expected)
    val (first, second) = (original.sortedDescending() + 0.0)
    if (moves.size < 2 || first - second <= margin) return null
    if (found?.size != expected.size) return false
    val kept = chances(found)
    return kept.indexOf(kept.max()) == original.indexOf(first)
}
