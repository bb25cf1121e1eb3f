package org.azx.app.engine

import com.sun.management.ThreadMXBean
import org.azx.app.bundle.reference
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.games.startGo
import org.azx.app.network.TfLite
import org.azx.host.HostTfLite
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.lang.management.ManagementFactory

private const val SIMULATIONS = 800
private const val LIMIT = 20_000_000L

// What an answer may take beside its policy: the runtime makes 200 to 400 bytes, a tensor would be 5500.
private const val ANSWER = 800L

// Bytes a simulation from the first state, half as much again as measured: most are the tree's columns, which double.
private val BYTES =
    mapOf(
        "connect4" to 850L,
        "tictactoe" to 350L,
        "dots_and_boxes" to 1400L,
        "gomoku" to 12_000L,
        "go" to 1600L,
        "reversi" to 950L,
        "hex" to 1200L,
    )

/** What a search allocates on its thread, whether it is garbage afterwards or not. */
class MemoryTest {
    private val memory = ManagementFactory.getThreadMXBean() as ThreadMXBean

    private fun bytes(task: () -> Unit): Long {
        val thread = Thread.currentThread().id
        val before = memory.getThreadAllocatedBytes(thread)
        task()
        return memory.getThreadAllocatedBytes(thread) - before
    }

    private fun runSearch(start: State, evaluator: Evaluator): Long {
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

    @Test
    fun `of a Go search with the real network is the tree and its answers, and nothing is collected meanwhile`() {
        HostTfLite.load()
        val bundle = reference("go")
        TfLite(bundle.model(), bundle.manifest, bundle.reading).use { network ->
            for (start in listOf(bundle.reading.start(), middle(9))) {
                assertBelow(LIMIT, start, network)
                assertAnswers(start, network)
                System.gc()
                val before = collections()
                Search(start, network).run(SIMULATIONS)
                assertEquals("collections of garbage", before, collections())
            }
        }
    }

    /** What a search allocates beyond one that is given the same answers for nothing. */
    private fun assertAnswers(start: State, network: Evaluator) {
        val answers = ArrayList<Evaluation>()
        val recording = Evaluator { state -> network.evaluate(state).also(answers::add) }
        Search(start, recording).run(SIMULATIONS)
        val given = answers.iterator()
        val each = (runSearch(start, network) - runSearch(start) { given.next() }) / answers.size
        println("a network's answer: $each bytes, ${4 * start.actions} of them the policy")
        assertTrue("$each bytes an answer", each in 4L * start.actions until 4L * start.actions + ANSWER)
    }

    private fun collections(): Long = ManagementFactory.getGarbageCollectorMXBeans().sumOf { it.collectionCount }

    private fun assertBelow(limit: Long, start: State, evaluator: Evaluator) {
        // Once before, so that classes are loaded and tables made.
        Search(start, evaluator).run(SIMULATIONS)
        val used = runSearch(start, evaluator)
        assertTrue("${start.board} ${evaluator.javaClass.simpleName}: $used bytes", used in 1 until limit)
    }
}
