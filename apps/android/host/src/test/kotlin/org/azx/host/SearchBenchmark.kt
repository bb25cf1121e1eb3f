/** How fast the app's search is on the JVM; benchmarks/android_search.py runs it beside the Python search. */
package org.azx.host

import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.engine.Uniform
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import java.lang.management.ManagementFactory

private const val NANOSECONDS = 1e9

/**
 * For each line "GAME SIMULATIONS" of the standard input, search from the game's first state with a network that
 * costs nothing, and answer with a line: the thread's CPU seconds.
 */
fun main() {
    val starts = GAMES.mapValues { begin(it.value) }
    for (line in generateSequence(::readLine)) {
        val (game, simulations) = line.split(" ")
        println(seconds(starts.getValue(game), simulations.toInt()))
    }
}

private fun seconds(start: State, simulations: Int): Double {
    val clock = ManagementFactory.getThreadMXBean()
    val begin = clock.currentThreadCpuTime
    Search(start, Uniform).run(simulations)
    return (clock.currentThreadCpuTime - begin) / NANOSECONDS
}
