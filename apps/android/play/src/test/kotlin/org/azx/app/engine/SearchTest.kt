package org.azx.app.engine

import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startConnect4
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.math.E
import kotlin.math.exp
import kotlin.math.ln

/** Answers as `HashEvaluator` does and counts; `between` is called first. */
private class Counting(var between: (State) -> Unit = {}) : Evaluator {
    var asked = 0

    override fun evaluate(state: State): Evaluation {
        asked++
        between(state)
        return HashEvaluator.evaluate(state)
    }
}

class SearchTest {
    @Test
    fun `expands the root first and then visits its children`() {
        val search = Search(startConnect4(), Uniform)
        assertEquals(List(7) { 0 }, search.visits().values.toList())
        assertEquals(50, search.run(50))
        assertEquals(listOf(49, 50), listOf(search.visits().values.sum(), search.report().simulations))
    }

    @Test
    fun `prefers the lowest action of equals`() {
        val search = Search(TicTacToe(), Uniform)
        search.run(4)
        assertEquals(mapOf(0 to 1, 1 to 1, 2 to 1), search.visits().filterValues { it > 0 })
        assertEquals(0, search.bestAction())
    }

    @Test
    fun `finds the mark that wins and never asks about a game that is over`() {
        val asked = Counting { assertFalse(it.isTerminal) }
        val search = Search(TicTacToe().after(0, 3, 1, 4), asked)
        search.run(200)
        assertEquals(2, search.report().action)
        assertEquals(1.0, search.report().winRate, 0.0)
        assertTrue("asked ${asked.asked} times", asked.asked in 2..199)
    }

    @Test
    fun `a line is what was looked at most, move by move`() {
        val search = Search(startConnect4(), HashEvaluator)
        assertEquals("nothing is known yet", listOf(3), search.line(3, 4))
        search.run(400)
        val line = search.line(search.bestAction(), 4)
        assertEquals(4, line.size)
        for (action in line) {
            assertEquals(search.bestAction(), action)
            search.play(action)
        }
        val won = Search(TicTacToe().after(0, 3, 1, 4), HashEvaluator).also { it.run(50) }
        assertEquals("the game ends with it", listOf(2), won.line(2, 4))
    }

    @Test
    fun `keeps the tree below the move that was played, and asks nothing twice`() {
        val counting = Counting()
        val search = Search(startConnect4(), counting)
        search.run(400)
        val (action, visits) = search.report().run { action to visits }
        val asked = counting.asked
        search.play(action)
        assertEquals(visits - 1, search.visits().values.sum())
        assertEquals(listOf(0, 0), listOf(search.report().simulations, search.report().depth))
        assertEquals(0.0, search.report().seconds, 0.0)
        assertEquals(action, search.state.lastAction)
        search.run(100)
        assertEquals(visits + 99, search.visits().values.sum())
        assertTrue(counting.asked - asked <= 100)
    }

    @Test
    fun `has the C of the formula`() {
        assertEquals(ln(19653.0 / 19652) + 1.25, exploration(0), 1e-12)
        assertEquals(ln(2.0) + 1.25, exploration(19651), 1e-12)
        assertEquals(ln(2.0) + 2, exploration(19651, 2.0), 1e-12)
    }

    @Test
    fun `stands at the new state without a tree where a move was never searched`() {
        val search = Search(startConnect4(), Uniform)
        search.play(38)
        assertEquals(listOf(38, 0), listOf(search.state.lastAction, search.visits().values.sum()))
        search.run(10)
        search.reset(TicTacToe())
        assertEquals(9, search.visits().size)
        assertEquals(0, search.report().simulations)
    }

    @Test
    fun `tells the path of every simulation, also below a move that was played`() {
        val paths = mutableListOf<List<Int>>()
        val search = Search(TicTacToe(), HashEvaluator, trace = { paths.add(it.toList()) })
        search.run(30)
        search.play(4)
        search.run(30)
        assertEquals(60, paths.size)
        assertEquals(emptyList<Int>(), paths[0])
        val replies = search.state.legalActions().toSet()
        assertTrue(paths.drop(30).all { it.first() in replies })
        assertEquals(1.0, search.children().sumOf { it.prior }, 1e-12)
    }

