package org.azx.app.play

import org.azx.app.engine.after
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.findKnown
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** What a hint is for: of a solved end what loses nothing, however often a search has looked at another move. */
class AnalysisTest {
    private fun found(actions: List<Int>): Analysis {
        val candidates = actions.mapIndexed { at, action -> Candidate(action, 20 - at, 0.0, 0.1) }
        return Analysis(null, candidates, actions.map { listOf(it) }, 90, true)
    }

    @Test
    fun `what a solved end is best at comes first, with its line`() {
        // Half of the edges are drawn; all but the best moves give boxes away.
        val state = startDotsAndBoxes(3).after(0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19)
        val known = findKnown(state)
        // The search likes least what is best.
        val actions = known.legal.sortedBy { it in known.left }
        val told = found(actions).measure(state)
        val points = checkNotNull(told.points)
        assertTrue(told.candidates[0].action in known.left && actions[0] !in known.left)
        val worths = told.candidates.map { points.getValue(it.action) }
        assertEquals(worths.sortedDescending(), worths)
        assertEquals(told.candidates.map { listOf(it.action) }, told.lines)
        // Equal moves stay in the order of their visits.
        val best = told.candidates.takeWhile { points[it.action] == 0 }
        assertEquals(best.sortedByDescending { it.visits }, best)
    }

    @Test
    fun `where chances alone are known the search's order stays`() {
        val told = found(listOf(38, 35, 36)).measure(startConnect4(6, 7))
        assertNull(told.points)
        assertEquals(listOf(38, 35, 36), told.candidates.map { it.action })
    }
}
