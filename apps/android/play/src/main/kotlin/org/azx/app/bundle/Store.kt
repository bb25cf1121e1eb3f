/** The folders of bundles, and how their files are read and checked. */
package org.azx.app.bundle

import android.content.res.AssetFileDescriptor
import android.content.res.AssetManager
import org.azx.app.engine.JsonError
import org.azx.app.engine.parseJson
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.FileInputStream
import java.io.FileNotFoundException
import java.io.IOException
import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.channels.FileChannel
import java.security.MessageDigest

/** The folder of the app's assets that has the index, and a folder for each bundle. */
const val FOLDER = "azx"

private const val ALIGNMENT = 4

/** A file of a bundle: its path below the bundle's folder, SHA-256 in hexadecimal digits, size in bytes. */
class FileEntry(val path: String, val sha256: String, val size: Long)

/** The folder of installed bundles; paths are relative to it, with `/`. IOException for what cannot be read. */
interface Store {
    fun open(path: String): InputStream

    /** A direct buffer of the whole file, mapped where possible: networks are large. */
    fun map(path: String): ByteBuffer
}

class AssetStore(private val assets: AssetManager) : Store {
    override fun open(path: String): InputStream = assets.open("$FOLDER/$path")

    /** Mapped if the package stores the file uncompressed and aligned; else read into memory. */
    override fun map(path: String): ByteBuffer = try {
        assets.openFd("$FOLDER/$path").use(::mapAligned)
    } catch (error: FileNotFoundException) {
        null
    } ?: direct(open(path).use { it.readBytes() })

    private fun direct(bytes: ByteArray): ByteBuffer {
        val buffer = ByteBuffer.allocateDirect(bytes.size).order(ByteOrder.nativeOrder())
        buffer.duplicate().put(bytes)
        return buffer
    }
}

/**
 * The part of a file that an asset is; null if it does not begin at a multiple of four. TensorFlow Lite crashes on unaligned
 * weights of 8 bits.
 */
internal fun mapAligned(asset: AssetFileDescriptor): ByteBuffer? {
    if (asset.startOffset % ALIGNMENT != 0L) return null
    // Not by the descriptor's own stream, whose channel counts from the asset's start on some Androids.
    return FileInputStream(asset.fileDescriptor).channel.use {
        it.map(FileChannel.MapMode.READ_ONLY, asset.startOffset, asset.declaredLength)
    }
}

class FolderStore(private val folder: File) : Store {
    override fun open(path: String): InputStream = FileInputStream(File(folder, path))

    override fun map(path: String): ByteBuffer = mapped(File(folder, path))
}

/** The bytes of a file, mapped. */
fun mapped(file: File): ByteBuffer =
    FileInputStream(file).channel.use { it.map(FileChannel.MapMode.READ_ONLY, 0, it.size()) }

// A bundle's JSON files have some hundred kilobytes.
private const val LARGEST = 16 shl 20

internal class TooLarge : RuntimeException("The file is too large.")

/** The bytes of a small file; null if it is missing. TooLarge if it is far too large. */
internal fun Store.bytesOrNull(path: String): ByteArray? {
    val stream = try {
        open(path)
    } catch (error: IOException) {
        return null
    }
    return stream.use { bytesUpTo(LARGEST, it::read) ?: throw TooLarge() }
}

/** The bytes that `read` gives, chunk by chunk, to the end; null as soon as there are more than `most`. */
fun bytesUpTo(most: Int, read: (ByteArray) -> Int): ByteArray? {
    val bytes = ByteArrayOutputStream()
    forEachChunk(read) { chunk, count ->
        bytes.write(chunk, 0, count)
        if (bytes.size() > most) return null
    }
    return bytes.toByteArray()
}

/** Call `use` with each chunk that `read` fills and how many bytes it has, to the end. */
inline fun forEachChunk(read: (ByteArray) -> Int, use: (ByteArray, Int) -> Unit) {
    val chunk = ByteArray(1 shl 16)
    while (true) {
        val count = read(chunk)
        if (count < 0) return
        use(chunk, count)
    }
}

/** What a file of JSON says; BundleError if it is no JSON. */
internal fun jsonOf(bytes: ByteArray, bundle: String, path: String): Any? = try {
    parseJson(textOf(bytes))
} catch (error: JsonError) {
    throw BundleError("error_json", bundle, path, cause = error)
}

internal fun textOf(bytes: ByteArray): String = String(bytes, Charsets.UTF_8)

/** BundleError if a buffer's bytes, which stay unread, are not those of the entry. */
internal fun check(bytes: ByteBuffer, file: FileEntry, bundle: String) {
    val size = bytes.remaining()
    if (size.toLong() != file.size) throw BundleError("error_size", bundle, file.path, size, file.size)
    if (sha256(bytes) != file.sha256) throw BundleError("error_hash", bundle, file.path)
}

/** SHA-256 of a buffer's bytes, in hexadecimal digits. */
internal fun sha256(bytes: ByteBuffer): String {
    val digest = MessageDigest.getInstance("SHA-256")
    digest.update(bytes.duplicate())
    return hexOf(digest)
}

internal fun hexOf(digest: MessageDigest): String = digest.digest().joinToString("") { "%02x".format(it) }
