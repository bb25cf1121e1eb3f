package org.azx.app.play

import org.azx.app.engine.Evaluation
import org.azx.app.engine.Evaluator
import org.azx.app.engine.Reading
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.after
import org.azx.app.engine.begin
import org.azx.app.engine.games.byName
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.review.Candidate
import org.azx.app.engine.review.MOST
import org.azx.app.engine.review.Panel
import org.azx.app.engine.review.Reason
import org.azx.app.engine.review.Verdict
import org.azx.app.engine.review.findKnown
import org.azx.app.engine.review.judge
import org.azx.app.engine.review.panelOf
import org.azx.app.engine.review.rank
import org.azx.app.play.table.Worths
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** What a hint is for: what loses nothing, if that is known, however often a search has looked at another move. */
class AnalysisTest {
    // Half of the edges are drawn; all but the best moves give boxes away.
    private val edges = listOf(0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19)
    private val end = startDotsAndBoxes(3).after(*edges.toIntArray())

    private fun found(state: State, actions: List<Int>): Analysis {
        val candidates = actions.mapIndexed { at, action -> Candidate(action, 20 - at, 0.0, 0.1) }
        return Analysis(null, candidates, actions.map { listOf(it) }, 90, true, findKnown(state))
    }

    /** What a search says whose network likes one action alone, and thinks well of who has made it. */
    private fun look(name: String, moves: List<Int>, favourite: Int, settings: Settings = emptyMap()): Analysis {
        val game = byName(name)
        val state = moves.fold(begin(game, settings)) { state, action -> state.apply(action) }
        val fond = Evaluator {
            val policy = FloatArray(it.actions).apply { set(favourite, 1f) }
            Evaluation(if (it.toMove == state.toMove) 0.9 else -0.9, policy, logits = false)
        }
        val reading = Reading(game, game.encoding, game.numberings(state).first(), settings)
        return Thinker(reading, fond, hasValue = true).analyse(settings, moves, 20, Asked())
    }

    @Test
    fun `what a solved end is best at comes first, with its line`() {
        val known = findKnown(end)
        // The search likes least what is best.
        val actions = known.legal.sortedBy { it in known.left }
        val told = found(end, actions).measure(end)
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
        val known = findKnown(end)
        val bad = known.legal.filter { it !in known.left }
        assertTrue("${bad.size} give boxes away", bad.size >= MOST)
        val searched = look("dots_and_boxes", edges, bad[0], mapOf("size" to 3))
        // As a hint, and as live analysis, which counts each move once.
        for (told in listOf(searched.measure(end), Worths(end).measure(searched))) {
            val points = checkNotNull(told.points)
            assertEquals(known.left.take(MOST), told.candidates.filter { points[it.action] == 0 }.map { it.action })
            val best = told.candidates[0]
            assertTrue(best.action in known.left)
            assertEquals(told.candidates.size, told.lines.size)
            assertEquals("no search has looked at it", 0, best.visits)
            assertEquals("who wins is known", known.chance!!, best.winRate, 0.0)
            assertTrue("how it goes on is not", told.lines[0].isEmpty())
            val liked = told.candidates.single { it.action == bad[0] }
            assertEquals("the others' visits stay", told.candidates.sumOf { it.visits }, liked.visits)
        }
    }

    @Test
    fun `no more moves are told than a person is shown, and what a search has seen of a best one is kept`() {
        val known = findKnown(end)
        val seldom = Candidate(known.left[0], 1, 0.3, 0.05)
        val often = (known.legal - known.left.toSet()).map { Candidate(it, 20, 0.5, 0.1) }
        val told = rank(often + seldom, proven = known.left)
        assertEquals(seldom to MOST, told[0] to told.size)
    }

    @Test
    fun `in an opening of Connect4 what keeps the win comes first, as the review has it`() {
        val (start, centre, edge) = Triple(startConnect4(6, 7), 38, 35)
        val searched = look("connect4", emptyList(), edge)
        for (told in listOf(searched.measure(start), Worths(start).measure(searched))) {
            assertEquals(listOf(centre, edge), told.candidates.take(2).map { it.action })
            assertTrue("the network wants another one", told.candidates[1].visits > told.candidates[0].visits)
            assertNull("nothing is counted", told.points)
        }
        val judged = { action: Int ->
            val after = checkNotNull(look("connect4", listOf(action), edge).seen)
            judge(listOf(checkNotNull(searched.seen), after), listOf(action)).single()
        }
        assertEquals(Reason.Code.GAVE_WIN to Verdict.BLUNDER, judged(edge).run { reason?.code to verdict })
        assertEquals(null to Verdict.GOOD, judged(centre).run { reason to verdict })
    }

    @Test
    fun `what is proven is the chance of a position and of its moves, whatever the search says`() {
        val known = findKnown(end)
        val bad = known.legal.filter { it !in known.left }
        val won = panel(end, look("dots_and_boxes", edges, bad[0], mapOf("size" to 3)))
        assertEquals("counted in boxes", known.margin?.toDouble(), won.figure?.value)
        assertEquals(known.left, won.equal)
        // The table knows the opening; the network thinks well of the mover everywhere.
        val start = startConnect4(6, 7)
        val opening = panel(start, look("connect4", emptyList(), 35))
        assertEquals(1.0, opening.chance!!, 0.0)
        val rates = opening.options.associate { it.action to it.value!! }
        assertEquals(1.0, rates.getValue(38), 0.0)
        assertTrue("$rates", rates.filterKeys { it != 38 }.values.all { it <= 0.5 })
        val lost = panel(start.after(38), look("connect4", listOf(38), 35))
        assertEquals(0.0, lost.chance!!, 0.0)
        assertEquals(setOf(0.0), lost.options.map { it.value }.toSet())
        assertEquals("nothing says which one holds out longest", emptyList<Int>(), lost.equal)
    }

    /** What a screen says of it to the player who is to move. */
    private fun panel(state: State, found: Analysis): Panel =
        panelOf(startSession(state, state.toMove).facts(Findings(found.measure(state))))

    @Test
    fun `so is the advice of the network alone`() {
        val game = byName("connect4")
        val fond = Evaluator { Evaluation(0.9, FloatArray(it.actions).apply { set(35, 1f) }, logits = false) }
        val reading = Reading(game, game.encoding, game.numberings(begin(game, emptyMap())).first(), emptyMap())
        val advice = Thinker(reading, fond, hasValue = true).advise(emptyMap(), listOf(38))
        assertEquals("every move loses", 0.0, advice.winRate!!, 0.0)
    }

    @Test
    fun `where each move keeps the outcome, or the table has none, the search's order stays`() {
        val (lost, column) = listOf(38) to listOf(38, 31, 24, 17, 10, 3, 35)
        for ((moves, outcome) in listOf(lost to -1, column to null)) {
            assertEquals(outcome, findKnown(startConnect4(6, 7).after(*moves.toIntArray())).outcome)
            val told = look("connect4", moves, 36).candidates
            assertEquals("$moves", 36 to told.maxOf { it.visits }, told[0].action to told[0].visits)
        }
    }

    @Test
    fun `where chances alone are known the search's order stays`() {
        val state = startConnect4(6, 7)
        val told = found(state, listOf(38, 35, 36)).measure(state)
        assertNull(told.points)
        assertEquals(listOf(38, 35, 36), told.candidates.map { it.action })
    }
}
