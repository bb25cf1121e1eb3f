package org.azx.app.engine

import org.azx.app.engine.games.byName
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Test
import kotlin.math.ln

private val TANH = mapOf("activation" to "tanh")
private val CHANCES =
    mapOf("activation" to "softmax", "value_range" to "wdl", "order" to listOf("loss", "draw", "win"))

class ValueHeadTest {
    private fun read(output: Map<String, Any?>, vararg outputs: Float): Double =
        valueHeadFrom(output, outputs.size).read(outputs)

    @Test
    fun `runs from -1 to 1 where nothing else is said`() {
        assertEquals(-0.5, read(TANH, -0.5f), 0.0)
        assertEquals(0.25, read(mapOf("activation" to "sigmoid", "value_range" to "signed"), 0.25f), 0.0)
    }

    @Test
    fun `may run from 0 to 1, as what ends with a sigmoid does`() {
        assertEquals(-0.5, read(TANH + ("value_range" to "unit"), 0.25f), 0.0)
        for (activation in listOf("sigmoid", "hard_sigmoid")) {
            assertEquals(0.5, read(mapOf("activation" to activation, "value_range" to null), 0.75f), 0.0)
        }
    }

    @Test
    fun `may tell the chances to win, draw and lose, in any order`() {
        assertEquals(0.5, read(CHANCES, 0.125f, 0.25f, 0.625f), 0.0)
        assertEquals(-0.5, read(CHANCES - "order" - "value_range", 0.125f, 0.25f, 0.625f), 0.0)
        val order = listOf("draw", "win", "loss")
        assertEquals(-0.375, read(CHANCES + ("order" to order), 0.125f, 0.25f, 0.625f), 0.0)
    }

    @Test
    fun `takes the softmax of chances that are logits, however large`() {
        val logits = CHANCES + ("activation" to "linear")
        assertEquals(0.5, read(logits, 0f, ln(2f), ln(5f)), 1e-6)
        assertEquals(1.0, read(logits, -5000f, 0f, 5000f), 0.0)
        val unknown = CHANCES + ("activation" to "unknown")
        assertEquals(0.5, read(unknown, 0.125f, 0.25f, 0.625f), 0.0)
        assertEquals(0.5, read(unknown, 0f, ln(2f), ln(5f)), 1e-6)
    }

    @Test
    fun `is refused where it says what there is not`() {
        assertRefused("value_range 'z' is unknown, use one of signed, unit, wdl.") {
            valueHeadFrom(TANH + ("value_range" to "z"), 1)
        }
        assertRefused("value_range 'wdl' takes three outputs, the value has 1.") { valueHeadFrom(CHANCES, 1) }
        for (size in listOf(0, 2, 3, 4)) {
            val signed = "value_range 'signed' takes one output, the value has $size."
            assertRefused(signed) { valueHeadFrom(TANH + ("value_range" to "signed"), size) }
        }
        assertRefused("value_range 'signed' takes one output, the value has 2.") { valueHeadFrom(TANH, 2) }
        assertRefused("value_range 'unit' has no order, which is that of three outputs.") {
            valueHeadFrom(TANH + ("value_range" to "unit") + ("order" to CHANCES["order"]), 1)
        }
        for (order in listOf("win", listOf("win", "draw"), listOf("win", "win", "loss"))) {
            assertRefused("is not win, draw and loss, each once.") { valueHeadFrom(CHANCES + ("order" to order), 3) }
        }
    }

    @Test
    fun `is read as the golden values say`() {
        val file = Fixtures.readOrNull("values")
        assumeTrue("mobile_assets/fixtures/values.json is not there", file != null)
        val cases = checkNotNull(file).children("cases")
        assertTrue("there is no value to be read", cases.isNotEmpty())
        for (written in cases) {
            val encoding = Encoding(
                Layout.FLAT, listOf(3, 3), listOf("signed"), value = Whose.valueOf(written.text("whose").uppercase()),
            )
            val state = after("tictactoe", emptyMap(), if (written.int("to_move") == 1) listOf(4) else emptyList())
            val outputs = (written["outputs"] as List<*>).map { (it as Number).toFloat() }.toFloatArray()
            val value = Reading(byName("tictactoe"), encoding, null, emptyMap()).value(read(written, *outputs), state)
            assertEquals("$written", written.double("value"), value, file.double("tolerance"))
        }
    }
}
