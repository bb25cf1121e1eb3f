package org.azx.app.engine.records

import org.azx.app.engine.Fixtures
import org.azx.app.engine.Json
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.child
import org.azx.app.engine.children
import org.azx.app.engine.games.byName
import org.azx.app.engine.int
import org.azx.app.engine.ints
import org.azx.app.engine.settings
import org.azx.app.engine.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** Records against records.json: what is read, what is refused with its sentence and its move, what is written. */
class RecordsTest {
    private val records = checkNotNull(Fixtures.readOrNull("records"))

    /** The positions of a text, which is of the game `open` where it does not say. */
    private fun statesIn(text: String, open: String?): List<State> {
        val record = readRecord(text)
        return record.states(begin(byName(record.game ?: open.orEmpty()), record.settings))
    }

    private fun actionsOf(states: List<State>): List<Int?> = states.drop(1).map { it.lastAction }

    /** Settings in which all numbers are alike. */
    private fun alike(settings: Map<String, Any?>): Map<String, Any?> =
        settings.mapValues { (_, value) -> (value as? Number)?.toDouble() ?: value }

    private fun playCase(case: Json): Written {
        val game = byName(case.text("game"))
        val states = case.ints("actions").runningFold(begin(game, case.settings())) { state, action ->
            state.apply(action)
        }
        val names = case["names"] as List<*>
        val resigned = (case["resigned"] as Number?)?.toInt()
        val called = names[0] as String to names[1] as String
        val setUp = (case["set_up"] as Number?)?.toInt() ?: 0
        return Written(game, case.settings(), states, resigned, called, case.ints("dead"), setUp = setUp)
    }

    @Test
    fun `has the limits of the list`() {
        val limits = records.child("limits")
        assertEquals(listOf(LARGEST, MOST_MOVES), listOf("bytes", "moves").map(limits::int))
    }

    @Test
    fun `reads a file in the character set that it names`() {
        val cases = records.children("encoded")
        assertTrue(cases.isNotEmpty())
        for (case in cases) {
            val bytes = case.text("bytes").chunked(2) { it.toString().toInt(16).toByte() }.toByteArray()
            assertEquals(case.text("name"), readRecord(textOf(bytes)).names.first)
        }
        assertEquals("connect4: 3\uFFFD", textOf("connect4: 3".toByteArray() + 0xFC.toByte()))
    }

    @Test
    fun `reads every good text`() {
        for (case in records.children("good")) {
            val (about, record) = case.text("about") to readRecord(case.text("text"))
            assertEquals(about, case["game"], record.game)
            assertEquals(about, alike(case.settings()), alike(record.settings))
            assertEquals(about, case["names"], record.names.toList())
            assertEquals(about, case.text("result") to case.int("ignored"), record.result to record.ignored)
            assertEquals(about, case.int("set_up"), record.setUp)
            assertEquals(about, case.ints("actions"), actionsOf(statesIn(case.text("text"), case["open"] as String?)))
        }
    }

    @Test
    fun `refuses every bad text with its sentence and its move`() {
        for (case in records.children("bad")) {
            val text = case.text("text").repeat(case.int("times"))
            val refused = runCatching { statesIn(text, case["open"] as String?) }.exceptionOrNull()
            assertTrue("${case.text("about")}: $refused", refused is RecordError)
            refused as RecordError
            assertEquals(case.text("about"), case["key"], refused.kind.key)
            assertEquals(case.text("about"), (case["move"] as Number?)?.toInt(), refused.move)
            assertEquals(refused.kind == RecordError.Kind.ILLEGAL, refused.reason != null)
        }
    }

    @Test
    fun `a pass that is owed is made once, however it is written or left out`() {
        val start = begin(byName("reversi"), mapOf("size" to 4))
        val played = listOf(11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14)
        // Black moves, and white has to pass: `ReversiTest` has the game.
        val states = played.runningFold(start) { state, action -> state.apply(action) }
        val names = states.zip(played) { state, action -> state.label(action) }
        val last = states.last().apply(16).label(0)
        for (pass in listOf(listOf("pass"), listOf("PASS"), emptyList())) {
            val moves = (names + pass + last).map { Move(it) }
            val read = Record("reversi", mapOf("size" to 4), moves).states(start)
            assertEquals("$pass", played + 16 + 0, actionsOf(read))
        }
    }

    @Test
    fun `reads in a time that grows with the length`() {
        assertEquals(listOf(38, 31), actionsOf(statesIn("3${" ".repeat(LARGEST - 2)}3", "connect4")))
        assertEquals("a b", readRecord("(;GM[1]SZ[9]PB[a${" ".repeat(LARGEST - 50)}b])").names.first)
        assertNotNull(readRecord("#".repeat(LARGEST)))
    }

    @Test
    fun `writes every game as the list has it, and reads it again`() {
        for (case in records.children("written")) {
            val game = playCase(case)
            assertEquals(listOf(case["line"], case["sgf"]), listOf(game.line(), game.sgf()))
            for (text in listOf("line", "sgf", "link").mapNotNull { case[it] as String? }) {
                assertEquals(case.ints("actions"), actionsOf(statesIn(text, null)))
            }
            val sgf = case["sgf"] as String? ?: continue
            assertEquals(sgf, (case["set_up"] as Number?)?.toInt() ?: 0, readRecord(sgf).setUp)
        }
        assertTrue(records.children("written").any { (it["set_up"] as Number?)?.toInt() == 5 })
    }

    @Test
    fun `the second player of Hex takes over a stone that was set up`() {
        val text = "(;GM[11]SZ[7]RU[swap]AB[c2];W[swap-pieces];B[d4])"
        val states = statesIn(text, null)
        assertEquals(listOf(9, 9, 24), actionsOf(states))
        val written = Written(byName("hex"), readRecord(text).settings, states, setUp = 1).sgf()
        assertTrue("$written", checkNotNull(written).endsWith("RU[swap]AB[c2]PL[W];W[swap-pieces];B[d4])\n"))
    }

    @Test
    fun `what a file tells of its stones is told once`() {
        val text = "(;GM[1]SZ[9]HA[2]AB[gc][cg];W[ee])"
        val (states, settings) = statesIn(text, null) to readRecord(text).settings
        val beside = Beside(told = mapOf("HA" to "3", "PL" to "B", "EV" to "A cup"))
        val written = Written(byName("go"), settings, states, beside = beside, setUp = 3).sgf()
        assertTrue("$written", checkNotNull(written).endsWith("EV[A cup]HA[2]AB[gc][cg]PL[W];W[ee])\n"))
    }
}
