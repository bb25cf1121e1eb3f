package org.azx.app.engine

import com.sun.management.ThreadMXBean
import java.lang.management.ManagementFactory
import org.azx.app.engine.games.startGo
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

private const val SIMULATIONS = 800
private const val LIMIT = 20_000_000L

// Bytes a simulation from the first state, half as much again as measured: most are the tree's columns, which double.
private val BYTES =
    mapOf("connect4" to 850L, "tictactoe" to 350L, "dots_and_boxes" to 1400L, "gomoku" to 12_000L, "go" to 1600L)

/** What a search allocates on its thread, whether it is garbage afterwards or not. */
class MemoryTest {
    private val memory = ManagementFactory.getThreadMXBean() as ThreadMXBean

    private fun bytes(task: () -> Unit): Long {
        val thread = Thread.currentThread().id
        val before = memory.getThreadAllocatedBytes(thread)
        task()
        return memory.getThreadAllocatedBytes(thread) - before
    }

    private fun searched(start: State, evaluator: Evaluator): Long {
        val search = Search(start, evaluator)
        val used = bytes { assertEquals(SIMULATIONS, search.run(SIMULATIONS)) }
        val each = used / SIMULATIONS
        println("${start.board}, ${evaluator.javaClass.simpleName}: ${used / 1000} kB, $each bytes a simulation")
        return used
    }

    /** A position of Go with many stones, and captures in its past. */
    private fun middle(size: Int): State {
        var state: State = startGo(size)
        var drawn = 1L
        for (ply in 0 until size * size) {
            val points = state.legalActions()
            drawn = drawn * 48271 % 2147483647
            state = state.apply(points[(drawn % (points.size - 1)).toInt()])
        }
        return state
    }

    @Test
    fun `is measured`() {
        val one = bytes { assertEquals(1_000_000, ByteArray(1_000_000).size) }
        assertTrue("an array of a million bytes took $one", one in 1_000_000..1_100_000)
    }

    @Test
    fun `of a Go search stays below the limit with every evaluator`() {
        for (start in listOf(startGo(9), middle(9), middle(13))) {
            for (evaluator in listOf(Uniform, HashEvaluator)) assertBelow(LIMIT, start, evaluator)
        }
        assertBelow(LIMIT, startGo(19), Uniform)
    }

    @Test
    fun `of every game's simulation is that of a state and its children`() {
        for ((game, limit) in BYTES) assertBelow(limit * SIMULATIONS, begin(byName(game)), Uniform)
        assertEquals(GAMES.keys, BYTES.keys)
    }

    private fun assertBelow(limit: Long, start: State, evaluator: Evaluator) {
        // Once before, so that classes are loaded and tables made.
        Search(start, evaluator).run(SIMULATIONS)
        val used = searched(start, evaluator)
        assertTrue("${start.board} ${evaluator.javaClass.simpleName}: $used bytes", used in 1 until limit)
    }
}
