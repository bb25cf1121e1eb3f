/** Bad bundles, made of a good one as mobile_assets/fixtures/bad_bundles.json says; docs/fixtures.md describes it. */
package org.azx.app.bundle

import org.azx.app.engine.membersOf
import org.azx.app.engine.parseJson
import org.json.JSONObject
import java.io.File

private const val INDEX = "index.json"

/** What an app reads of a JSON file; of what is longer nobody asks the hash. */
private const val LARGEST = 16 shl 20

/** How a bad bundle is made, and what a person is told of it: the key of the sentence, null if nothing is wrong. */
class Recipe(private val data: Map<String, Any?>) {
    val about: String get() = data["about"] as String

    /** Where a person sees it: list, card, play or test. */
    val screen: String get() = data["screen"] as String
    val key: String? get() = data["key"] as String?
    val names: String get() = data["names"] as String? ?: ""
    private val edits = (data["edits"] as List<*>).map(::membersOf)
    private val isSealed = data["sealed"] as Boolean

    /** Make it in an empty folder, and install it there. */
    fun make(folder: File) {
        val broken = Broken(folder)
        val manifest = File(broken.folder, "manifest.json")
        val good = fileEntry(manifest, manifest.name)
        for ((name, file) in listOf("golden" to File(broken.folder, "golden.json"), "model" to broken.model)) {
            val before = fileEntry(file, file.name)
            edit(name, file)
            if (isSealed && file.exists()) seal(broken, before, seal(file))
        }
        edit("manifest", manifest)
        val entry = if (isSealed) seal(manifest) else good
        val files = """[{"path": "manifest.json", "sha256": "${entry.sha256}", "size": ${entry.size}}]"""
        val listed = """{"name": "tictactoe", "title": "Tic-tac-toe", "game": "tictactoe", "settings": {},
            "artifact": "tictactoe.tflite", "format": "tflite", "problems": [], "files": $files}"""
        val index = File(folder, INDEX).apply { writeText("""{"schema_version": 2, "bundles": [$listed]}""") }
        edit("index", index)
    }

    private fun seal(broken: Broken, before: FileEntry, after: FileEntry) {
        if (before.sha256 == after.sha256) return
        broken.edit(before.sha256, after.sha256)
        broken.edit("\"size\": ${before.size}", "\"size\": ${after.size}")
    }

    private fun seal(file: File): FileEntry =
        if (file.length() > LARGEST) FileEntry(file.name, "0".repeat(64), file.length()) else fileEntry(file, file.name)

    private fun edit(name: String, file: File) {
        for (edit in edits.filter { it["file"] == name }) {
            if (edit["do"] == "remove") file.delete() else file.writeBytes(applyEdit(file.readBytes(), edit))
        }
    }

    companion object {
        private val fixture by lazy {
            membersOf(parseJson(File(ROOT, "mobile_assets/fixtures/bad_bundles.json").readText()))
        }

        val all: List<Recipe> by lazy { (fixture["cases"] as List<*>).map { Recipe(membersOf(it)) } }
    }
}

/** What an edit makes of a file's bytes. */
private fun applyEdit(bytes: ByteArray, edit: Map<String, Any?>): ByteArray {
    val text = String(bytes, Charsets.UTF_8)
    val middle = bytes.size / 2
    val given = edit["text"] as String? ?: ""
    return when (val step = edit["do"]) {
        "cut" -> bytes.copyOf(middle)
        "change" -> bytes.copyOf().also { it[middle] = (it[middle].toInt() xor 1).toByte() }
        "write" -> given.toByteArray()
        "fill" -> given.repeat(edit["times"] as Int).toByteArray()
        "replace" -> text.also {
            check(edit["old"] as String in it)
        }.replaceFirst(edit["old"] as String, edit["new"] as String).toByteArray()
        "begin" -> text.replaceFirst("{", "{$given").toByteArray()
        "end" -> (text.substringBeforeLast("}") + given + "}" + text.substringAfterLast("}")).toByteArray()
        "set", "unset" -> change(parseJson(text), edit["at"] as List<*>, edit).let(::write).toByteArray()
        else -> error("an edit '$step' is unknown.")
    }
}

/** The value with another one at a place, or without it. */
private fun change(data: Any?, path: List<*>, edit: Map<String, Any?>): Any? {
    val (first, rest) = (path.firstOrNull() ?: return edit["value"]) to path.drop(1)
    if (data is List<*>) {
        return data.mapIndexed { at, item ->
            if (first == "*" ||
                first == at
            ) {
                change(item, rest, edit)
            } else {
                item
            }
        }
    }
    val members = LinkedHashMap(membersOf(data))
    for (name in if (first == "*") members.keys.toList() else listOf(first as String)) {
        if (rest.isEmpty() &&
            edit["do"] == "unset"
        ) {
            members.remove(name)
        } else {
            members[name] = change(members[name], rest, edit)
        }
    }
    return members
}

private fun write(data: Any?): String = when (data) {
    is Map<*, *> -> data.entries.joinToString(prefix = "{", postfix = "}") {
        "${JSONObject.quote(it.key as String)}: ${write(it.value)}"
    }
    is List<*> -> data.joinToString(prefix = "[", postfix = "]", transform = ::write)
    is String -> JSONObject.quote(data)
    else -> data.toString()
}
