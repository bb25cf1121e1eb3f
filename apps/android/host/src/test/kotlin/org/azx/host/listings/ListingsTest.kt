/** The listings of docs/in-your-app.md do what they say; tests/test_in_your_app.py holds the files here to the page. */
package org.azx.host.listings

import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.Shelf
import org.azx.app.bundle.reference
import org.azx.app.network.TfLite
import org.azx.host.HostTfLite
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.BeforeClass
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File

class ListingsTest {
    @get:Rule
    val temporary = TemporaryFolder()

    @Test
    fun `the network alone answers as the app's own reading of it does`() {
        val bundle = reference("connect4")
        val (value, policy) = ask(File(BUNDLES, "connect4/connect4.tflite"))
        TfLite(bundle.model(), bundle.manifest, bundle.reading).use { network ->
            val outputs = network.outputs(mapOf("main_input" to FloatArray(2 * 6 * 7)))
            assertEquals(outputs.getValue("value_head")[0], value, CLOSE)
            assertArrayEquals(outputs.getValue("policy_head"), policy, CLOSE)
        }
    }

    @Test
    fun `the first move of Connect4 is the middle`() {
        val shelf = Shelf(temporary.root).apply { put(File(BUNDLES, "connect4"), emptyList()) }
        val state = firstMove(shelf.store)
        assertEquals(MIDDLE, state.lastAction)
    }

    companion object {
        private const val MIDDLE = 38

        // Another number of threads adds up in another order.
        private const val CLOSE = 1e-5f

        @JvmStatic
        @BeforeClass
        fun load() = HostTfLite.load()
    }
}
