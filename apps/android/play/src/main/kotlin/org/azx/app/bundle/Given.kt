/** Bundles that a person gives to the app: a folder, or a .zip of it, checked, and kept until they are removed. */
package org.azx.app.bundle

import org.azx.app.engine.games.GAMES
import org.azx.app.engine.parseJson
import java.io.File
import java.io.IOException
import java.io.OutputStream
import java.nio.ByteBuffer
import java.security.MessageDigest
import kotlin.math.ceil

// The most bytes of all files of a bundle, and of one that is parsed as JSON, which takes several times that in memory.
const val MOST_BYTES = 300_000_000L
private const val MOST_JSON_BYTES = 16_000_000

/**
 * The bundles that a person has given, a folder each below `folder`. Every function reads the disk; `room` says how many
 * bytes it has left.
 */
class GivenBundles(private val folder: File, private val room: (File) -> Long = File::getUsableSpace) {
    val store: Store get() = FolderStore(folder)

    /** The stored bundles by name; one whose name is among `taken` is renamed. */
    fun entries(taken: Collection<String> = emptySet()): List<Entry> {
        val found = folder.listFiles().orEmpty().filter { it.isDirectory && it.name != HALF }.sortedBy { it.name }
        val names = taken + found.map { it.name }
        return found.map { bundle ->
            val free = File(folder, freeName(bundle.name, names))
            entryIn(if (bundle.name in taken && bundle.renameTo(free)) free else bundle)
        }
    }

    /** The entry of a stored bundle; if its manifest cannot be read, opening it says why. */
    private fun entryIn(bundle: File): Entry {
        val name = bundle.name
        val unread = Entry(name, name, null, null, FORMAT, listOf(FileEntry(MANIFEST, "", 0)), isGiven = true)
        return try {
            describe(name, File(bundle, MANIFEST).readBytes())
        } catch (_: Exception) {
            unread
        }
    }

    private fun describe(name: String, bytes: ByteArray): Entry {
        val manifest = manifestFrom(parseJson(textOf(bytes)), name)
        val own = FileEntry(MANIFEST, sha256(ByteBuffer.wrap(bytes)), bytes.size.toLong())
        val (title, files) = titleOf(manifest, name) to listOf(own) + manifest.files
        return Entry(name, title, manifest.game, manifest.artifact, FORMAT, files, isGiven = true)
    }

    /** The game's title, and the bundle's name if that says more, as in `azx install`. */
    private fun titleOf(manifest: Manifest, name: String): String {
        val title = GAMES[manifest.game]?.title ?: return name
        return if (manifest.name == manifest.game) title else "$title (${manifest.name})"
    }

    /** Remove a bundle. BundleError if the device does not. */
    fun remove(name: String) {
        val bundle = File(folder, name)
        if (isInside(name) && '/' !in name && bundle.deleteRecursively()) return
        throw BundleError("given_not_removed", name)
    }

    /**
     * Check the bundle that `members` are, which is called `what`, and keep it, by a name that none of `names` is; the
     * name. BundleError if it is not sound or there is no room: then nothing is kept.
     */
    fun take(members: List<Member>, what: String, names: Collection<String>): String {
        checkPaths(members, what)
        val root = rootOf(members, what)
        val half = File(folder, HALF)
        half.deleteRecursively()
        try {
            val found = members.associateBy { it.path }
            val bytes = jsonBytes(found.getValue(root + MANIFEST), what)
            val manifest = manifestFrom(jsonOf(bytes, what, MANIFEST), what)
            Taking(manifest, what, half, room) { found[root + it] }.take(bytes)
            val own = manifest.name.takeIf { isInside(it) && '/' !in it && !it.startsWith(".") } ?: "bundle"
            val name = freeName(own, names)
            if (!half.renameTo(File(folder, name))) throw BundleError("given_not_renamed", name)
            return name
        } finally {
            half.deleteRecursively()
        }
    }

    /** Remove what was left half done by an app that was ended. */
    fun sweep() {
        File(folder, HALF).deleteRecursively()
    }

    private companion object {
        // A bundle that is still being checked; no bundle has this name.
        const val HALF = ".half"
    }
}

/** `own`, numbered if it is one of `names`. */
private fun freeName(own: String, names: Collection<String>): String =
    generateSequence(1) { it + 1 }.map { if (it == 1) own else "$own-$it" }.first { it !in names }

/** BundleError if there is nothing, too much, or a path that leads out of the bundle or stands there twice. */
private fun checkPaths(members: List<Member>, what: String) {
    if (members.isEmpty()) throw BundleError("given_nothing")
    if (members.size > MOST_MEMBERS) throw BundleError("given_too_many", what, MOST_MEMBERS)
    members.find { !isInside(it.path) }?.let { throw BundleError("given_outside", what, it.path) }
    val paths = HashSet<String>()
    members.find { !paths.add(it.path) }?.let { throw BundleError("given_twice", what, it.path) }
}

