package org.azx.app.engine

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.io.File

/** Searches as a bundle's `search` sets them, and settings that are not known. */
class SearchesTest {
    // As the app reads a manifest: which numbers are whole decides.
    private val file = membersOf(parseJson(File(Fixtures.root, "mobile_assets/fixtures/searches.json").readText()))

    @Test
    fun `logarithms are those of every language to the last bit`() {
        for (pair in file["logarithms"] as List<*>) {
            val (number, expected) = (pair as List<*>).map { (it as Number).toDouble() }
            assertEquals(expected, logarithm(number), 0.0)
        }
    }

    @Test
    fun `moves are visited in the order that was written`() {
        for (written in file.children("halvings")) {
            val halving = Halving(written.int("considered"), written.int("simulations"))
            assertEquals(written.ints("steps"), written.ints("steps").map { halving.step() })
        }
    }

    @Test
    fun `lower bounds are those of every language to the last bit`() {
        for (bound in file["bounds"] as List<*>) {
            val (visits, total, squares, errors, expected) = (bound as List<*>).map { (it as Number).toDouble() }
            assertEquals(expected, lowerBound(visits.toInt(), total, squares, errors), 0.0)
        }
    }

    @Test
    fun `makes the visits of every search`() {
        assertTrue(file.children("cases").size > 50)
        for (written in file.children("cases")) repeatSearch(written, file.double("c"))
    }

    private fun repeatSearch(written: Json, constant: Double) {
        val start = after(written.text("game"), emptyMap(), written.ints("actions"))
        val settings = searchFrom(written["search"])
        val proves = written["proves"] as Boolean
        // What says where C begins has no other constant.
        val given = if ("c_init" in membersOf(written["search"])) null else { _: Int -> constant }
        val search = Search(start, HashEvaluator, given, proves = proves, settings = settings)
        for ((move, expected) in written.children("moves").withIndex()) {
            if (written["plan"] !is String) search.plan(written["plan"] as Int?)
            for (simulations in written.ints("runs")) search.run(simulations)
            val visited = search.visits().filterValues { it > 0 }.mapKeys { it.key.toString() }
            val report = search.report()
            val wanted = listOf(expected["visits"], expected.int("depth"), expected.int("best"))
            assertEquals("$written, move $move", wanted, listOf(visited, report.depth, report.action))
            search.play(report.action)
        }
    }

    @Test
    fun `a search for a time is one plan in growing parts`() {
        val searches = List(2) {
            Search(after("go", emptyMap(), emptyList()), HashEvaluator, settings = SearchSettings(Gumbel()))
        }
        searches[0].run(96, 3600.0)
        searches[1].plan(null)
        searches[1].run(96)
        assertEquals(searches[1].visits(), searches[0].visits())
    }

    @Test
    fun `settings that are not known are named by their place`() {
        assertTrue(file.children("settings").size > 10)
        for (written in file.children("settings")) {
            assertEquals("$written", written["fault"], faultIn(written.child("search")))
        }
    }

    private fun assertSame(wanted: SearchSettings, found: SearchSettings) {
        val parts = { it: SearchSettings -> listOf(it.cInit, it.firstPlay, it.earlyStop, it.lowerBound) }
        assertEquals(parts(wanted), parts(found))
        assertEquals(
            wanted.root?.run {
                Triple(considered, visit, scale)
            },
            found.root?.run { Triple(considered, visit, scale) },
        )
    }

    @Test
    fun `settings are the usual ones where a bundle has none, or names them`() {
        assertSame(SearchSettings(), searchFrom(null))
        assertSame(SearchSettings(), searchFrom(mapOf("root" to mapOf("kind" to "puct"))))
        val root = mapOf("kind" to "gumbel", "considered" to 4, "c_scale" to 1)
        assertSame(SearchSettings(Gumbel(4, scale = 1.0)), searchFrom(mapOf("root" to root)))
        val puct = mapOf("root" to mapOf("kind" to "puct"), "c_init" to 2, "first_play" to 0)
        assertSame(SearchSettings(null, 2.0, 0.0), searchFrom(puct))
        val early = mapOf("root" to mapOf("kind" to "puct"), "early_stop" to true)
        assertSame(SearchSettings(earlyStop = true), searchFrom(early))
        val bound = mapOf("root" to mapOf("kind" to "puct"), "lower_bound" to 0)
        assertSame(SearchSettings(lowerBound = 0.0), searchFrom(bound))
    }
}
