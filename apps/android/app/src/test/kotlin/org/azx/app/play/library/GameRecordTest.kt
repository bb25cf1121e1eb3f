package org.azx.app.play.library

import org.azx.app.engine.parseJson
import org.azx.app.engine.records.BundleName
import org.azx.app.engine.records.Comment
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.Line
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.READER
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.freshId
import org.azx.app.engine.records.timeOf
import org.azx.app.engine.records.timeText
import org.azx.app.engine.writeJson
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** A game as JSON: every app's, read and written; nothing of a file is believed. */
class GameRecordTest {
    // As the page writes it.
    private val page = """{"azx_game":1,"id":"0rk2m3b7c9d1e5f8","revision":"1abcdefghijklmno",
        "begun":"2026-11-20T10:11:12.131Z","changed":"2026-11-21T01:02:03.004Z","origin":"opened","game":"go",
        "settings":{"size":9,"komi":7},"bundle":{"name":"go","given":false},
        "players":[{"kind":"file","name":"Honinbo","level":""},{"kind":"file","name":"\u672c\ud83d\ude00","level":""}],
        "human":-2,"actions":[40,22,20],"end":{"kind":"told","result":"B+R","winner":0},"over":true,"winner":0,
        "rates":[],"seen":[[0,0.5,40,false],[1,0.25,null,true]],"told":{"EV":"A cup","KM":"7"},
        "comments":[[1,"A good \"point\"\n"]],
        "lines":[{"from":3,"actions":[24,60],"comments":[[2,"so"]],"own":true}],"left_out":2}"""

    @Test
    fun `the page's record is read, and written with the same members and values`() {
        val record = checkNotNull(readGameRecord(page))
        assertEquals("0rk2m3b7c9d1e5f8" to Origin.OPENED, record.id to record.identity.origin)
        assertEquals(listOf(40, 22, 20) to READER, record.actions to record.human)
        assertEquals(Side(SideKind.FILE, "Honinbo", ""), record.players.first)
        assertEquals(BundleName("go", false), record.bundle)
        val end = record.end as Ending.Told
        assertEquals("B+R" to 0, end.result to end.winner)
        assertEquals(listOf(Comment(1, "A good \"point\"\n")), record.identity.beside.comments)
        assertEquals(listOf(Line(3, listOf(24, 60), listOf(Comment(2, "so")), true)), record.identity.beside.lines)
        assertEquals(parseJson(page), parseJson(record.text()))
        assertTrue("no letter is lost on the way", record.text().all { it.code < 128 || !it.isSurrogate() })
    }

    @Test
    fun `other ends, sides and origins come back as they were`() {
        val ends = listOf("null", """{"kind":"resigned"}""", """{"kind":"agreed","dead":[3,4]}""")
        val told = Regex("\"end\":\\{[^}]*\\}")
        for (end in ends) {
            val text = page.replace(told, Regex.escapeReplacement("\"end\":$end"))
            assertEquals(parseJson(text), parseJson(checkNotNull(readGameRecord(text)).text()))
        }
        val side = """{"kind":"network","name":"Go","level":"level 3","bundle":{"name":"go","given":true}}"""
        val between = page.replace(Regex("\"players\":\\[.*\\]"), "\"players\":[$side,$side]").replace("-2", "-1")
        val record = checkNotNull(readGameRecord(between))
        assertEquals("it goes on with both", record.players, record.identity.sides)
        assertEquals(parseJson(between), parseJson(record.text()))
    }

    /** The page says which game of a series it is, and what the next one needs: here the game is one for itself. */
    @Test
    fun `a game of a series of the page is read without it`() {
        val place = """{"id":"5e51e5f00000","round":3,"count":10,"seed":7,"openings":[[0,4]]}"""
        for (series in listOf(place, "3")) {
            val record = checkNotNull(readGameRecord(page.dropLast(1) + ""","series":$series}"""))
            assertEquals(parseJson(page), parseJson(record.text()))
        }
    }

    @Test
    fun `a record keeps how many of its moves place stones, and has none where it does not say`() {
        val told = page.dropLast(1) + ""","set_up":2}"""
        val record = checkNotNull(readGameRecord(told))
        assertEquals(2 to 1, record.setUp to record.played)
        assertEquals(parseJson(told), parseJson(record.text()))
        val other = checkNotNull(readGameRecord(page))
        assertEquals(0, other.setUp)
        assertTrue("it is another game", !record.goesOnFrom(other) && record.goesOnFrom(record))
    }

    @Test
    fun `what is no record is none`() {
        val members = parseJson(page) as Map<*, *>
        assertNotNull(readGameRecord(writeJson(members)))
        for (name in members.keys - setOf("bundle", "end", "winner")) {
            assertNull("without $name", readGameRecord(writeJson(members - name)))
        }
        val damaged = listOf(
            "azx_game" to 2, "id" to "../../x", "id" to "SHOUTED1", "revision" to 3, "begun" to "yesterday",
            "origin" to "stolen", "settings" to listOf(1), "bundle" to mapOf("name" to "go"), "players" to listOf(1, 2),
            "human" to 2, "human" to -3, "actions" to listOf(-1), "actions" to List(2001) { 1 },
            "end" to mapOf("kind" to "x"), "over" to 1, "winner" to 2, "rates" to listOf(listOf(0, 1.5)),
            "seen" to listOf(listOf(0, 0.5, 1)),
            "told" to mapOf("EV" to 1), "comments" to listOf(listOf("x", "y")), "lines" to listOf(mapOf("from" to 1)),
            "left_out" to -1, "set_up" to -1, "set_up" to 4, "set_up" to 1.5, "set_up" to "1", "set_up" to true,
            "game" to "x".repeat(20_001),
        )
        for ((name, value) in damaged) assertNull("$name $value", readGameRecord(writeJson(members + (name to value))))
        for (text in listOf("", "{", "[]", "null", "{a=1}", page.dropLast(1))) assertNull(text, readGameRecord(text))
    }

    @Test
    fun `a name is fresh, a time is ISO 8601's, and JSON has no other values`() {
        assertEquals(1000, List(1000) { freshId() }.toSet().size)
        assertTrue(Regex("[0-9a-z]{16}").matches(freshId()))
        assertEquals("2026-11-21T01:02:03.004Z", timeText(checkNotNull(timeOf("2026-11-21T01:02:03.004Z"))))
        assertNull(timeOf("2026-13-41T01:02:03.004Z"))
        assertEquals("""[1,0.5,7,null,true,"\u0001\\\""]""", writeJson(listOf(1, 0.5, 7.0, null, true, "\u0001\\\"")))
        assertThrows(IllegalArgumentException::class.java) { writeJson(Double.NaN) }
        assertThrows(IllegalArgumentException::class.java) { writeJson('x') }
    }
}
