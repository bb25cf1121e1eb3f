package org.azx.app.play

import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.engine.Uniform
import org.azx.app.engine.begin
import org.azx.app.engine.fromManifest
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.games.gameFrom
import org.azx.app.engine.games.withGame
import org.azx.app.engine.illegal
import org.azx.app.engine.mark
import org.azx.app.engine.membersOf
import org.azx.app.engine.ownerOf
import org.azx.app.engine.parseJson
import org.azx.app.engine.records.Written
import org.azx.app.engine.records.readRecord
import org.azx.app.engine.refuseOutside
import org.azx.app.engine.unknownPlane
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

private val PLANES = listOf("mover", "opponent")

/** A tiny game, added by rules and an entry and nothing else: three in a row on one row of cells. */
private class Row(val cells: List<Int>, val winner: Player? = null, override val lastAction: Int? = null) : State {
    override val actions get() = cells.size
    override val encoding get() = ROW.encoding.copy(board = listOf(1, cells.size))
    override val toMove get() = cells.count { it != 0 } % 2
    override val isTerminal get() = winner != null || 0 !in cells

    override fun legalActions(): IntArray =
        if (isTerminal) IntArray(0) else cells.indices.filter { cells[it] == 0 }.toIntArray()

    override fun whyIllegal(action: Int): Refusal? =
        refuseOutside(action) ?: Refusal(Refusal.Code.OCCUPIED).takeIf { cells[action] != 0 }

    override fun apply(action: Int): State {
        if (whyIllegal(action) != null) throw illegal("row", action, legalActions())
        val next = cells.toMutableList().also { it[action] = mark(toMove) }
        val won = next.windowed(3).any { three -> three.all { it == mark(toMove) } }
        return Row(next, toMove.takeIf { won }, action)
    }

    override fun returns(): Int = if (winner == null) 0 else 1 - 2 * winner

    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane("row", name, PLANES)
        val piece = mark(ownerOf(name, toMove))
        return FloatArray(cells.size) { if (cells[it] == piece) 1f else 0f }
    }

    override fun label(action: Int): String = action.toString()
}

/** What games/data/shapes.json would have of it. */
private const val ENTRY = """
    {"name": "row", "title": "Three in a row",
     "settings": [{"name": "size", "default": 6, "choices": [6, 8], "about": "cells"}],
     "encoding": {"layout": "channels_first", "planes": ["mover", "opponent"]},
     "board": [{"setting": "size", "times": 0, "plus": 1}, {"setting": "size", "times": 1, "plus": 0}],
     "policies": [{"name": "cell", "factors": [{"setting": "size", "times": 1, "plus": 0}], "plus": 0}]}
"""

private val ROW = gameFrom(membersOf(parseJson(ENTRY))) { Row(List(it["size"] as Int) { 0 }) }

/** The steps of docs/adding-a-game.md that need no screen. */
class AddingAGameTest {
    private fun start(vararg actions: Int, size: Int = 6): State =
        actions.fold(begin(ROW, mapOf("size" to size))) { state, action -> state.apply(action) }

    private fun best(state: State): Int = Search(state, Uniform).also { it.run(400) }.bestAction()

    @Test
    fun `it is found while it is there, and not afterwards`() {
        assertThrows(GameError::class.java) { byName("row") }
        withGame(ROW) {
            assertEquals("row", GAMES.keys.last())
            assertEquals(listOf(1, 8), begin(byName("row"), mapOf("size" to "8")).board)
            assertThrows(GameError::class.java) { begin(byName("row"), mapOf("size" to 7)) }
        }
        assertFalse("row" in GAMES)
    }

    @Test
    fun `a network's manifest is read, and its policy numbered`() {
        val planes = """{"layout": "channels_first", "board": [1, 8], "planes": ["mover", "opponent"]}"""
        val manifest = membersOf(parseJson("""{"game": "row", "actions": "cell", "encoding": $planes}"""))
        val reading = withGame(ROW) { fromManifest(manifest, 8, ::byName) }
        assertEquals(mapOf("size" to 8), reading.settings)
        val state = reading.start().apply(2)
        val tensor = FloatArray(16).also { it[10] = 1f }
        assertArrayEquals(tensor, reading.tensor(state), 0f)
        val outputs = FloatArray(8) { it.toFloat() }
        assertArrayEquals(outputs, reading.policy(outputs, state), 0f)
    }

    @Test
    fun `a search finds a win in one move, and stops another`() {
        assertTrue(best(start(2, 0, 3, 5)) in listOf(1, 4))
        assertEquals(2, best(start(0, 7, 1, size = 8)))
    }

    @Test
    fun `a game is played to its end, and its record read back`() {
        var session = startSession(start(3), 0)
        // The network plays the first cell that is free.
        while (session.phase != Phase.OVER) {
            val state = session.latest
            session = session.play(if (session.phase == Phase.YOURS) best(state) else state.legalActions().first())
        }
        assertEquals(0 to 4, session.winner to session.moves)
        assertEquals(3, session.undo().moves)
        val states = listOf(start()) + session.states
        val line = Written(ROW, emptyMap(), states).line()
        assertTrue(line, line.startsWith("row size=6: 3 0 "))
        withGame(ROW) {
            val record = readRecord(line)
            assertEquals("row", record.game)
            val read = record.states(begin(ROW, record.settings)).mapNotNull { it.lastAction }
            assertEquals(listOf(3) + session.actions, read)
        }
    }
}
