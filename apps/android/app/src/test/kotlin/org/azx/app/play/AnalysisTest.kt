package org.azx.app.play

import org.azx.app.engine.after
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.MOST
import org.azx.app.engine.review.findKnown
import org.azx.app.play.table.Worths
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** What a hint is for: of a solved end what loses nothing, however often a search has looked at another move. */
class AnalysisTest {
    private fun found(actions: List<Int>, others: List<Candidate> = emptyList()): Analysis {
        val candidates = actions.mapIndexed { at, action -> Candidate(action, 20 - at, 0.0, 0.1) }
        return Analysis(null, candidates, actions.map { listOf(it) }, 90, true, others = others)
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
    fun `what a solved end is best at is there, and first, where the search has not ranked it`() {
        val state = startDotsAndBoxes(3).after(0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19)
        val known = findKnown(state)
        val bad = known.legal.filter { it !in known.left }
        assertTrue("${bad.size} give boxes away", bad.size >= MOST)
        val searched = found(bad.take(MOST))
        // As a hint, and as live analysis, which counts each move once.
        for (told in listOf(searched.measure(state), Worths(state).measure(searched))) {
            val points = checkNotNull(told.points)
            assertEquals(known.left.take(MOST), told.candidates.filter { points[it.action] == 0 }.map { it.action })
            val best = told.candidates[0]
            assertTrue(best.action in known.left)
            assertEquals(MOST, told.candidates.size)
            assertEquals(MOST, told.lines.size)
            assertEquals("no search has looked at it", 0, best.visits)
            assertEquals("who wins is known", known.chance!!, best.winRate, 0.0)
            assertTrue("how it goes on is not", told.lines[0].isEmpty())
        }
    }

    @Test
    fun `what a search has seen of a best move that it has not ranked is kept`() {
        val state = startDotsAndBoxes(3).after(0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19)
        val known = findKnown(state)
        val seldom = Candidate(known.left[0], 1, 0.3, 0.05)
        val told = found((known.legal - known.left.toSet()).take(MOST), listOf(seldom)).measure(state)
        assertEquals(seldom, told.candidates[0])
    }

    @Test
    fun `where chances alone are known the search's order stays`() {
        val told = found(listOf(38, 35, 36)).measure(startConnect4(6, 7))
        assertNull(told.points)
        assertEquals(listOf(38, 35, 36), told.candidates.map { it.action })
    }
}
