package org.azx.app.network

import org.azx.app.bundle.BundleError
import org.azx.app.engine.Fixtures
import org.azx.app.engine.Json
import org.azx.app.engine.children
import org.azx.app.engine.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.io.File
import java.nio.ByteBuffer
import java.util.Base64

/** What a TFLite file is made of is looked at before TFLite gets it; no TFLite is needed for that. */
class DoorTest {
    private val cases = checkNotNull(Fixtures.readOrNull("tflite_models")).children("cases")

    private fun model(case: Json): ByteArray = Base64.getDecoder().decode(case.text("model"))

    /** The key of what is said of a model; null if nothing is. */
    private fun keyOf(model: ByteArray): String? = try {
        checkModel(ByteBuffer.wrap(model), "small")
        null
    } catch (error: BundleError) {
        error.text.key
    }

    @Test
    fun `models that differ from a sound one in one thing are refused for it`() {
        assertTrue(cases.size > 20)
        for (case in cases) assertEquals(case.text("about"), case["key"], keyOf(model(case)))
    }

    @Test
    fun `networks that azx has written are let through`() {
        val folders = listOf("apps/android/host/src/test/small", "build/bundles").map { File(Fixtures.root, it) }
        val networks = folders.flatMap { it.walk() }.filter { it.extension == "tflite" }
        assertTrue("${networks.size}", networks.size >= 6)
        for (network in networks) assertEquals(network.name, null, keyOf(network.readBytes()))
    }

    @Test
    fun `a file that is cut or has a byte changed is let through or refused, and nothing else happens`() {
        val sound = model(cases.first())
        for (length in sound.indices) assertEquals("$length bytes", "error_load", keyOf(sound.copyOf(length)))
        val keys = HashSet<String?>()
        for (at in sound.indices) for (byte in listOf(0, 1, 0x7f, 0x80, 0xff)) {
            keys += keyOf(sound.clone().also { it[at] = byte.toByte() })
        }
        assertTrue("$keys", keys.containsAll(listOf(null, "error_load", "error_unsafe_operation")))
    }
}
