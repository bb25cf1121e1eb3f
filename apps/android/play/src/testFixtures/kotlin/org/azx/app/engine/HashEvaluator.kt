/**
 * A stand-in for a network that every language computes alike: answers from an integer hash of the state.
 *
 * h is FNV-1a, 32 bits, over the encoded state as int8 in row-major order; value = (h mod 2001 - 1000) / 1000. The
 * weight of action a is 1 + (g mod 1000), where g is FNV-1a continued from h over the two bytes of a, the low one
 * first. (Fowler, Noll and Vo: offset basis 2166136261, prime 16777619.)
 */
package org.azx.app.engine

private const val BASIS = 0x811c9dc5.toInt()
private const val PRIME = 16777619

/** One step of FNV-1a, 32 bits: `hash` continued by the low byte of `number`. */
private fun step(hash: Int, number: Int): Int = (hash xor (number and 255)) * PRIME

/** `hash` as the unsigned number that it stands for. */
private fun toUnsigned(hash: Int): Long = hash.toLong() and 0xffffffffL

/** h: the hash of the state's tensor, its numbers as int8; 0 to 2^32 - 1. */
fun tensorHash(state: State): Long {
    var hash = BASIS
    for (number in state.encode()) hash = step(hash, number.toInt())
    return toUnsigned(hash)
}

/** The value that a hash stands for, -1 to 1 in steps of 0.001. */
fun valueOf(hash: Long): Double = (hash % 2001 - 1000) / 1000.0

/** The weight of an action, 1 to 1000. */
fun weightOf(hash: Long, action: Int): Int {
    val continued = step(step(hash.toInt(), action), action shr 8)
    return 1 + (toUnsigned(continued) % 1000).toInt()
}

/** An Evaluator whose answers are hashes. */
object HashEvaluator : Evaluator {
    override fun evaluate(state: State): Evaluation {
        val hash = tensorHash(state)
        val policy = FloatArray(state.actions) { weightOf(hash, it).toFloat() }
        return Evaluation(valueOf(hash), policy, logits = false)
    }
}

/** A network that costs nothing: every state is even, every action as good as the others. */
object Uniform : Evaluator {
    private val answer = Evaluation(0.0, null, false)

    override fun evaluate(state: State): Evaluation = answer
}
