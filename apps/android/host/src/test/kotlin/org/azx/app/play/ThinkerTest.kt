package org.azx.app.play

import org.azx.app.bundle.small
import org.azx.app.engine.Evaluation
import org.azx.app.engine.Evaluator
import org.azx.app.engine.Fixtures
import org.azx.app.engine.GameError
import org.azx.app.engine.Gumbel
import org.azx.app.engine.HashEvaluator
import org.azx.app.engine.Reading
import org.azx.app.engine.SearchSettings
import org.azx.app.engine.State
import org.azx.app.engine.Uniform
import org.azx.app.engine.begin
import org.azx.app.engine.children
import org.azx.app.engine.games.byName
import org.azx.app.engine.ints
import org.azx.app.engine.text
import org.azx.app.network.TfLite
import org.azx.app.network.inputsOf
import org.azx.host.HostTfLite
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

class ThinkerTest {
    private val game = byName("tictactoe")
    private val reading = Reading(game, game.encoding, game.numberings(begin(game)).first(), emptyMap())

    /** Likes action 4 by far, counts how often it is asked, and takes its time. */
    private class Counting(private val milliseconds: Long = 0) : Evaluator {
        @Volatile
        var count = 0

        override fun evaluate(state: State): Evaluation {
            count++
            if (milliseconds > 0) Thread.sleep(milliseconds)
            return Evaluation(0.5, FloatArray(state.actions) { if (it == 4) 9f else 0f }, true)
        }
    }

    private fun thinker(network: Evaluator) = Thinker(reading, network, true)

    private fun Thinker.think(actions: List<Int>, limit: Limit, tell: (Progress) -> Unit = {}): Thought =
        think(emptyMap(), actions, limit, tell = tell)

    @Test
    fun `the policy alone is one evaluation`() {
        val network = Counting()
        val thought = thinker(network).think(emptyList(), Limit.Policy)
        assertEquals(listOf(4, 1, 0), listOf(thought.action, network.count, thought.progress.simulations))
        assertEquals(0.75, thought.progress.winRate!!, 0.0)
    }

    @Test
    fun `a bundle's search is played where the best move is, and not where moves are drawn`() {
        val set = Thinker(reading, HashEvaluator, true, SearchSettings(Gumbel(considered = 1)))
        val usual = Thinker(reading, HashEvaluator, true)
        fun chosen(thinker: Thinker, limit: Limit) = thinker.think(listOf(0), limit).action
        // One considered move is the one with the largest prior.
        val twenty = Limit.Simulations(20)
        assertEquals(listOf(4, 6), listOf(chosen(set, twenty), chosen(usual, twenty)))
        val seeds = 1L..5L
        val drawn = seeds.map { Limit.Level(6, it) }
        assertEquals(drawn.map { chosen(usual, it) }, drawn.map { chosen(set, it) })
    }

    @Test
    fun `an analysis without a number goes on until nobody wants it, and tells what it has found`() {
        val asked = Asked()
        val told = mutableListOf<Analysis>()
        val found = thinker(Counting(1)).analyse(emptyMap(), listOf(0), null, asked) {
            told += it
            asked.isOver = told.size == 3
        }
        val visits = (told + found).map { analysis -> analysis.candidates.sumOf { it.visits } }
        assertEquals("deeper and deeper", visits.sorted().distinct(), visits.distinct())
        assertTrue("$visits", visits[0] < visits[2])
        assertTrue("nobody waited for its end", (told + found).none { it.isWhole })
        assertEquals("each with its line", found.candidates.size, found.lines.size)
        assertTrue(found.lines[0].isNotEmpty())
    }

    @Test
    fun `an analysis of so many simulations tells nothing on its way`() {
        val found = thinker(Counting(1)).analyse(emptyMap(), listOf(0), 300, Asked()) { error("nobody has asked") }
        assertTrue(found.isWhole)
    }

    /** Likes the last action by far, which in Go is the pass, and thinks the mover loses. */
    private object Passing : Evaluator {
        override fun evaluate(state: State) =
            Evaluation(-1.0, FloatArray(state.actions) { if (it == state.actions - 1) 30f else 0f }, true)
    }

    @Test
    fun `a pass on the empty board, where white has the komi, is answered by a move`() {
        val go = byName("go")
        val thinker = Thinker(Reading(go, go.encoding, go.numberings(begin(go)).first(), emptyMap()), Passing, true)
        for (limit in listOf(Limit.Policy, Limit.Simulations(8), Limit.Level(8, 1))) {
            assertNotEquals(81, thinker.think(emptyMap(), listOf(81), limit, passes = true) {}.action)
        }
        // Where a person plays on after two passes it may.
        assertEquals(81, thinker.think(emptyMap(), listOf(81), Limit.Policy) {}.action)
        val settled = Fixtures.read("go", "scoring").children("cases")
            .first { it.text("about") == "a pass where all is settled" }.ints("actions")
        val thought = thinker.think(emptyMap(), settled, Limit.Simulations(8), passes = true) {}
        assertEquals(listOf(81, 0), listOf(thought.action, thought.progress.simulations))
    }

    @Test
    fun `without a value there is no win rate to tell`() {
        val thinker = Thinker(reading, Uniform, false)
        assertNull(thinker.think(emptyList(), Limit.Policy).progress.winRate)
        assertNull(thinker.advise(emptyMap(), emptyList()).winRate)
    }

