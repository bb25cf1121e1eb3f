package org.azx.app.bundle

import org.azx.app.engine.encode
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File

/** Readings that fit beside one that is only assumed: which can be chosen, and what a network is then given. */
class AssumedTest {
    @get:Rule
    val temporary = TemporaryFolder()

    private fun open(chosen: String?, member: String = CHOOSABLE, outputs: String = ""): Bundle {
        val shelf = Shelf(temporary.newFolder())
        val change = "\"checkpoint\": {" to "$member \"checkpoint\": {"
        val degree = "\"role\": \"policy\"" to "\"role\": \"policy\"$outputs"
        shelf.put(File(BUNDLES, "tictactoe"), emptyList(), "tictactoe", change, degree)
        return Bundle.open(readIndex(shelf.store).single(), shelf.store, chosen)
    }

    /** What the network reads of the upper and the lower left corner once the first player is in the upper one. */
    private fun corners(bundle: Bundle): List<Int> {
        val tensor = encode(bundle.reading.start().apply(0), bundle.reading.encoding)
        return listOf(tensor[0].toInt(), tensor[6].toInt())
    }

    @Test
    fun `a bundle is read as assumed, or as a person has chosen`() {
        assertEquals(listOf(-1, 0), corners(open(null)))
        assertEquals(listOf(1, 0), corners(open("tictactoe-signed-opponent")))
        val flipped = open("tictactoe-bottom-first")
        assertEquals(listOf(0, 1), corners(flipped))
        assertEquals("the moves are numbered as it does", 6, flipped.reading.numbering?.index(0))
        assertEquals("one that is none", listOf(-1, 0), corners(open("tictactoe-planes")))
        assertEquals("no choice where it is known", listOf(-1, 0), corners(open("tictactoe-signed-opponent", "")))
    }

    @Test
    fun `what is in doubt is told, of readings that the network can have`() {
        assertNull(open(null, "").doubt)
        val doubt = checkNotNull(open("tictactoe-signed-opponent").doubt)
        assertEquals(listOf("signed"), doubt.assumed.planes)
        assertEquals(listOf("tictactoe-signed-opponent", "tictactoe-bottom-first"), doubt.others.keys.toList())
        assertEquals("tictactoe-signed-opponent", doubt.chosen)
        assertNull("one that is not offered is not chosen", open("tictactoe-planes").doubt?.chosen)
        assertEquals(emptySet<String>(), open(null, "\"assumed\": {\"others\": []},").doubt?.others?.keys)
    }

    @Test
    fun `outputs that are told by their shapes alone are a doubt of their own`() {
        val doubt = checkNotNull(open(null, "", ", \"degree\": \"assumed\"").doubt)
        assertEquals(listOf(false, true, 0), listOf(doubt.board, doubt.outputs, doubt.others.size))
        val both = checkNotNull(open(null, CHOOSABLE, ", \"degree\": \"assumed\"").doubt)
        assertEquals(listOf(true, true), listOf(both.board, both.outputs))
        assertEquals(listOf(true, false), open(null).doubt?.run { listOf(board, outputs) })
    }
}
