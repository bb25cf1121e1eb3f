package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class BundleTest {
    @get:Rule
    val temporary = TemporaryFolder()

    private val broken by lazy { Broken(temporary.root) }

    private val refused get() = refusal { broken.open().model() }

    @Test
    fun `every reference bundle is read`() {
        for (name in GAMES_WITH_BUNDLES) {
            val bundle = reference(name)
            assertEquals(name, bundle.reading.game.name)
            assertEquals("$name.tflite", bundle.manifest.artifact)
            assertEquals(bundle.manifest.fileOf("$name.tflite").size, bundle.model().remaining().toLong())
            assertEquals(20, bundle.golden().size)
            assertTrue(bundle.manifest.checkpoint.parameters > 0)
        }
    }

    @Test
    fun `a bundle without TFLite says what to do`() {
        broken.edit("\"android\"", "\"other\"")
        assertEquals("Bundle 'tictactoe': it has no TFLite artifact: export it with --format tflite.", refused)
    }

    @Test
    fun `threads are read, one where none are named`() {
        broken.edit("\"threads\": 1", "\"threads\": 2")
        assertEquals(2, broken.open().manifest.threads)
        broken.edit("\"threads\": 2", "\"threads\": 0")
        val why = "'threads' of its manifest is not there or is damaged: export the bundle again."
        assertEquals("Bundle 'tictactoe': $why", refusal { broken.open() })
        broken.edit("\"threads\"", "\"no_threads\"")
        assertEquals(1, broken.open().manifest.threads)
    }
}