    @Test
    fun `is stopped after the simulation that it is in, and can go on`() {
        val counting = Counting()
        val search = Search(startConnect4(), counting)
        counting.between = { if (counting.asked == 7) search.stop() }
        assertEquals(7, search.run(1000))
        assertEquals(listOf<Any>(false, 7), listOf(search.isRunning, search.report().simulations))
        assertEquals(3, search.run(3))
    }

    @Test(timeout = 600_000)
    fun `is stopped by another thread`() {
        val begun = CountDownLatch(1)
        val search = Search(startConnect4(), Counting { begun.countDown() })
        var made = 0
        val running = thread { made = search.run(Int.MAX_VALUE) }
        assertTrue(begun.await(5, TimeUnit.MINUTES))
        search.stop()
        running.join(300_000)
        assertFalse(running.isAlive || search.isRunning)
        assertEquals(made, search.report().simulations)
        assertTrue(made > 0)
    }

    @Test
    fun `refuses to be changed while it runs, and may be asked`() {
        val counting = Counting()
        val search = Search(startConnect4(), counting)
        val words = "search: it is running, stop it and wait until run() has ended."
        counting.between = {
            assertTrue(search.isRunning)
            assertRefused(words) { search.play(38) }
            assertRefused(words) { search.reset(startConnect4()) }
            assertRefused(words) { search.run(1) }
            assertEquals(counting.asked - 1, search.report().simulations)
        }
        assertEquals(5, search.run(5))
        assertEquals(5, counting.asked)
    }

    @Test
    fun `runs for a time, a simulation at least`() {
        val search = Search(startConnect4(), Uniform)
        assertEquals(1, search.run(Int.MAX_VALUE, 0.0))
        assertTrue(search.run(Int.MAX_VALUE, 0.02) > 1)
        assertTrue(search.report().seconds >= 0.02)
        assertEquals(0, search.run(0))
    }

    @Test
    fun `is whole after an evaluator has failed`() {
        val counting = Counting { check(it.lastAction != 40) { "the network was lost." } }
        val search = Search(startConnect4(), counting)
        assertThrows(IllegalStateException::class.java) { search.run(500) }
        assertFalse(search.isRunning)
        counting.between = {}
        search.run(500 - search.report().simulations)
        val fresh = Search(startConnect4(), HashEvaluator)
        fresh.run(500)
        assertEquals(told(fresh), told(search))
    }

    /** All that a search says of its root's actions. */
    private fun told(search: Search) = search.children().map { listOf(it.action, it.visits, it.mean, it.prior) }

    @Test
    fun `has nothing to do, and no move, where the game is over`() {
        val search = Search(TicTacToe().after(0, 3, 1, 4, 2), Uniform)
        assertEquals(0, search.run(10))
        assertRefused("search: the game is over, there is no move to choose.") { search.report() }
        assertRefused("tictactoe: action 5 is illegal here, the game is over.") { search.play(5) }
    }

    @Test
    fun `explores by the constant of the paper`() {
        assertEquals(1.25 + ln(19653.0 / 19652), exploration(0), 1e-15)
        assertEquals(1.25 + ln(2.0), exploration(19651), 1e-12)
    }
}

class EvaluationTest {
    private val policy = floatArrayOf(0f, 3f, 1f, 9f)

    @Test
    fun `is soft-maxed over the legal actions where it has logits, and divided by its sum where not`() {
        val softened = doubleArrayOf(1 / (1 + E), 1 / (1 + exp(-1.0)))
        assertArrayEquals(softened, priors(Evaluation(0.0, policy, logits = true), intArrayOf(0, 2)), 1e-12)
        val divided = priors(Evaluation(0.0, policy, logits = false), intArrayOf(1, 2))
        assertArrayEquals(doubleArrayOf(0.75, 0.25), divided, 0.0)
    }

    @Test
    fun `is even where nothing is promised`() {
        val even = doubleArrayOf(0.5, 0.5)
        assertArrayEquals(even, priors(Evaluation(0.0, null, logits = false), intArrayOf(4, 5)), 0.0)
        assertArrayEquals(even, priors(Evaluation(0.0, FloatArray(4), logits = false), intArrayOf(0, 1)), 0.0)
    }

    @Test
    fun `has a best legal action, the lowest of equals`() {
        assertEquals(1, best(Evaluation(0.0, policy, logits = true), intArrayOf(0, 1, 2)))
        assertEquals(2, best(Evaluation(0.0, null, logits = false), intArrayOf(2, 3)))
    }
}
