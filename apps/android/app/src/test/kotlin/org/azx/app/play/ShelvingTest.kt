package org.azx.app.play

import org.azx.app.engine.Reading
import org.azx.app.engine.Settings
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.parseJson
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.READER
import org.azx.app.engine.review.Phase
import org.azx.app.play.library.Standing
import org.azx.app.play.library.readGameRecord
import org.azx.app.play.library.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** Games as records, and back. */
class ShelvingTest {
    private val sgf = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]EV[A cup]RE[B+R]RU[Japanese];B[ee]C[A good point]" +
        ";W[ec];B[cc](;W[ce])(;W[gg];B[gc]))"

    // What the page has written of that text.
    private val page = """{"azx_game":1,"id":"13fpbsz1uappgo0a","revision":"1ecmz941pobdnd07",
        "begun":"2026-11-27T02:51:28.699Z","changed":"2026-11-27T02:51:28.699Z","origin":"opened","game":"go",
        "settings":{"size":9,"komi":6.5},"bundle":null,
        "players":[{"kind":"file","name":"Honinbo","level":""},{"kind":"file","name":"Gennan","level":""}],
        "human":-2,"actions":[40,22,20,38],"end":{"kind":"told","result":"B+R","winner":0},"over":true,"winner":0,
        "rates":[],"seen":[],
        "told":{"EV":"A cup","PB":"Honinbo","PW":"Gennan","RE":"B+R","KM":"6.5","RU":"Japanese"},
        "comments":[[1,"A good point"]],"lines":[{"from":3,"actions":[60,24],"comments":[],"own":false}],"left_out":0}"""

    private fun membersOf(text: String): Map<*, *> = parseJson(text) as Map<*, *>

    @Test
    fun `a text is the same record here as on the page`() {
        val ofItsOwn = setOf("id", "revision", "begun", "changed")
        assertEquals(membersOf(page) - ofItsOwn, membersOf(readGame(sgf).text()) - ofItsOwn)
    }

    private val record: GameRecord get() = checkNotNull(readGameRecord(page))

    @Test
    fun `a record of other people is read to its end, by their names`() {
        val session = checkNotNull(record.unshelve()).session
        assertEquals("Honinbo" to "Gennan", session.names)
        assertEquals(Phase.OVER to 0, session.phase to session.winner)
        assertEquals(Phase.READ, checkNotNull(record.copy(end = null).unshelve()).session.phase)
        assertEquals("nobody has moved here", false, session.isUnderWay)
        val own = session.shorten(3).takeOver()
        assertEquals(Triple(1, null, null), Triple(own.human, own.names, own.ending))
        assertEquals(Phase.YOURS, own.phase)
    }

    @Test
    fun `a record that the rules or its end forbid is none`() {
        assertNotNull(record.unshelve())
        for (wrong in listOf(
            record.copy(actions = listOf(40, 40)), record.copy(actions = listOf(99)), record.copy(game = "shogi"),
            record.copy(settings = mapOf("size" to 9, "colour" to 1)), record.copy(settings = mapOf("size" to "x")),
            record.copy(end = Ending.Agreed(listOf(1))),
        )) assertNull(wrong.text(), wrong.unshelve())
        val agreed = record.copy(actions = listOf(40, 81, 81), end = Ending.Agreed(listOf(40)), human = 0)
        assertEquals(listOf(40), (agreed.unshelve()?.session?.ending as Ending.Agreed).dead)
        assertNull("it lies beside the board", agreed.copy(end = Ending.Agreed(listOf(81))).unshelve())
        val won = record.copy(game = "tictactoe", settings = emptyMap(), actions = listOf(0, 3, 1, 4, 2), human = 0)
        assertNull("a game that is over cannot be given up", won.copy(end = Ending.Resigned).unshelve())
    }

    @Test
    fun `a network of Go plays a game by any komi, and of its own size alone`() {
        val go = GAMES.getValue("go")
        val reading = { own: Settings -> Reading(go, go.encoding, go.numberings(begin(go)).first(), own) }
        assertEquals(9 to 6.5, record.settings.let { it["size"] to it["komi"] })
        assertTrue(reading(mapOf("komi" to 7.0)).plays(record))
        assertFalse(reading(mapOf("size" to 7)).plays(record))
    }

    @Test
    fun `a network of Gomoku plays a game by either rule`() {
        val gomoku = GAMES.getValue("gomoku")
        val own = mapOf("size" to 15, "rule" to "renju")
        val reading = Reading(gomoku, gomoku.encoding, gomoku.numberings(begin(gomoku)).first(), own)
        val game = { size: Int, rule: String ->
            record.copy(game = "gomoku", settings = mapOf("size" to size, "rule" to rule), actions = emptyList())
        }
        assertTrue(reading.plays(game(15, "freestyle")))
        assertFalse(reading.plays(game(19, "renju")))
    }

    @Test
    fun `how a game stands is told of who has played it here`() {
        val (mine, other) = record.copy(human = 0) to record.copy(human = 1)
        val all = listOf(
            record, mine.copy(isOver = false), mine, other, mine.copy(winner = null), record.copy(human = NOBODY),
        )
        assertEquals(
            listOf(Standing.OTHERS, Standing.OPEN, Standing.WON, Standing.LOST, Standing.DRAW, Standing.WATCHED),
            all.map(Standing::of),
        )
        assertEquals(READER, record.human)
    }
}