    @Test
    fun `without a policy all legal moves are alike until a search compares them by the value`() {
        HostTfLite.load()
        val bundle = small("value_only")
        TfLite(bundle.model(), bundle.manifest, bundle.reading).use { network ->
            val thinker = Thinker(bundle.reading, network, network.hasValue)
            val played = listOf(4, 0, 8)
            val advice = thinker.advise(emptyMap(), played)
            assertEquals((0 until 9).toSet() - played, advice.policy.keys)
            for (share in advice.policy.values) assertEquals(1.0 / 6, share, 1e-12)
            val state = played.fold(bundle.reading.start()) { state, action -> state.apply(action) }
            val value = network.outputs(inputsOf(bundle, state)).getValue("value_head")[0]
            assertEquals((value + 1.0) / 2, advice.winRate!!, 1e-12)
            // Player 0 has 1 and 4, so 7 would end the game.
            val thought = thinker.think(played + listOf(2, 1), Limit.Simulations(200))
            assertEquals("the only move that does not lose", 7, thought.action)
        }
    }

    @Test
    fun `a number of simulations is kept to`() {
        val told = ArrayList<Int>()
        val thought = thinker(Counting(1)).think(emptyList(), Limit.Simulations(200)) { told.add(it.simulations) }
        assertEquals(200, thought.progress.simulations)
        assertTrue("$told", told.size >= 3 && told == told.sorted() && told.last() == 200)
        assertTrue(thought.progress.depth > 1)
    }

    @Test
    fun `seconds are kept to`() {
        val thought = thinker(Counting(1)).think(emptyList(), Limit.Seconds(0.2))
        assertTrue("${thought.progress.seconds}", thought.progress.seconds >= 0.2)
    }

    @Test
    fun `a win is found`() {
        assertEquals(2, thinker(Uniform).think(listOf(0, 3, 1, 4), Limit.Simulations(100)).action)
    }

    @Test
    fun `a game that goes on keeps what is known`() {
        val network = Counting()
        val thinker = thinker(network)
        val action = thinker.think(listOf(4), Limit.Simulations(400)).action
        val before = network.count
        val progress = thinker.think(listOf(4, action), Limit.Simulations(1)).progress
        assertTrue("one simulation in the kept tree is deeper than one ply: ${progress.depth}", progress.depth > 1)
        assertTrue("it evaluates one state at most", network.count - before <= 1)
    }

    @Test
    fun `another game begins anew`() {
        val thinker = thinker(Counting())
        thinker.think(listOf(4, 0), Limit.Simulations(400))
        assertEquals(1, thinker.think(listOf(4, 1, 0), Limit.Simulations(2)).progress.depth)
        assertEquals(1, thinker.think(listOf(4, 1), Limit.Simulations(2)).progress.depth)
    }

    @Test
    fun `a stop ends a thought soon, with its best action`() {
        val thinker = thinker(Counting(1))
        val begun = CountDownLatch(1)
        var thought: Thought? = null
        val worker = thread { thought = thinker.think(emptyList(), Limit.Seconds(36_000.0)) { begun.countDown() } }
        assertTrue(begun.await(5, TimeUnit.MINUTES))
        thinker.stop()
        worker.join(300_000)
        assertFalse("it goes on", worker.isAlive)
        assertEquals(4, thought!!.action)
    }

    @Test
    fun `a stop ends a thought that has not begun, and none that is ordered later`() {
        val network = Counting()
        val thinker = thinker(network)
        val ticket = thinker.ticket()
        thinker.stop()
        val thought = thinker.think(emptyMap(), emptyList(), Limit.Simulations(500), ticket) {}
        assertEquals(listOf(4, 1), listOf(thought.action, network.count))
        val later = thinker.think(emptyMap(), emptyList(), Limit.Simulations(50), thinker.ticket()) {}
        assertEquals(50, later.progress.simulations)
    }

    @Test
    fun `a thought that is stopped in its first simulation takes the policy's action`() {
        lateinit var thinker: Thinker
        val stopping = Evaluator { state ->
            thinker.stop()
            Counting().evaluate(state)
        }
        thinker = thinker(stopping)
        val thought = thinker.think(emptyList(), Limit.Simulations(500))
        assertEquals(listOf(4, 1), listOf(thought.action, thought.progress.simulations))
    }

    @Test
    fun `advice is a probability for each legal action`() {
        val advice = thinker(Counting()).advise(emptyMap(), listOf(0))
        assertEquals((1..8).toSet(), advice.policy.keys)
        assertEquals(1.0, advice.policy.values.sum(), 1e-9)
        assertEquals(4, advice.policy.maxByOrNull { it.value }!!.key)
        assertEquals(0.75, advice.winRate!!, 0.0)
    }

    @Test
    fun `a game that is over cannot be thought about`() {
        val over = listOf(0, 3, 1, 4, 2)
        for (limit in listOf(Limit.Simulations(10), Limit.Policy)) {
            assertThrows(GameError::class.java) { thinker(Counting()).think(over, limit) }
        }
        val thinker = thinker(Counting()).apply { think(over.dropLast(1), Limit.Simulations(10)) }
        assertThrows(GameError::class.java) { thinker.think(over, Limit.Simulations(10)) }
        assertThrows(GameError::class.java) { thinker(Counting()).advise(emptyMap(), over) }
        assertThrows(GameError::class.java) { thinker(Counting()).think(listOf(0, 0), Limit.Simulations(10)) }
    }

    @Test
    fun `after a failure the next thought begins anew`() {
        var fails = false
        val network = Evaluator { state -> if (fails) error("broken") else Counting().evaluate(state) }
        val thinker = thinker(network)
        thinker.think(listOf(4), Limit.Simulations(50))
        fails = true
        assertThrows(IllegalStateException::class.java) { thinker.think(listOf(4, 0), Limit.Simulations(500)) }
        fails = false
        assertEquals(500, thinker.think(listOf(4, 0), Limit.Simulations(500)).progress.simulations)
        assertEquals(1, thinker.think(listOf(4, 8), Limit.Simulations(2)).progress.depth)
    }
}
