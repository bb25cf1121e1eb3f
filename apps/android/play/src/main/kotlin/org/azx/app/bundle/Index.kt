/** Which bundles are installed: azx/index.json, that `azx install` writes. */
package org.azx.app.bundle

import org.azx.app.engine.JsonError
import org.azx.app.engine.parseJson

/**
 * One installed bundle: `name` is its folder, `title` what a list shows, `artifact` the path of the network that is played.
 *
 * `problems` says why no app can play it. `isGiven` if a person has opened it on the device.
 */
class Entry(
    val name: String,
    val title: String,
    val game: String?,
    val artifact: String?,
    val format: String?,
    val files: List<FileEntry>,
    val problems: List<Problem> = emptyList(),
    val isGiven: Boolean = false,
)

/** The format of the networks that this app runs. */
const val FORMAT = "tflite"

private const val INDEX = "index.json"
private const val INDEX_VERSION = 2

/**
 * The installed bundles, whether they can be played here or not, in the index's order; none if there is no index.
 *
 * BundleError if the index is not one.
 */
fun readIndex(store: Store): List<Entry> {
    val entries = try {
        entriesOf(parseJson(textOf(store.bytesOrNull(INDEX) ?: return emptyList())))
    } catch (error: JsonError) {
        null
    } catch (error: TooLarge) {
        null
    }
    return entries ?: throw BundleError("error_index")
}

/** The index's entries; null if `data` is no index of version 2. */
private fun entriesOf(data: Any?): List<Entry>? {
    val index = data as? Map<*, *> ?: return null
    if (index["schema_version"] != INDEX_VERSION) return null
    val bundles = index["bundles"] as? List<*> ?: return null
    return bundles.map { entryOf(it) ?: return null }
}

private fun entryOf(data: Any?): Entry? {
    val found = data as? Map<*, *> ?: return null
    val name = (found["name"] as? String)?.takeIf { isInside(it) && '/' !in it } ?: return null
    val title = found["title"] as? String ?: name
    val files = filesOf(found["files"]) ?: return null
    val problems = found["problems"]?.let { problemsOf(it) ?: return null }.orEmpty()
    val (artifact, format) = found["artifact"] as? String to found["format"] as? String
    return Entry(name, title, found["game"] as? String, artifact, format, files, problems)
}

/** A list of files as an index and a manifest have it; null if one lacks something or stands there twice. */
internal fun filesOf(data: Any?): List<FileEntry>? {
    val files = (data as? List<*>)?.map { fileOf(it) ?: return null }
    return files?.takeIf { files.distinctBy(FileEntry::path).size == files.size }
}

private fun fileOf(data: Any?): FileEntry? {
    val found = data as? Map<*, *> ?: return null
    val path = found["path"] as? String ?: return null
    val sha256 = found["sha256"] as? String ?: return null
    val size = found["size"] as? Number ?: return null
    return FileEntry(path, sha256, size.toLong())
}

/** Whether a path stays below the folder that it starts from. */
internal fun isInside(path: String): Boolean =
    '\\' !in path && '\u0000' !in path && path.split("/").all { it.isNotEmpty() && it != "." && it != ".." }
