package org.azx.app.network

import org.azx.app.engine.Evaluator
import java.io.Closeable

/**
 * What runs a network on the processor: the runtime, the number of threads, and the precision if it is below float32. As a
 * text it is in English.
 */
class Runs(val runtime: String, val threads: Int, val precision: String? = null) {
    override fun toString(): String {
        val spread = if (threads == 1) "1 thread" else "$threads threads"
        return listOfNotNull(runtime, "CPU", spread, precision).joinToString()
    }
}

/** A bundle's network in some runtime; close it when it is not needed any more. */
interface Network : Evaluator, Closeable {
    /** Whether the network has a value; without one every evaluation's is 0. */
    val hasValue: Boolean

    /** What runs it; null until it is open. */
    val runs: Runs? get() = null

    /** Wait until it is loaded. BundleError if it cannot be run. */
    fun open() = Unit

    /** The outputs by the manifest's names for one position's inputs by theirs; all flat and without the batch. */
    fun outputs(inputs: Map<String, FloatArray>): Map<String, FloatArray>
}
