package org.azx.app.engine

import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters

/** Every golden file of every game that has some. */
@RunWith(Parameterized::class)
class FixturesTest(private val game: String) {
    @Test
    fun `plays every game as it was written`() {
        val games = Fixtures.read(game, "playthrough").children("games")
        assertTrue("there is no game to be played", games.isNotEmpty())
        for (written in games) playThrough(written)
    }

    private fun playThrough(written: Json) {
        var state = begin(byName(game), written.settings())
        for ((ply, before) in written.children("plies").withIndex()) {
            val at = "${written["about"]}, ply $ply"
            val expected = listOf(before.text("legal"), before.text("legal"), before.text("board"), false)
            assertEquals(at, expected, listOf(legal(state), withoutReason(state), draw(state), state.isTerminal))
            state = state.apply(before.int("action"))
            assertEquals(at, before.int("action"), state.lastAction)
        }
        val end = written.child("end")
        val found = listOf(draw(state), state.isTerminal, state.returns())
        assertEquals(listOf(end["board"], end["is_terminal"], end.int("returns")), found)
    }

    @Test
    fun `draws the tensor of every state`() {
        val file = Fixtures.read(game, "encoding")
        val encoding = encodingFrom(file["encoding"])
        assertEquals(encoding, byName(game).encoding)
        val states = file.children("states")
        assertTrue("there is no state to be drawn", states.isNotEmpty())
        for (written in states) drawTensor(written, encoding)
    }

    private fun drawTensor(written: Json, encoding: Encoding) {
        val state = after(game, written.settings(), written.ints("actions"))
        val tensor = FloatArray(written.ints("tensor").size) { written.ints("tensor")[it].toFloat() }
        val ofBoard = encoding.copy(board = state.board)
        assertEquals(written.ints("shape"), shapeOf(ofBoard).toList())
        assertArrayEquals(tensor, encode(state, ofBoard), 0f)
        assertArrayEquals(tensor, state.encode(), 0f)
    }

    @Test
    fun `draws what other authors' networks read`() {
        val file = Fixtures.readOrNull("$game/readings")
        assumeTrue("mobile_assets/fixtures/$game/readings.json is not there", file != null)
        val states = checkNotNull(file).children("states")
        assertTrue("there is no reading to be drawn", states.isNotEmpty())
        for (written in states) {
            val encoding = encodingFrom(written["encoding"])
            val tensor = FloatArray(written.ints("tensor").size) { written.ints("tensor")[it].toFloat() }
            assertEquals(written.ints("shape"), shapeOf(encoding).toList())
            val state = after(game, written.settings(), written.ints("actions"))
            assertArrayEquals("$encoding", tensor, encode(state, encoding), 0f)
            val inputs = (written["inputs"] as? List<*> ?: listOf(written["tensor"])).map { (it as List<*>).size }
            assertEquals(inputs, encoding.inputSizes)
        }
    }

    @Test
    fun `hashes the first state to the worked values`() {
        val worked = Fixtures.read(game, "search").child("first_state")
        val hash = tensorHash(after(game, emptyMap(), emptyList()))
        assertEquals((worked["hash"] as Number).toLong(), hash)
        assertEquals(worked.double("value"), valueOf(hash), 0.0)
        val weights = worked.child("weights")
        assertTrue("there is no weight", weights.isNotEmpty())
        for (action in weights.keys) assertEquals(weights.int(action), weightOf(hash, action.toInt()))
    }

    @Test
    fun `makes the visits of every search`() {
        val file = Fixtures.read(game, "search")
        assertTrue("there is no search to be repeated", file.children("cases").isNotEmpty())
        for (written in file.children("cases")) repeatSearch(written, file.double("c"))
    }

    private fun repeatSearch(written: Json, constant: Double) {
        val start = after(game, written.settings(), written.ints("actions"))
        val search = Search(start, HashEvaluator, { constant })
        for ((move, expected) in written.children("moves").withIndex()) {
            val at = "after ${written["actions"]}, move $move"
            assertEquals(at, written.int("simulations"), search.run(written.int("simulations")))
            val visited = search.visits().filterValues { it > 0 }.mapKeys { it.key.toString() }
            val report = search.report()
            val wanted = listOf(expected["visits"], expected.int("depth"), expected.int("best"))
            assertEquals(at, wanted, listOf(visited, report.depth, report.action))
            search.play(report.action)
        }
    }

    @Test
    fun `proves what the rules prove and searches on`() {
        val file = Fixtures.read(game, "proven")
        assertTrue("there is nothing to be proven", file.children("cases").isNotEmpty())
        for (written in file.children("cases")) prove(written, file.double("c"))
    }

    private fun prove(written: Json, constant: Double) {
        val start = after(game, written.settings(), written.ints("actions"))
        val search = Search(start, HashEvaluator, { constant }, proves = true)
        for ((move, expected) in written.children("moves").withIndex()) {
            val at = "after ${written["actions"]}, move $move"
            val state = search.state
            val left = findForced(state)
            val isAll = left.moves.size == state.legalActions().size
            val glance = if (left.result == null) best(HashEvaluator.evaluate(state), left.moves) else left.moves[0]
            val made = search.run(written.int("simulations"))
            val visited = search.visits().filterValues { it > 0 }.mapKeys { it.key.toString() }
            val chosen = search.bestAction()
            val found = listOf(if (isAll) null else left.moves.toList(), left.result, glance, made, visited)
            val wanted = listOf("left", "result", "glance", "simulations", "visits").map { expected[it] }
            assertEquals(at, wanted, found)
            assertEquals(at, listOf(expected["proven"], expected["best"]), listOf(search.result, chosen))
            search.play(chosen)
        }
    }

    @Test
    fun `is asked by a network that answers as the file says`() {
        val file = Fixtures.read(game, "parity")
        val states = file.children("states")
        assertTrue("there is no answer to be read", states.isNotEmpty())
        for (written in states) readAnswer(written, encodingFrom(file["encoding"]))
    }

    /** The written answer, numbered as the shipped network's policy, prefers the action that the file calls best. */
    private fun readAnswer(written: Json, encoding: Encoding) {
        val state = after(game, emptyMap(), written.ints("actions"))
        val outputs = (written["policy"] as List<*>).map { (it as Number).toFloat() }.toFloatArray()
        val numbering = byName(game).numberings(state)[0]
        val policy = Reading(byName(game), encoding, numbering, emptyMap()).policy(outputs, state)
        assertEquals(outputs.size, numbering.width)
        assertEquals(written.int("best"), best(Evaluation(0.0, policy, logits = true), state.legalActions()))
    }

    companion object {
        @JvmStatic
        @Parameters(name = "{0}")
        fun games(): List<Array<String>> = Fixtures.names.map { arrayOf(it) }
    }
}

class CatalogueTest {
    @Test
    fun `has fixtures for every game that is played and plays every game that has fixtures`() {
        assertTrue("there are no fixtures", Fixtures.names.isNotEmpty())
        assertEquals(Fixtures.names, GAMES.keys.sorted())
    }

    @Test
    fun `calls every game by its own name`() {
        for ((name, game) in GAMES) assertEquals(game, byName(name).also { assertEquals(name, it.name) })
    }
}
