package org.azx.app.network

import org.azx.app.engine.Evaluator
import java.io.Closeable

/**
 * What runs a network on the processor, on so many threads, and its precision if that is below float32; as a text it is
 * in English. What the runtime makes of each layer there is not known.
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

    /** Wait until it can be asked. BundleError if it cannot be run. */
    fun open() = Unit

    /** The outputs by the manifest's names for one position's inputs by theirs; all flat and without the batch. */
    fun outputs(inputs: Map<String, FloatArray>): Map<String, FloatArray>
}
