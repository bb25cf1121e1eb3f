package org.azx.app.play.library

import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.freshId
import org.azx.app.engine.records.newIdentity
import org.azx.app.engine.records.timeText
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import java.io.IOException

class LibraryTest {
    @get:Rule
    val temporary = TemporaryFolder()

    private val folder: File by lazy { temporary.root.resolve("games") }

    private fun record(time: Long = 0, vararg actions: Int) = GameRecord(
        newIdentity(Origin.PLAYED), freshId(), timeText(time), "tictactoe", emptyMap(), null,
        Side(SideKind.PERSON, "", "") to Side(SideKind.NETWORK, "Tic-tac-toe", "level 3"),
        0, actions.toList(), null, false, null, emptyMap(), emptyList(),
    )

    private fun library() = Library(folder).open()

    private fun names() = folder.list().orEmpty().toSet()

    @Test
    fun `a record is a file, and the next process has it`() {
        val (one, other) = record(1, 4) to record(2, 0, 3)
        val library = library()
        library.keep(one)
        library.keep(other)
        assertEquals("at once, the last one first", listOf(other, one), library.list())
        library.settle()
        assertEquals(setOf("${one.id}.json", "${other.id}.json"), names())
        assertEquals(listOf(other.text(), one.text()), library().list().map { it.text() })
    }

    @Test
    fun `a later change takes the place of the one before`() {
        val (library, record) = library() to record(1, 4)
        repeat(50) { library.keep(record.copy(actions = List(it) { at -> at })) }
        library.settle()
        assertEquals(49, library()[record.id]?.actions?.size)
        assertEquals(setOf("${record.id}.json"), names())
    }

    @Test
    fun `what is removed is gone, and comes back as it was`() {
        val (library, record) = library() to record(1, 4)
        library.keep(record)
        library.remove(record.id)
        assertNull(library[record.id])
        library.settle()
        assertEquals(emptySet<String>(), names())
        library.remove(record.id)
        library.keep(record)
        library.settle()
        assertEquals(listOf(4), library()[record.id]?.actions)
    }

    @Test
    fun `a damaged file is told of, left alone, and costs no other game`() {
        val record = record(1, 4)
        library().run {
            keep(record)
            settle()
        }
        val damaged = mapOf(
            "cut.json" to record.text().dropLast(9), "empty.json" to "", "00000000.json" to record.text(),
            "later.json" to record.text().replace("\"azx_game\":1", "\"azx_game\":2"),
            "large.json" to " ".repeat(2_000_001),
        )
        for ((name, text) in damaged) File(folder, name).writeText(text)
        File(folder, "${record.id}.part").writeText("half")
        File(folder, "notes.txt").writeText("mine")
        val library = library()
        assertEquals(listOf(record.id), library.list().map { it.id })
        assertEquals(damaged.keys, library.damaged.toSet())
        for ((name, text) in damaged) assertEquals(name, text, File(folder, name).readText())
        assertFalse("what was half done is no game", "${record.id}.part" in names())
        assertTrue("notes.txt" in names())
    }

    @Test
    fun `where the disk takes nothing the game stays in memory, what was there stays, and it is said`() {
        val record = record(1, 4)
        val first = library()
        first.keep(record)
        first.settle()
        // A folder cannot be overwritten, whoever runs the test: nothing of a full disk is left to chance.
        File(folder, "${record.id}.part").mkdirs()
        File(folder, "${record.id}.part/x").writeText("")
        var refusal: IOException? = null
        first.keep(record.copy(actions = listOf(4, 0))) { refusal = it }
        first.settle()
        assertNotNull(refusal)
        assertEquals(listOf(4, 0), first[record.id]?.actions)
        assertEquals(listOf(4), library()[record.id]?.actions)
        File(folder, "${record.id}.part").deleteRecursively()
        first.keep(record.copy(actions = listOf(4, 0, 1))) { refusal = it }
        first.settle()
        assertNull("there is room again", refusal)
        assertEquals(listOf(4, 0, 1), library()[record.id]?.actions)
    }

    @Test
    fun `what is kept while the files are read is not lost`() {
        val record = record(1, 4)
        library().run {
            keep(record)
            settle()
        }
        val early = Library(folder)
        early.keep(record.copy(actions = listOf(4, 0)))
        assertEquals(listOf(4, 0), early.open()[record.id]?.actions)
    }

    @Test
    fun `a folder has one library`() {
        assertTrue(Library.at(folder) === Library.at(folder))
    }
}
