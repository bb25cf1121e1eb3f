package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
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
        assertEquals(Text("error_no_artifact", "tictactoe"), refused)
    }

    @Test
    fun `whether how it sees the board is assumed is read, and a damaged word of it is refused`() {
        assertNull(broken.open().manifest.others)
        broken.edit("\"checkpoint\": {", "$ASSUMED \"checkpoint\": {")
        assertNotNull(broken.open().manifest.others)
        val words = listOf("[0, 1]" to "[0, 0.5]", "0.5" to "-1", "[0, -1]" to "null", "null" to "\"cell\"")
        for ((at, edit) in words.withIndex()) {
            broken.edit(edit.first, edit.second)
            if (at == words.lastIndex) break
            assertEquals(Text("error_member", "tictactoe", "assumed"), refusal { broken.open() })
        }
        assertNotNull(broken.open().manifest.others)
        broken.edit("connect4-opponent-mover", "Connect 4")
        assertEquals(Text("error_member", "tictactoe", "assumed"), refusal { broken.open() })
    }

    @Test
    fun `threads are read, one where none are named`() {
        broken.edit("\"threads\": 1", "\"threads\": 2")
        assertEquals(2, broken.open().manifest.threads)
        broken.edit("\"threads\": 2", "\"threads\": 0")
        assertEquals(Text("error_member", "tictactoe", "threads"), refusal { broken.open() })
        broken.edit("\"threads\"", "\"no_threads\"")
        assertEquals(1, broken.open().manifest.threads)
    }
}
