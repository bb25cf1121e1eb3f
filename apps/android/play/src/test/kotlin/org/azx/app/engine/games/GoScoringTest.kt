package org.azx.app.engine.games

import org.azx.app.engine.Fixtures
import org.azx.app.engine.after
import org.azx.app.engine.child
import org.azx.app.engine.children
import org.azx.app.engine.double
import org.azx.app.engine.int
import org.azx.app.engine.ints
import org.azx.app.engine.settings
import org.azx.app.engine.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** The end of a game of Go: the boards of scoring.json, counted alike in every language. */
class GoScoringTest {
    private val cases = Fixtures.read("go", "scoring").children("cases")

    @Test
    fun boardsAreCountedAsTheyWereWritten() {
        assertTrue(cases.size > 8)
        for (written in cases) {
            val about = written.text("about")
            val state = after("go", written.settings(), written.ints("actions")) as Go
            val found = state.ownership(written.int("playouts"), written.int("seed"))
            assertEquals(about, written.ints("black"), found.black.toList())
            assertEquals(about, written.ints("white"), found.white.toList())
            val leads = found.leads.toSortedMap().map { (lead, count) -> listOf(lead, count) }
            val wanted = (written.getValue("leads") as List<*>).map { pair ->
                (pair as List<*>).map { (it as Number).toInt() }
            }
            assertEquals(about, wanted, leads)
            val dead = state.deadStones(found)
            assertEquals(about, written.ints("dead"), dead)
            assertEquals(about, written.double("score"), state.score(), 0.0)
            assertEquals(about, written.double("score_without"), state.scoreWithout(dead), 0.0)
            val estimate = state.estimate(found)
            assertEquals(about, written.child("estimate").double("score"), estimate.score, 0.0)
            assertEquals(about, written.child("estimate").double("spread"), estimate.spread, 0.0)
            val points = listOf(estimate.points, estimate.pointsOfSpread)
            assertEquals(about, written.child("estimate").ints("points"), points)
            assertEquals(about, written.child("estimate").int("percent"), estimate.percent)
            assertEquals(about, written.child("estimate").text("certainty"), estimate.certainty.name.lowercase())
            assertEquals(about, written["settled"], state.isSettled(found))
            assertEquals(about, written["may_pass"], state.mayPass())
        }
    }

    @Test
    fun aChainIsAllStonesThatAreConnected() {
        val state = after("go", emptyMap(), listOf(40, 0, 41, 1, 50, 80)) as Go
        assertEquals(listOf(40, 41, 50), state.chain(41))
        assertEquals(emptyList<Int>(), state.chain(2))
    }
}
