/** Networks that do more than answer. */
package org.azx.app.screens

import org.azx.app.engine.Evaluation
import org.azx.app.engine.Reading
import org.azx.app.engine.State
import org.azx.app.network.Network
import java.util.concurrent.CountDownLatch

/** A network that does something before each of its answers: `before` hears their numbers, from 1 on. */
class Watched(private val network: Network, private val before: (Int) -> Unit) : Network by network {
    private var asked = 0

    override fun evaluate(state: State): Evaluation {
        before(++asked)
        return network.evaluate(state)
    }
}

/** A network whose `answers` are kept for the next screen that shows the same positions, by what it is given and who moves. */
class Remembered(
    private val network: Network,
    private val reading: Reading,
    private val answers: MutableMap<Any, Evaluation>,
) : Network by network {
    override fun evaluate(state: State): Evaluation =
        answers.getOrPut(state.toMove to reading.tensor(state).asList()) { network.evaluate(state) }
}

/** Holds a network up once it has answered `count` times, and the search has told of all of them. */
class Hold(private val count: Int) {
    private val gate = CountDownLatch(1)

    /** Whether the network waits. */
    @Volatile
    var isReached = false
        private set

    fun before(number: Int) {
        // Longer than a search goes on before it tells how far it is.
        if (number == count) Thread.sleep(100)
        if (number <= count) return
        isReached = true
        gate.await()
    }

    /** Let the network go on for good. */
    fun release() = gate.countDown()
}
