package org.azx.app.network

import org.azx.app.bundle.Manifest
import org.azx.app.bundle.Role
import org.azx.app.engine.Evaluation
import org.azx.app.engine.State

/**
 * A network that `load` opens at the first question, so that the board can be shown and played on before. What `load`
 * throws, each question throws anew.
 */
class Arriving(manifest: Manifest, load: () -> Network) : Network {
    private val arrived = lazy(load)

    override val hasValue = manifest.outputWith(Role.VALUE) != null

    override val runs: Runs? get() = if (arrived.isInitialized()) arrived.value.runs else null

    override fun open() = arrived.value.open()

    override fun evaluate(state: State): Evaluation = arrived.value.evaluate(state)

    override fun outputs(inputs: Map<String, FloatArray>) = arrived.value.outputs(inputs)

    override fun close() {
        if (arrived.isInitialized()) arrived.value.close()
    }
}