/** What the paths of the bundle begin with: "" or a folder with "/" behind it. */
private fun rootOf(members: List<Member>, what: String): String {
    val roots = members.map { it.path }.filter { it == MANIFEST || it.endsWith("/$MANIFEST") }
        .map { it.removeSuffix(MANIFEST) }
    val least = roots.minOfOrNull { root -> root.count { it == '/' } }
        ?: throw foreignAmong(members, what) ?: BundleError("given_no_manifest", what)
    val found = roots.filter { root -> root.count { it == '/' } == least }
    return found.singleOrNull() ?: throw BundleError("given_several", what, found.size)
}

/**
 * One bundle on its way into the folder `half`: each file with the size and the hash that the manifest says.
 *
 * The artifact and golden.json have to be there. Other formats' files may have been left out, as `azx install` does;
 * those that are there are checked like the rest, and forgotten.
 */
private class Taking(
    private val manifest: Manifest,
    private val what: String,
    private val half: File,
    private val room: (File) -> Long,
    private val find: (String) -> Member?,
) {
    private val name = manifest.name

    fun take(about: ByteArray) {
        val artifact = manifest.artifact ?: throw BundleError("error_no_artifact", manifest.bundleName)
        val listed = manifest.files.filter { isInside(it.path) && find(it.path) != null }
        for (path in listOf(artifact, GOLDEN)) {
            manifest.fileOf(path)
            if (listed.none { it.path == path }) throw BundleError("given_missing", name, path)
        }
        if (listed.any { it.size < 0 }) throw BundleError("error_member", manifest.bundleName, "files")
        if (listed.sumOf { it.size } > MOST_BYTES) throw tooLarge(what)
        val kept = listed.filter { it.path == artifact || it.path == GOLDEN }
        checkRoom(kept.sumOf { it.size } + about.size)
        write(MANIFEST) { it.write(about) }
        for (file in listed) {
            if (file in kept) write(file.path) { copy(file, it) } else copy(file, null)
        }
    }

    private fun checkRoom(size: Long) {
        half.mkdirs()
        if (room(half) < size + MARGIN) throw BundleError("given_no_room", name, megabytes(size))
    }

    private fun write(path: String, write: (OutputStream) -> Unit) {
        val target = File(half, path)
        target.parentFile?.mkdirs()
        try {
            target.outputStream().use(write)
        } catch (error: IOException) {
            throw BundleError("given_not_kept", name, reasonOf(error))
        }
    }

    /** Copy a member's bytes, or only read them, and hold them to what the manifest says. */
    private fun copy(file: FileEntry, into: OutputStream?) {
        val member = checkNotNull(find(file.path))
        val digest = MessageDigest.getInstance("SHA-256")
        var size = 0L
        readMember(member, name) { read ->
            forEachChunk(read) { chunk, count ->
                size += count
                digest.update(chunk, 0, count)
                into?.write(chunk, 0, count)
                if (size > file.size) return@readMember
            }
        }
        if (size != file.size) {
            val found = maxOf(size, member.size ?: 0)
            throw BundleError("given_size", name, file.path, found, file.size)
        }
        if (hexOf(digest) != file.sha256) throw BundleError("given_hash", name, file.path)
    }

    private companion object {
        // Left to the rest of the device.
        const val MARGIN = 20_000_000L
    }
}

/** The bytes of a manifest; BundleError if there are too many. */
private fun jsonBytes(member: Member, what: String): ByteArray =
    readMember(member, what) { read -> bytesUpTo(MOST_JSON_BYTES, read) } ?: run {
        val size = megabytes(maxOf(MOST_JSON_BYTES + 1L, member.size ?: 0))
        throw BundleError("given_json_too_large", what, MANIFEST, size, megabytes(MOST_JSON_BYTES.toLong()))
    }

/** The result of `use`, which gets the function that reads a member; BundleError if that fails. */
private fun <Made> readMember(member: Member, name: String, use: ((ByteArray) -> Int) -> Made): Made {
    val stream = try {
        member.open()
    } catch (error: IOException) {
        throw unreadable(name, member.path, error)
    }
    return stream.use {
        use { chunk ->
            try {
                it.read(chunk)
            } catch (error: IOException) {
                throw unreadable(name, member.path, error)
            }
        }
    }
}

fun unreadable(name: String, path: String, error: Exception): BundleError =
    BundleError("given_unreadable", name, path, reasonOf(error), cause = error)

fun tooLarge(what: String) = BundleError("given_too_large", what, megabytes(MOST_BYTES))

private fun megabytes(bytes: Long): Long = ceil(bytes / 1e6).toLong()
