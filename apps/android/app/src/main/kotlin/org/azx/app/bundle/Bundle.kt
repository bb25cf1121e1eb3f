package org.azx.app.bundle

import org.azx.app.engine.Reading
import java.io.IOException
import java.nio.ByteBuffer

/**
 * A bundle that has been read and checked: its manifest, how its game is read, and its other files when asked for.
 *
 * `problems` says why it cannot be played, a clause each; its self-test may run all the same.
 */
class Bundle private constructor(
    val entry: Entry,
    val manifest: Manifest,
    val problems: List<String>,
    private val read: Reading?,
    private val store: Store,
) {
    /** How its game is read; BundleError where it cannot be played. */
    val reading: Reading
        get() = read
            ?: throw BundleError(sentence(Sentences.UNPLAYABLE, manifest.where, problems.joinToString(" and ")))

    /** How its game is read; null where it cannot be played. */
    val readingOrNull: Reading? get() = read

    /** Why its self-test cannot run, as a clause, as far as the manifest tells; null where it can. */
    val untestable: String?
        get() = when {
            !hasArtifact(entry, manifest) -> Clauses.NO_ARTIFACT
            manifest.files.none { it.path == GOLDEN } -> Clauses.NO_GOLDEN
            else -> null
        }

    /** The network's file, mapped; BundleError where it is missing or is not the manifest's. */
    fun model(): ByteBuffer {
        val path = manifest.artifact
            ?: throw BundleError(sentence(Sentences.NO_ARTIFACT, manifest.where))
        val file = manifest.fileOf(path)
        val bytes = try {
            store.map("${entry.name}/$path")
        } catch (error: IOException) {
            throw missing(manifest.where, path, error)
        }
        check(bytes, file, manifest.where)
        return bytes
    }

    /** The self-test's positions, at least one. */
    fun golden(): List<Golden> = goldenFrom(json(store, entry, manifest.fileOf(GOLDEN), manifest.where), manifest)

    companion object {
        private const val MANIFEST = "manifest.json"
        private const val GOLDEN = "golden.json"

        /** The bundle of an index's entry, its manifest checked; BundleError where that is missing or damaged. */
        fun open(entry: Entry, store: Store): Bundle {
            val where = "Bundle '${entry.name}'"
            val file = entry.files.find { it.path == MANIFEST }
                ?: throw BundleError(sentence(Sentences.INDEX_MANIFEST, where))
            val manifest = manifestFrom(json(store, entry, file, where), where)
            val judged = judge(entry, manifest)
            return Bundle(entry, manifest, judged.problems, judged.reading, store)
        }

        private fun json(store: Store, entry: Entry, file: FileEntry, where: String): Any? {
            val bytes = try {
                store.bytesOrNull("${entry.name}/${file.path}") ?: throw missing(where, file.path)
            } catch (error: TooLarge) {
                throw BundleError(sentence(Sentences.TOO_LARGE, where, file.path), error)
            }
            check(ByteBuffer.wrap(bytes), file, where)
            return try {
                parseJson(textOf(bytes))
            } catch (error: JsonError) {
                throw BundleError(sentence(Sentences.NO_JSON, where, file.path), error)
            }
        }

        private fun missing(where: String, path: String, cause: Throwable? = null): BundleError =
            BundleError(sentence(Sentences.MISSING, where, path), cause)
    }
}
