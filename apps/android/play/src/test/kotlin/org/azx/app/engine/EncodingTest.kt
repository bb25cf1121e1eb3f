package org.azx.app.engine

import org.azx.app.engine.games.startConnect4
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** That a block throws a GameError whose sentence holds `words`. */
fun assertRefused(words: String, block: () -> Any?) {
    val sentence = assertThrows(GameError::class.java) { block() }.message.orEmpty()
    assertTrue("'$sentence' does not say '$words'", words in sentence)
    assertTrue("'$sentence' is no sentence", sentence.endsWith("."))
}

class EncodingTest {
    private val state = startConnect4().apply(38).apply(31)

    private fun tensor(layout: String, planes: List<Any>, board: Any = listOf(6, 7)): List<Float> =
        encode(state, encodingFrom(mapOf("layout" to layout, "board" to board, "planes" to planes))).toList()

    @Test
    fun `puts channels last, in a vector, or adds them up`() {
        val planes = listOf("mover", "opponent")
        val first = tensor("channels_first", planes)
        assertEquals(first, tensor("flat", planes))
        assertEquals((0 until 42).flatMap { listOf(first[it], first[42 + it]) }, tensor("channels_last", planes))
        assertEquals((0 until 42).map { first[it] + first[42 + it] }, tensor("sum", planes))
        assertEquals(1f, first[38], 0f)
    }

    @Test
    fun `has planes that every game knows`() {
        val signed = tensor("sum", listOf("signed"))
        assertEquals(listOf(1f, -1f, 0f), listOf(signed[38], signed[31], signed[0]))
        val all = listOf("ones", "zeros", "player0_to_move", "player1_to_move")
        assertEquals(List(42) { 2f }, tensor("sum", all))
    }

    @Test
    fun `draws the pieces of one player whoever is to move, and where the last one fell`() {
        val ofOne = state.apply(24)
        assertEquals(listOf(24, 38), cellsOf("player0", ofOne))
        assertEquals(listOf(31), cellsOf("player1", ofOne))
        assertEquals(listOf(24), cellsOf("last", ofOne))
        assertEquals(listOf(38), cellsOf("player0", state))
        assertEquals(listOf(31), cellsOf("player1", state))
        assertEquals(emptyList<Int>(), cellsOf("last", startConnect4()))
    }

    private fun cellsOf(plane: String, state: State): List<Int> {
        val drawn = encode(state, Encoding(Layout.FLAT, listOf(6, 7), listOf(plane)))
        return drawn.indices.filter { drawn[it] == 1f }
    }

    @Test
    fun `draws pieces of plies ago, and nothing last after a pass`() {
        val go = after("go", emptyMap(), listOf(3, 4, 81))
        fun sum(plane: String) =
            encode(go, Encoding(Layout.FLAT, listOf(9, 9), listOf(plane), history = History.REPEATED)).sum()
        val planes = listOf("player0@2", "player1@2", "player1@1", "player0@3", "last")
        assertEquals(listOf(1f, 0f, 1f, 0f, 0f), planes.map(::sum))
        val dots = after("dots_and_boxes", mapOf("size" to 2), listOf(11))
        assertArrayEquals(dots.plane("edges"), dots.plane("last"), 0f)
    }

    @Test
    fun `flips rows, then exchanges rows and columns`() {
        // Cell 31 is row 4, column 3.
        val plain = Encoding(Layout.CHANNELS_FIRST, listOf(6, 7), listOf("last", "ones"))
        fun shapeAndPlace(encoding: Encoding) =
            shapeOf(encoding).toList() to encode(state, encoding).asList().indexOf(1f)
        assertEquals(listOf(2, 6, 7) to 31, shapeAndPlace(plain))
        assertEquals(listOf(2, 6, 7) to 1 * 7 + 3, shapeAndPlace(plain.copy(flip = true)))
        assertEquals(listOf(2, 7, 6) to 3 * 6 + 4, shapeAndPlace(plain.copy(transpose = true)))
        assertEquals(listOf(2, 7, 6) to 3 * 6 + 1, shapeAndPlace(plain.copy(flip = true, transpose = true)))
        assertEquals(listOf(6, 7, 2) to 1, shapeAndPlace(plain.copy(flip = true, layout = Layout.CHANNELS_LAST)))
    }

    @Test
    fun `is refused where it asks for what there is not`() {
        val given = mapOf("layout" to "sum", "board" to listOf(6, 7), "planes" to listOf("mover"))
        val options = mapOf("flip" to true, "transpose" to null, "history" to "repeated", "value" to "player0")
        val read = Encoding(
            Layout.SUM, listOf(6, 7), listOf("mover"), flip = true, history = History.REPEATED, value = Whose.PLAYER0,
        )
        assertEquals(read, encodingFrom(given + options))
        assertRefused("history 'y' is unknown, use one of empty, repeated.") {
            encodingFrom(given + ("history" to "y"))
        }
        assertRefused("value 'black' is unknown, use one of mover, ") { encodingFrom(given + ("value" to "black")) }
        assertRefused("encoding: 'beside' is 5, give its planes as a list") { encodingFrom(given + ("beside" to 5)) }
        assertRefused("encoding: beside: 'planes' is empty, use one of ones, ") {
            encodingFrom(given + ("beside" to mapOf("planes" to emptyList<String>())))
        }
        assertRefused("flip 'yes' is unknown, use one of false, true.") { encodingFrom(given + ("flip" to "yes")) }
    }

    @Test
    fun `says which shape each layout has`() {
        fun shape(layout: Layout) = shapeOf(Encoding(layout, listOf(6, 7), listOf("mover", "opponent"))).toList()
        assertEquals(listOf(2, 6, 7), shape(Layout.CHANNELS_FIRST))
        assertEquals(listOf(6, 7, 2), shape(Layout.CHANNELS_LAST))
        assertEquals(listOf(84), shape(Layout.FLAT))
        assertEquals(listOf(6, 7), shape(Layout.SUM))
    }

    @Test
    fun `is read with every kind of whole number that JSON has`() {
        val read = encodingFrom(mapOf("layout" to "flat", "board" to listOf(6L, 7.0), "planes" to listOf("mover")))
        assertEquals(Encoding(Layout.FLAT, listOf(6, 7), listOf("mover")), read)
    }

    @Test
    fun `is refused with a reason where it is none`() {
        assertRefused("'planes' is missing") { encodingFrom(mapOf("layout" to "flat", "board" to listOf(3, 3))) }
        assertRefused("'layout' is missing") { encodingFrom(null) }
        assertRefused("layout 'spiral' is unknown, use one of channels_first, ") { tensor("spiral", listOf("mover")) }
        assertRefused("'planes' names no plane") { tensor("sum", emptyList()) }
        for (board in listOf("6x7", listOf(6.5, 7), listOf(0, 7), emptyList<Int>(), listOf("6", null))) {
            assertRefused("is no list of sizes") { tensor("sum", listOf("mover"), board) }
        }
    }

    @Test
    fun `is refused with a reason where it is none of this game`() {
        assertRefused("connect4: there is no plane 'edges', use mover, opponent, ") { tensor("sum", listOf("edges")) }
        val turned = "plane 'mover' is 6 by 7, the encoding's board is 7 by 6."
        assertRefused(turned) { tensor("sum", listOf("mover"), listOf(7, 6)) }
    }
}
