package org.azx.app.play.people

import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.READER
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.review.Phase
import org.azx.app.play.library.Standing
import org.azx.app.play.library.readGameRecord
import org.azx.app.play.library.text
import org.azx.app.play.textOf
import org.azx.app.play.unshelve
import org.azx.app.play.unshelveShared
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** Two people at one device: moves, undo, clocks, records. */
class SharedTableTest {
    private var now = 0L
    private var kept: GameRecord? = null

    private fun sit(game: String, agreed: Agreed = Agreed("Ann" to "Bo"), settings: Map<String, Any> = emptyMap()) =
        byName(game).let { found ->
            val begun = beginShared(settings, listOf(begin(found, settings)), found, agreed)
            SharedTable(begun, found, { kept = it }, { now }).apply { enter() }
        }

    /** The table that comes back from what was kept. */
    private fun again(game: String): SharedTable {
        val record = checkNotNull(readGameRecord(checkNotNull(kept).text()))
        return SharedTable(checkNotNull(record.unshelveShared()), byName(game), { kept = it }, { now })
    }

    @Test
    fun `every game begins on every board that its rules allow`() {
        for (game in GAMES.values) {
            for (shape in game.shapes) {
                val table = sit(game.name, settings = shape.settings)
                assertEquals("${game.name} ${shape.settings}", shape.board, table.session.latest.board)
                table.play(table.session.latest.legalActions()[0])
                assertEquals(shape.settings, again(game.name).kept.settings.filterKeys { it in shape.settings })
            }
        }
    }

    @Test
    fun `the record has two people by their names, and another app reads it`() {
        val table = sit("connect4")
        table.play(38)
        val record = checkNotNull(kept)
        assertEquals(READER, record.human)
        assertEquals(listOf(SideKind.PERSON, SideKind.PERSON), record.players.toList().map { it.kind })
        assertEquals(listOf("Ann", "Bo"), record.players.toList().map { it.name })
        assertTrue(record.isOfTwo)
        assertEquals(Standing.OPEN, Standing.of(record))
        // A network's table reads and reviews it, and keeps who has played.
        val read = checkNotNull(record.unshelve())
        assertTrue(read.session.isRead)
        assertEquals("Ann" to "Bo", read.session.names)
        assertEquals(record.players, read.identity.sides)
    }

    @Test
    fun `a move is taken back at once, or if the other one agrees`() {
        val once = sit("tictactoe")
        once.play(4)
        once.undo()
        assertEquals(emptyList<Int>(), once.session.actions)
        val asked = sit("tictactoe", Agreed("Ann" to "Bo", isUndoAsked = true))
        asked.play(4)
        asked.undo()
        assertEquals(0, asked.shared.asker)
        asked.play(0)
        assertEquals("nobody moves before the answer", listOf(4), asked.session.actions)
        val later = again("tictactoe")
        assertEquals("the question is kept", 0, later.shared.asker)
        later.answer(false)
        assertEquals(listOf(4), later.session.actions)
        later.undo()
        later.answer(true)
        assertEquals(emptyList<Int>(), later.session.actions)
        assertNull(later.shared.asker)
    }

    @Test
    fun `time goes by from the first move on, and a move adds some`() {
        val table = sit("connect4", Agreed(minutes = 1, increment = 5))
        now += 30_000
        table.play(38)
        assertEquals(65_000L to 60_000L, table.leftOf(0) to table.leftOf(1))
        now += 10_000
        assertEquals(50_000L, table.leftOf(1))
        table.play(31)
        assertEquals(65_000L to 55_000L, table.leftOf(0) to table.leftOf(1))
        now += 5_000
        table.leave()
        now += 1_000_000
        val later = again("connect4")
        later.enter()
        assertEquals("it stands still while nobody is there", 60_000L, later.leftOf(0))
        now += 59_999
        assertEquals(false, later.tick())
        now += 1
        assertTrue(later.tick())
        assertEquals(Phase.OVER to 1, later.session.phase to later.session.winner)
        assertEquals(1, checkNotNull(kept).winner)
        assertTrue("it stays so", again("connect4").session.phase == Phase.OVER)
        later.undo()
        assertEquals("lost time does not come back", Phase.OVER, later.session.phase)
    }

    @Test
    fun `who gives up has lost, and SGF says so`() {
        val table = sit("go", settings = mapOf("size" to 19))
        table.play(60)
        table.resign()
        assertEquals(0, table.session.winner)
        val text = textOf(table.kept, byName("go"), table.kept.settings, "Ann" to "Bo")
        assertTrue(text, "RE[B+R]" in text && "SZ[19]" in text && "PB[Ann]" in text)
        assertEquals(0, again("go").session.winner)
        assertEquals(Standing.PEOPLE, Standing.of(checkNotNull(kept)))
    }

    @Test
    fun `dead stones are agreed on, and a rematch swaps sides`() {
        val table = sit("go")
        for (action in listOf(40, 0, 81, 81)) table.play(action)
        assertTrue(table.isScoring)
        table.play(0)
        assertEquals(setOf(0), table.counted?.dead)
        table.settle()
        assertEquals(0, again("go").session.winner)
        assertEquals("Bo" to "Ann", table.rematch().session.names)
    }

    @Test
    fun `what JSON says of a clock is not believed`() {
        val table = sit("connect4", Agreed(minutes = 1))
        table.play(38)
        val text = checkNotNull(kept).text()
        assertNotNull(readGameRecord(text))
        for (bad in listOf("\"base\":-1", "\"base\":99999999", "\"base\":\"x\"")) {
            assertNull(bad, readGameRecord(text.replace("\"base\":60", bad)))
        }
    }
}
