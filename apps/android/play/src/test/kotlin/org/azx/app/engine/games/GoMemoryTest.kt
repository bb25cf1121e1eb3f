package org.azx.app.engine.games

import org.azx.app.engine.Evaluation
import org.azx.app.engine.Evaluator
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.engine.Uniform
import org.azx.app.engine.encode
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

private const val SIMULATIONS = 800

/** Allocates what a network does: the tensor, drawn by names as a manifest gives them, and a policy. */
private object Costly : Evaluator {
    override fun evaluate(state: State): Evaluation {
        val tensor = encode(state, state.encoding)
        return Evaluation(0.0, FloatArray(state.actions) { tensor[it] }, logits = true)
    }
}

/** How many bytes this thread has allocated since it began; by reflection, as Android has no such class. */
private fun countBytes(): Long {
    val threads = Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean").invoke(null)
    val counter = Class.forName("com.sun.management.ThreadMXBean")
    val count = counter.getMethod("getThreadAllocatedBytes", Long::class.java)
    return count.invoke(threads, Thread.currentThread().id) as Long
}

class GoMemoryTest {
    private fun megabytes(root: State, evaluator: Evaluator): Double {
        // What is made once for all games, and not again.
        Search(root, evaluator).run(SIMULATIONS)
        val before = countBytes()
        val search = Search(root, evaluator)
        assertEquals(SIMULATIONS, search.run(SIMULATIONS))
        return (countBytes() - before) / 1e6
    }

    private fun assertSmall(root: State) {
        val whole = megabytes(root, Costly)
        assertTrue("a search takes $whole MB with what a network needs", whole > 1 && whole < 20)
        val bare = megabytes(root, Uniform)
        assertTrue("a search takes $bare MB by itself", bare > 0.05 && bare < 2)
    }

    @Test
    fun `takes less than 20 megabytes for a search of 800 simulations`() {
        assertSmall(startGo())
        assertSmall(goFrom("..XO.XO ..XO.XO ..XOX.O O.XO.XO ..XO.XO ..XO.XO"))
        assertSmall(goFrom(".XO XO.O .XO .XO X.XO .XO .XO XO.O .XO").play("C8"))
    }
}
