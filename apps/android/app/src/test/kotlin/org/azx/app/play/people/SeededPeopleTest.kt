package org.azx.app.play.people

import org.azx.app.engine.Fixtures
import org.azx.app.engine.Json
import org.azx.app.engine.begin
import org.azx.app.engine.child
import org.azx.app.engine.children
import org.azx.app.engine.draw
import org.azx.app.engine.games.byName
import org.azx.app.engine.int
import org.azx.app.engine.ints
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.settings
import org.azx.app.engine.text
import org.azx.app.play.library.readGameRecord
import org.azx.app.play.library.text
import org.azx.app.play.unshelveShared
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** The seeded deeds of two people, and positions that they set up, as mobile_assets/fixtures/people.json has them. */
class SeededPeopleTest {
    private val written = checkNotNull(Fixtures.readOrNull("people")) { "There is no people.json." }
    private var kept: GameRecord? = null
    private var deaths = 0

    @Test
    fun `60 sequences end as written, though the process ends after each deed`() {
        val sequences = written.children("sequences")
        assertEquals(60, sequences.size)
        for (case in sequences) {
            val (what, game) = "seed ${case["seed"]}: ${case["game"]}" to byName(case.text("game"))
            kept = null
            val agreed = Agreed("Ann" to "Bo", isUndoAsked = case["is_undo_asked"] == true)
            val start = beginShared(case.settings(), listOf(begin(game, case.settings())), game, agreed)
            var table = SharedTable(start, game, { kept = it }, { 0 })
            for (deed in case["deeds"] as List<*>) {
                table.act(deed as List<*>)
                // All that the next process has is the record.
                val record = kept?.let { readGameRecord(it.text()) } ?: continue
                table = SharedTable(checkNotNull(record.unshelveShared()) { what }, game, { kept = it }, { 0 })
                deaths++
            }
            check(what, case.child("end"), table)
        }
        assertTrue("$deaths", deaths > 500)
    }

    private fun SharedTable.act(deed: List<*>) = when (val name = deed[0]) {
        "play" -> play(deed[1] as Int)
        "undo" -> undo()
        "agree" -> answer(true)
        "refuse" -> answer(false)
        "resign" -> resign()
        "play_on" -> playOn()
        "settle" -> {
            for (at in deed[1] as List<*>) if (at as Int !in checkNotNull(counted).dead) play(at)
            settle()
        }
        else -> error("$name")
    }

    private fun check(what: String, end: Json, table: SharedTable) {
        val session = table.session
        assertEquals(what, end.ints("actions"), session.actions)
        assertEquals(what, end.text("board"), draw(session.latest))
        assertEquals(what, end.int("to_move"), session.latest.toMove)
        assertEquals(what, end.text("phase"), session.phase.name.lowercase())
        assertEquals(what, end["asker"], table.shared.asker)
        assertEquals(what, end["winner"], session.winner)
    }

    @Test
    fun `positions are set up as written, or refused`() {
        for (case in written.children("positions")) {
            val what = "seed ${case["seed"]}: ${case["game"]}"
            val pieces = (case["pieces"] as List<*>).associate { (it as List<*>)[0] as Int to it[1] as Int }
            val setUp = SetUp(byName(case.text("game")), case.settings(), pieces, case.int("to_move"))
            assertEquals(what, case.text("board"), draw(setUp.states().last()))
            assertEquals(what, case.int("to_move"), setUp.states().last().toMove)
            val other = setUp.letMove(case.child("other").int("to_move"))
            if (case.child("other")["refused"] == "turn") {
                assertTrue(what, assertThrows(Impossible::class.java) { other.states() }.isTurn)
            } else {
                assertEquals(what, other.mover, other.states().last().toMove)
            }
        }
    }
}
