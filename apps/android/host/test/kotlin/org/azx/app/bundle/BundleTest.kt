package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File

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
    fun `a changed model is refused`() {
        broken.model.writeBytes(broken.model.readBytes().also { it[4000] = (it[4000] + 1).toByte() })
        val why = "is not the file of its manifest (SHA-256 differs): install the bundle again."
        assertEquals("Bundle 'tictactoe': 'tictactoe.tflite' $why", refused)
    }

    @Test
    fun `a truncated model is refused`() {
        broken.model.writeBytes(broken.model.readBytes().copyOf(1000))
        val why = "has 1000 bytes, its manifest says 7872: install the bundle again."
        assertEquals("Bundle 'tictactoe': 'tictactoe.tflite' $why", refused)
    }

    @Test
    fun `a missing file is named`() {
        broken.model.delete()
        assertEquals("Bundle 'tictactoe': 'tictactoe.tflite' is missing: install the bundle again.", refused)
        File(broken.folder, "golden.json").delete()
        val bundle = broken.open()
        val why = "'golden.json' is missing: install the bundle again."
        assertEquals("Bundle 'tictactoe': $why", refusal { bundle.golden() })
        val entry = entryFor(broken.folder)
        File(broken.folder, "manifest.json").delete()
        val sentence = refusal { Bundle.open(entry, FolderStore(temporary.root)) }
        assertEquals("Bundle 'tictactoe': 'manifest.json' is missing: install the bundle again.", sentence)
    }

    @Test
    fun `a manifest that is not the index's is refused`() {
        val entry = entryFor(broken.folder)
        broken.edit("\"batch\": 1", "\"batch\": 2")
        val sentence = refusal { Bundle.open(entry, FolderStore(temporary.root)) }
        assertTrue(sentence, "'manifest.json' is not the file of its manifest" in sentence)
    }

    @Test
    fun `a newer manifest asks for a newer app`() {
        broken.edit("\"schema_version\": 1", "\"schema_version\": 2")
        val why = "its manifest has version 2, this app reads 1: use a newer app."
        assertEquals("Bundle 'tictactoe': $why", refused)
    }

    @Test
    fun `a path outside of the bundle is refused`() {
        for (path in listOf("../tictactoe/t.tflite", "/tictactoe.tflite", "a/../t.tflite", "./t.tflite")) {
            val copy = Broken(temporary.newFolder())
            copy.edit("\"tictactoe.tflite\"", "\"$path\"")
            val sentence = refusal { copy.open().model() }
            assertEquals("Bundle 'tictactoe': its manifest does not list '$path': export the bundle again.", sentence)
        }
    }

    @Test
    fun `a bundle without TFLite says what to do`() {
        broken.edit("\"android\"", "\"other\"")
        assertEquals("Bundle 'tictactoe': it has no TFLite artifact: export it with --format tflite.", refused)
    }

    @Test
    fun `an unsound manifest is refused in words`() {
        val changes = mapOf(
            ("\"files\":" to "\"no_files\":") to LACKING,
            ("\"shape\"" to "\"shapes\"") to LACKING,
            ("\"batch\": 1" to "\"batch\": \"many\"") to LACKING,
            ("\"batch\": 1" to "\"batch\": 0") to LACKING,
            ("\"batch\": 1" to "\"batch\": 16777216") to LACKING,
            ("\"threads\": 1" to "\"threads\": 0") to "its manifest asks for '0' threads",
            ("\"schema_version\": 1," to "") to "its manifest has version null",
            ("{" to "[") to "'manifest.json' is no JSON: export the bundle again.",
        )
        for ((change, words) in changes) {
            val copy = Broken(temporary.newFolder()).apply { edit(change.first, change.second) }
            val sentence = refusal { copy.open() }
            val isWhole = sentence.startsWith("Bundle 'tictactoe': ") && sentence.endsWith(".")
            assertTrue(sentence, isWhole && words in sentence)
        }
    }

    @Test
    fun `threads are read, one where none are named`() {
        broken.edit("\"threads\": 1", "\"threads\": 2")
        assertEquals(2, broken.open().manifest.threads)
        broken.edit("\"threads\"", "\"no_threads\"")
        assertEquals(1, broken.open().manifest.threads)
    }

    @Test
    fun `positions of another network are refused`() {
        val other = File(BUNDLES, "connect4/golden.json")
        val golden = File(broken.folder, "golden.json")
        val before = fileEntry(golden, "golden.json")
        other.copyTo(golden, true)
        val after = fileEntry(golden, "golden.json")
        broken.edit(before.sha256, after.sha256)
        broken.edit("\"size\": ${before.size}", "\"size\": ${after.size}")
        val sentence = refusal { broken.open().golden() }
        assertEquals("Bundle 'tictactoe': golden.json is not of this network: export the bundle again.", sentence)
    }

    private companion object {
        const val LACKING = "its manifest lacks inputs, outputs, files or recommended: export the bundle again."
    }
}
