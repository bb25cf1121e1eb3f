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

    private fun entry(name: String, game: String?, format: String?, more: String = ""): String {
        val quoted = { text: String? -> text?.let { "\"$it\"" } ?: "null" }
        return """{"name": "$name", "title": "The $name", "artifact": null,
            "game": ${quoted(game)}, "format": ${quoted(format)},
            "files": [{"path": "manifest.json", "sha256": "ab", "size": 3}]$more}"""
    }

    private fun index(vararg entries: String) = """{"schema_version": 1, "bundles": [${entries.joinToString(",")}]}"""

    @Test
    fun `without an index nothing is installed`() {
        assertEquals(emptyList<Entry>(), installed(FolderStore(folder.root)))
    }

    @Test
    fun `every bundle is listed in the index's order, whether it can be played or not`() {
        val found = read(
            index(
                entry("b", "go", "tflite"), entry("a", "connect4", null),
                entry("c", "go", "tfjs"), entry("d", null, "tflite"),
            ),
        )
        assertEquals(listOf("b", "a", "c", "d"), found.map { it.name })
        assertEquals(listOf("go", "connect4", "go", null), found.map { it.game })
        assertEquals("The b", found[0].title)
        assertEquals(listOf("manifest.json", "ab", 3L), found[0].files[0].run { listOf(path, sha256, size) })
    }

    @Test
    fun `what the index says of problems is read, and an older one says nothing`() {
        val clauses = """["it has no known game", "a second"]"""
        val found = read(
            index(
                entry("a", "go", null), entry("b", "go", null, """, "problems": []"""),
                entry("c", null, null, """, "problems": $clauses"""), entry("d", "go", null, """, "problems": null"""),
            ),
        )
        val expected = listOf(null, emptyList(), listOf("it has no known game", "a second"), null)
        assertEquals(expected, found.map { it.problems })
        for (wrong in listOf("1", "{}", "[1]", "[null]")) {
            val refused = refusal { read(index(entry("a", "go", null, """, "problems": $wrong"""))) }
            assertEquals(wrong, "azx/index.json is not an index", refused.substringBefore(" of version"))
        }
    }
}
