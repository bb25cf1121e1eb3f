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
        return readIndex(FolderStore(folder.root))
    }

    private fun entry(name: String, game: String?, format: String?, more: String = ""): String {
        val quoted = { text: String? -> text?.let { "\"$it\"" } ?: "null" }
        return """{"name": "$name", "title": "The $name", "artifact": null,
            "game": ${quoted(game)}, "format": ${quoted(format)},
            "files": [{"path": "manifest.json", "sha256": "ab", "size": 3}]$more}"""
    }

    private fun index(vararg entries: String) = """{"schema_version": 2, "bundles": [${entries.joinToString(",")}]}"""

    @Test
    fun `without an index nothing is installed`() {
        assertEquals(emptyList<Entry>(), readIndex(FolderStore(folder.root)))
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
    fun `the problems of the index are read, and where there is none it has none`() {
        val problems = """[{"code": "no_game", "places": []}, {"code": "batch", "places": ["4"]}]"""
        val found = read(
            index(
                entry("a", "go", null), entry("b", "go", null, """, "problems": []"""),
                entry("c", null, null, """, "problems": $problems"""), entry("d", "go", null, """, "problems": null"""),
            ),
        )
        val both = listOf(Problem("no_game"), Problem("batch", 4))
        val expected = listOf(emptyList(), emptyList(), both, emptyList())
        assertEquals(expected, found.map { it.problems })
        val numbers = """[{"code": "batch", "places": [4]}]"""
        for (wrong in listOf("1", "{}", "[1]", "[null]", "[\"batch\"]", """[{"code": "batch"}]""", numbers)) {
            val refused = refusal { read(index(entry("a", "go", null, """, "problems": $wrong"""))) }
            assertEquals(wrong, Text("error_index"), refused)
        }
    }

    @Test
    fun `an index of another version is none`() {
        for (version in listOf("1", "3", "true", "\"2\"")) {
            val refused = refusal { read(index().replace("\"schema_version\": 2", "\"schema_version\": $version")) }
            assertEquals(version, Text("error_index"), refused)
        }
    }
}
