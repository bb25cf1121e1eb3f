package org.azx.app.engine.review

import org.azx.app.engine.Fixtures
import org.azx.app.engine.HashEvaluator
import org.azx.app.engine.Json
import org.azx.app.engine.Search
import org.azx.app.engine.Uniform
import org.azx.app.engine.after
import org.azx.app.engine.child
import org.azx.app.engine.children
import org.azx.app.engine.double
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.int
import org.azx.app.engine.ints
import org.azx.app.engine.settings
import org.azx.app.engine.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** What mobile_assets/fixtures/review.json says. */
class ReviewTest {
    private val written = checkNotNull(Fixtures.readOrNull("review")) { "There is no review.json." }

    private fun searchOf(case: Json, actions: List<Int>, times: Int = 1): Search {
        val constant = written.double("c")
        val search = Search(after(case.text("game"), case.settings(), actions), HashEvaluator, { constant })
        search.run(times * case.int("simulations"))
        return search
    }

    private fun candidateOf(row: Json): Candidate =
        Candidate(row.int("action"), row.int("visits"), row.double("win_rate"), row.double("prior"))

    @Test
    fun `candidates stand in their order, and are at most five`() {
        assertEquals(written.int("most"), MOST)
        for (case in written.children("ranked")) {
            val found = rank(case.children("given").map(::candidateOf))
            assertEquals(case.ints("ranked"), found.map { it.action })
        }
    }

    @Test
    fun `candidates of every search are as written`() {
        assertTrue(written.children("candidates").isNotEmpty())
        for (case in written.children("candidates")) {
            val found = candidates(searchOf(case, case.ints("actions")))
            val wanted = case.children("candidates").map(::candidateOf)
            assertEquals(wanted.map { it.action to it.visits }, found.map { it.action to it.visits })
            for ((one, other) in wanted.zip(found)) {
                assertEquals(one.winRate, other.winRate, 1e-9)
                assertEquals(one.prior, other.prior, 1e-9)
            }
        }
    }

    @Test
    fun `losses have their names`() {
        for (case in written.children("verdicts")) {
            assertEquals(case.text("verdict"), nameOf(verdictOf(case.double("loss"))))
        }
        val least = written.child("least_losses")
        for (name in least.keys) assertEquals(name, nameOf(verdictOf(least.double(name))))
        for (unit in listOf(PanelUnit.BOXES, PanelUnit.DISCS)) {
            val margins = written.child("least_${unit.name.lowercase()}")
            for (name in margins.keys) {
                assertEquals(name, nameOf(verdictOf(margins.int(name), unit)))
                assertTrue(nameOf(verdictOf(margins.int(name) - 1, unit)) != name)
            }
        }
    }

    @Test
    fun `games that were looked at are seen as written`() {
        val cases = written.children("reviews").filter { it["game"] != null }
        assertEquals(Fixtures.names.toSet(), cases.map { it.text("game") }.toSet())
        for (case in cases) {
            val actions = case.ints("actions")
            for ((plies, wanted) in case.children("seen").withIndex()) {
                val seen = checkNotNull(seeRoot(searchOf(case, actions.take(plies))))
                val at = "${case["game"]}, after $plies"
                assertEquals(at, wanted.int("mover") to wanted["best"], seen.mover to seen.best)
                assertEquals(at, wanted.double("chance"), seen.chance, 1e-9)
            }
        }
    }

    /** What was seen as it is written, and beside it what the rules prove, where it is of a game. */
    private fun readSeen(case: Json): List<Seen> = case.children("seen").mapIndexed { plies, it ->
        val played = case.ints("actions").take(plies)
        val known = if (case["game"] == null) null else findKnown(after(case.text("game"), case.settings(), played))
        Seen(it.int("mover"), it.double("chance"), it["best"] as Int?, it["sure"] == true, known)
    }

    @Test
    fun `what the rules prove is as written`() {
        for (case in written.children("reasons")) {
            for ((seen, wanted) in readSeen(case).zip(case.children("seen"))) {
                val known = checkNotNull(seen.known)
                assertEquals(wanted["best"], known.left.firstOrNull())
                val isProven = known.chance != null && seen.best != null
                assertEquals(wanted["sure"] == true, isProven)
            }
        }
    }

    @Test
    fun `what a blunder stands beside is looked at again`() {
        assertEquals(written.int("deeper"), DEEPER)
        for (case in written.children("again")) {
            val actions = case.ints("actions")
            val found = mutableListOf<Seen>()
            for (plies in 0..actions.size) {
                found += checkNotNull(seeRoot(searchOf(case, actions.take(plies))))
                while (true) {
                    val at = findDoubts(found, actions).firstOrNull() ?: break
                    found[at] = checkNotNull(seeRoot(searchOf(case, actions.take(at), DEEPER))).copy(isSure = true)
                }
            }
            val wanted = readSeen(case)
            assertEquals(wanted.map { partsOf(it) }, found.map { partsOf(it) })
            for ((one, other) in wanted.zip(found)) assertEquals(one.chance, other.chance, 1e-9)
            assertTrue(found.any { it.isSure })
        }
    }

    private fun partsOf(seen: Seen) = Triple(seen.mover, seen.best, seen.isSure)

    @Test
    fun `moves are judged as written`() {
        assertEquals(written.int("fewest_moves"), FEWEST)
        val reasons = written.children("reasons")
        assertTrue(reasons.isNotEmpty())
        for (case in written.children("reviews") + reasons) {
            val at = case.text("about")
            val seen = readSeen(case)
            assertEquals(at, case.ints("doubted"), findDoubts(seen, case.ints("actions")))
            val actions = case.ints("actions")
            val moves = judge(seen, actions)
            assertEquals(at, case.children("moves").map { it.text("verdict") }, moves.map { nameOf(it.verdict) })
            assertEquals(at, actions.take(moves.size), moves.map { it.action })
            for ((wanted, move) in case.children("moves").zip(moves)) {
                assertEquals(at, wanted.int("player") to wanted["better"], move.player to move.better)
                assertEquals(at, wanted.double("loss"), move.loss, 1e-9)
                val reason = move.reason?.let { mapOf("code" to it.code.name.lowercase(), "action" to it.action) }
                assertEquals(at, wanted["reason"] to wanted["choice"], reason to move.isChoice)
                assertEquals(at, wanted["margin"] to wanted["unit"], move.margin to move.unit.name.lowercase())
            }
            for (player in 0..1) checkPlayer(case, moves, player)
            val next = actions.indices.plus(actions.size).map { nextMistake(moves, it) }
            assertEquals(at, case["next_mistakes"], next)
        }
    }

    private fun checkPlayer(case: Json, moves: List<Judged>, player: Int) {
        assertEquals(case.children("counts")[player], counts(moves, player).mapKeys { nameOf(it.key) })
        val wanted = (case["accuracy"] as List<*>)[player] as Number?
        val rate = accuracy(moves, player)
        assertEquals(wanted == null, rate == null)
        if (wanted != null && rate != null) assertEquals(wanted.toDouble(), rate, 1e-6)
    }

    @Test
    fun `nothing is seen before a move was visited`() {
        assertEquals(null, seeRoot(Search(startConnect4(), Uniform)))
    }

    private fun nameOf(verdict: Verdict): String = verdict.name.lowercase()
}
