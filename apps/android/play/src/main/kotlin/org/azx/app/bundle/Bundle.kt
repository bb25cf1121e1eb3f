package org.azx.app.bundle

import org.azx.app.engine.Reading
import org.azx.app.engine.SearchSettings
import org.azx.app.engine.searchFrom
import java.io.IOException
import java.nio.ByteBuffer

/**
 * A bundle that has been read and checked: its manifest, how its game is read, and its other files when asked for.
 *
 * `problems` says why it cannot be played, and `readingOrNull` is null then; its self-test may run all the same. `doubt`
 * says that how it is read, or which output is which, is only assumed, and what fits as well; null if it is known.
 */
class Bundle private constructor(
    val entry: Entry,
    val manifest: Manifest,
    val problems: List<Problem>,
    val readingOrNull: Reading?,
    val doubt: Doubt?,
    private val store: Store,
) {
    /** How its game is read; BundleError if it cannot be played. */
    val reading: Reading
        get() = readingOrNull ?: throw BundleError(Text("error_unplayable", listOf(manifest.bundleName), problems))

    /** How its network is searched. */
    val search: SearchSettings get() = searchFrom(manifest.members["search"])

    /** Why its self-test cannot run, as far as the manifest tells; null if it can. */
    val untestable: Problem?
        get() = when {
            !hasArtifact(entry, manifest) -> Problem("no_artifact")
            manifest.files.none { it.path == GOLDEN } -> Problem("no_golden")
            else -> null
        }

    /** What is played if that is a lower precision, as `azx install --precision` chose; null if it is float32. */
    val lower: Lower? get() = entry.artifact?.takeIf { it != manifest.artifact }?.let { lowerAt(manifest, it) }

    /** The file of the network that is played, mapped; BundleError if it is missing or is not the manifest's. */
    fun model(): ByteBuffer {
        val path = lower?.path ?: manifest.artifact ?: throw BundleError("error_no_artifact", manifest.bundleName)
        val file = manifest.fileOf(path)
        val bytes = try {
            store.map("${entry.name}/$path")
        } catch (error: IOException) {
            throw missing(manifest.bundleName, path, error)
        }
        check(bytes, file, manifest.bundleName)
        return bytes
    }

    /** The self-test's positions, at least one. */
    fun golden(): List<Golden> = goldenFrom(json(store, entry, manifest.fileOf(GOLDEN)), manifest)

    companion object {
        /**
         * The bundle of an index's entry, its manifest checked; BundleError if that is missing or damaged. `chosen` is the
         * name of the reading that a person prefers to an assumed one.
         */
        fun open(entry: Entry, store: Store, chosen: String? = null): Bundle {
            val file = entry.files.find { it.path == MANIFEST }
                ?: throw BundleError("error_index_manifest", entry.name)
            val manifest = manifestFrom(json(store, entry, file), entry.name)
            val judged = judge(entry, manifest)
            val (own, listed) = judged.reading to manifest.others
            val isAssumed = manifest.outputs.any { it.isAssumed }
            if (own == null || (listed == null && !isAssumed)) {
                return Bundle(entry, manifest, judged.problems, own, null, store)
            }
            val others = readOthers(listed.orEmpty(), manifest, own)
            val encodings = others.mapValues { it.value.encoding }
            val doubt = Doubt(own.encoding, encodings, chosen?.takeIf(others::contains), listed != null, isAssumed)
            return Bundle(entry, manifest, judged.problems, others[chosen] ?: own, doubt, store)
        }

        private fun json(store: Store, entry: Entry, file: FileEntry): Any? {
            val bytes = try {
                store.bytesOrNull("${entry.name}/${file.path}") ?: throw missing(entry.name, file.path)
            } catch (error: TooLarge) {
                throw BundleError("error_too_large", entry.name, file.path, cause = error)
            }
            check(ByteBuffer.wrap(bytes), file, entry.name)
            return jsonOf(bytes, entry.name, file.path)
        }

        private fun missing(bundle: String, path: String, cause: Throwable? = null): BundleError =
            BundleError("error_missing", bundle, path, cause = cause)
    }
}
