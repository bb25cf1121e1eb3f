package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File

class IndexTest {
    @get:Rule
    val folder = TemporaryFolder()

    private fun read(text: String): List<Entry> {
        File(folder.root, "index.json").writeText(text)
        return installed(FolderStore(folder.root))
    }

    private fun entry(name: String, game: String?, format: String?): String {
        val quoted = { text: String? -> text?.let { "\"$it\"" } ?: "null" }
        return """{"name": "$name", "title": "The $name", "artifact": null,
            "game": ${quoted(game)}, "format": ${quoted(format)},
            "files": [{"path": "manifest.json", "sha256": "ab", "size": 3}]}"""
    }

    private fun index(vararg entries: String) = """{"schema_version": 1, "bundles": [${entries.joinToString(",")}]}"""

    @Test
    fun `without an index nothing is installed`() {
        assertEquals(emptyList<Entry>(), installed(FolderStore(folder.root)))
    }

    @Test
    fun `the bundles that can be played here are listed in their order`() {
        val found = read(
            index(
                entry("b", "go", "tflite"), entry("a", "connect4", null),
                entry("c", "go", "tfjs"), entry("d", null, "tflite"),
            ),
        )
        assertEquals(listOf("b", "a"), found.map { it.name })
        assertEquals("The b", found[0].title)
        assertEquals(listOf("manifest.json", "ab", 3L), found[0].files[0].run { listOf(path, sha256, size) })
    }

    @Test
    fun `what is no index of version 1 is refused`() {
        val sentence = "azx/index.json is not an index of version 1: install the bundles again with this app's azx."
        val wrong = listOf(
            "{", "[]", "null", """{"schema_version": 2, "bundles": []}""", """{"schema_version": 1}""",
            """{"schema_version": 1, "bundles": [1]}""", """{"schema_version": 1, "bundles": [{"name": "a"}]}""",
        )
        for (text in wrong) assertEquals(text, sentence, refusal { read(text) })
    }

    @Test
    fun `a bundle whose name leaves the folder is refused`() {
        for (name in listOf("..", "../a", "/a", "a/b", ".", "a\\\\b")) {
            val refused = refusal { read(index(entry(name, "go", "tflite"))) }
            assertEquals(name, "azx/index.json is not an index", refused.substringBefore(" of version"))
        }
    }
}
