package org.azx.app.engine

import org.azx.app.engine.games.byName
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Test

private val COLUMNS = mapOf(
    "game" to "connect4",
    "settings" to emptyMap<String, Any>(),
    "encoding" to mapOf("layout" to "sum", "board" to listOf(6, 7), "planes" to listOf("signed")),
    "actions" to "column",
)

class RecognitionTest {
    private fun readingOf(manifest: Map<String, Any?>, width: Int?): Reading = fromManifest(manifest, width, ::byName)

    @Test
    fun `says how another author's network is asked and numbers its actions`() {
        val reading = readingOf(COLUMNS, 7)
        val state = reading.start().apply(38)
        assertEquals(-1f, reading.tensor(state)[38], 0f)
        val policy = reading.policy(FloatArray(7) { 10f + it }, state)
        assertEquals(listOf(13f, 10f, 16f), listOf(policy?.get(31), policy?.get(35), policy?.get(41)))
    }

    @Test
    fun `says whose value the network gives`() {
        val encoding = COLUMNS["encoding"] as Map<*, *>
        val own = readingOf(COLUMNS, 7)
        val first = readingOf(COLUMNS + ("encoding" to encoding + ("value" to "player0")), 7)
        val start = own.start()
        assertEquals(listOf(0.25, 0.25), listOf(own, first).map { it.value(0.25, start) })
        assertEquals(listOf(0.25, -0.25), listOf(own, first).map { it.value(0.25, start.apply(38)) })
    }

    @Test
    fun `takes a list with the policy's index of each action`() {
        val listed = COLUMNS + ("actions" to List(42) { 41 - it })
        val reading = readingOf(listed, 42)
        val policy = reading.policy(FloatArray(42) { it.toFloat() }, reading.start())
        assertEquals(listOf(41f, 0f), listOf(policy?.get(0), policy?.get(41)))
    }

    @Test
    fun `is shown the board turned for the second player, whose moves are numbered likewise`() {
        val encoding = mapOf("layout" to "sum", "planes" to listOf("signed"), "turned" to true)
        fun ofBoard(vararg board: Int) =
            readingOf(mapOf("game" to "hex", "encoding" to encoding + ("board" to board.asList())), 25)
        val reading = ofBoard(5, 5)
        val numbers = FloatArray(25) { it.toFloat() }
        val second = reading.start().apply(1)
        assertEquals(listOf(1f, 5f), listOf(reading.start(), second).map { reading.policy(numbers, it)?.get(1) })
        // The first player's stone on b1 lies in the second row then.
        assertEquals(5, reading.tensor(second).indexOfFirst { it == -1f })
        assertThrows(GameError::class.java) { ofBoard(5, 6) }
    }

    @Test
    fun `has no policy where the network has none`() {
        val silent = readingOf(COLUMNS + ("actions" to "none"), null)
        assertNull(silent.policy(FloatArray(0), silent.start()))
    }

    @Test
    fun `tells the size by its board where it has no settings`() {
        val encoding = mapOf("layout" to "sum", "board" to listOf(9, 5), "planes" to listOf("edges"))
        val reading = readingOf(mapOf("game" to "dots_and_boxes", "encoding" to encoding), 41)
        assertEquals(mapOf("size" to 4), reading.settings)
        assertEquals(41, reading.start().actions)
        assertEquals("edge", reading.numbering?.name)
    }

    @Test
    fun `is refused with a reason where it is not sound`() {
        assertRefused("game 'chess' is unknown: this app plays connect4, tictactoe") {
            readingOf(COLUMNS + ("game" to "chess"), 7)
        }
        assertRefused("the policy's 42 outputs do not number Connect4's actions by 'column'") {
            readingOf(COLUMNS, 42)
        }
        for (indices in listOf(listOf(0, 7), List(42) { 7 }, List(42) { 0.5 }, List(42) { "0" })) {
            assertRefused("'actions' must list 42 indices from 0 to 6") {
                readingOf(COLUMNS + ("actions" to indices), 7)
            }
        }
        val edges = mapOf("layout" to "sum", "board" to listOf(6, 7), "planes" to listOf("edges"))
        assertRefused("connect4: there is no plane 'edges'") { readingOf(COLUMNS + ("encoding" to edges), 7) }
    }
}

class SettingsTest {
    private fun startOf(name: String, settings: Settings): State = begin(byName(name), settings)

    @Test
    fun `may be given as text, or as any number of JSON`() {
        for (size in listOf(4, 4L, 4.0, "4", " 4 ")) {
            assertEquals(41, startOf("dots_and_boxes", mapOf("size" to size)).actions)
        }
        assertEquals(25, startOf("dots_and_boxes", emptyMap()).actions)
    }

    @Test
    fun `are refused with a reason where there is no such one`() {
        for (size in listOf<Any>(7, 3.5, "many", "", Double.NaN)) {
            assertRefused("setting size: '$size' is not possible, use 2, 3, 4, 5, 6.") {
                startOf("dots_and_boxes", mapOf("size" to size))
            }
        }
        assertRefused("Connect4 has no setting 'size': it has rows, columns.") {
            startOf("connect4", mapOf("size" to 8))
        }
        assertRefused("Dots and Boxes has no setting 'komi': it has size.") {
            startOf("dots_and_boxes", mapOf("komi" to 8))
        }
    }

    @Test
    fun `without choices take any finite number, and texts take texts alone`() {
        val komi = Setting("komi", 7.5, emptyList(), "points")
        assertEquals(listOf<Any>(7.5, 6.0, 5.5), listOf(read(komi, null), read(komi, 6), read(komi, "5.5")))
        assertRefused("setting komi: 'many' is not possible, use a number.") { read(komi, "many") }
        assertRefused("setting komi: 'Infinity' is not possible") { read(komi, Double.POSITIVE_INFINITY) }
        val rule = Setting("rule", "freestyle", listOf("freestyle", "renju"), "what black may not play")
        assertEquals("renju", read(rule, "renju"))
        assertRefused("setting rule: '5' is not possible, use freestyle, renju.") { read(rule, 5) }
    }
}
