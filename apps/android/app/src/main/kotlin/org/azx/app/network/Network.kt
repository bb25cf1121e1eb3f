package org.azx.app.network

import org.azx.app.engine.Evaluator
import java.io.Closeable

/** A bundle's network in some runtime; close it when it is not needed any more. */
interface Network : Evaluator, Closeable {
    /** Whether the network has a value; without one every evaluation's is 0. */
    val hasValue: Boolean

    /** What runs it, for people; empty until it is open. */
    val runtime: String

    /** Wait until it can be asked. BundleError where it cannot be run. */
    fun open() = Unit

    /** The outputs by the manifest's names for one position's inputs by theirs; all flat and without the batch. */
    fun outputs(inputs: Map<String, FloatArray>): Map<String, FloatArray>
}
