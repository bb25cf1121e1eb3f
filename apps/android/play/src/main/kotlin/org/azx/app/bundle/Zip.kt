/**
 * A .zip as its members, read by its central directory.
 *
 * A member is unpacked when it is opened, to at most the size in the directory. Several disks, Zip64 and encryption are
 * refused with a reason: few packers write them, and bundles do not need them.
 */
package org.azx.app.bundle

import java.io.ByteArrayInputStream
import java.io.IOException
import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.zip.Inflater
import java.util.zip.InflaterInputStream

/**
 * A file that a person has given: its path below the folder or .zip, its size if known, and a function that opens it;
 * IOException if it cannot be read.
 */
class Member(val path: String, val size: Long?, val open: () -> InputStream)

const val MOST_MEMBERS = 2000

// The directory's end stands behind it, before a comment of 64 KiB at most.
private const val END = 0x06054b50
private const val END_SIZE = 22
private const val ZIP64_LOCATOR = 0x07064b50
private const val ZIP64_LOCATOR_SIZE = 20
private const val ENTRY = 0x02014b50
private const val ENTRY_SIZE = 46
private const val LOCAL = 0x04034b50
private const val LOCAL_SIZE = 30
private const val MOST_COMMENT = 0xffff
private const val MOST_DIRECTORY_BYTES = 4_000_000
private const val ENCRYPTED = 0x2041
private const val STORED = 0
private const val DEFLATED = 8

// In place of a number that stands in a Zip64 record.
private const val FULL_16 = 0xffff
private const val FULL_32 = 0xffffffffL

/** The files in a .zip called `where`, at most `most`; BundleError if it is no .zip, or of a kind that is not read. */
fun zipMembers(bytes: ByteBuffer, where: String, most: Int = MOST_MEMBERS): List<Member> =
    ZipFile(bytes, where, most).members()

private class ZipFile(bytes: ByteBuffer, private val where: String, private val most: Int) {
    private val bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN)
    private val size = bytes.remaining()

    private fun short(at: Int): Int = bytes.getShort(at).toInt() and 0xffff

    private fun long(at: Int): Long = bytes.getInt(at).toLong() and 0xffffffffL

    private class Directory(val count: Int, val from: Int, val end: Int)

    fun members(): List<Member> {
        val directory = directory()
        val found = ArrayList<Member>()
        var at = directory.from
        repeat(directory.count) {
            if (at + ENTRY_SIZE > directory.end || bytes.getInt(at) != ENTRY) throw damage()
            val (first, name) = at + ENTRY_SIZE to short(at + 28)
            val next = first + name + short(at + 30) + short(at + 32)
            if (next > directory.end) throw damage()
            val path = textOf(ByteArray(name) { bytes.get(first + it) })
            // A folder's own entry says nothing that its files' do not.
            if (!path.endsWith("/")) found += member(path, at)
            at = next
        }
        return found
    }

    /** Where the central directory lies, and how many entries it has. */
    private fun directory(): Directory {
        val last = size - END_SIZE
        val at = (last downTo maxOf(0, last - MOST_COMMENT)).firstOrNull(::isEnd) ?: throw refusal("zip_none")
        val locator = at - ZIP64_LOCATOR_SIZE
        val (count, length, offset) = Triple(short(at + 10), long(at + 12), long(at + 16))
        val isZip64 = locator >= 0 && bytes.getInt(locator) == ZIP64_LOCATOR
        if (isZip64 || count == FULL_16 || length == FULL_32 || offset == FULL_32) throw refusal("zip_64")
        if (short(at + 4) != 0 || short(at + 6) != 0 || short(at + 8) != count) throw refusal("zip_parts")
        if (count > most) throw refusal("zip_entries", count, most)
        if (length > MOST_DIRECTORY_BYTES || offset + length > at) throw damage()
        return Directory(count, offset.toInt(), (offset + length).toInt())
    }

    /** Whether an end of the directory at `at` has a comment that fills the rest. */
    private fun isEnd(at: Int) = bytes.getInt(at) == END && at + END_SIZE + short(at + 20) == size

    /** The member whose entry stands at `at` of the directory. */
    private fun member(path: String, at: Int): Member {
        val (flags, method) = short(at + 8) to short(at + 10)
        val (packed, full, offset) = Triple(long(at + 20), long(at + 24), long(at + 42))
        if (flags and ENCRYPTED != 0) throw refusal("zip_encrypted", path)
        if (FULL_32 in listOf(packed, full, offset)) throw refusal("zip_64")
        if (method != STORED && method != DEFLATED) throw refusal("zip_packing", path, method)
        if (method == STORED && packed != full) throw damage()
        return Member(path, full) { unpack(packedBytes(offset, packed), method, full) }
    }

    /** What lies behind a member's own header. */
    private fun packedBytes(offset: Long, packed: Long): ByteArray {
        if (offset + LOCAL_SIZE > size || bytes.getInt(offset.toInt()) != LOCAL) throw damage()
        val at = offset.toInt()
        val begin = at + LOCAL_SIZE + short(at + 26) + short(at + 28)
        if (begin + packed > size) throw damage()
        val part = bytes.duplicate()
        part.position(begin)
        // An inflater asks for a byte behind the end.
        return ByteArray(packed.toInt() + 1).also { part.get(it, 0, packed.toInt()) }
    }

    private fun unpack(packed: ByteArray, method: Int, size: Long): InputStream {
        val stream = ByteArrayInputStream(packed)
        if (method == STORED) return ByteArrayInputStream(packed, 0, packed.size - 1)
        return Exactly(InflaterInputStream(stream, Inflater(true)), size)
    }

    /** Exactly `size` bytes; a BundleError if there are more or fewer. */
    private inner class Exactly(private val stream: InputStream, size: Long) : InputStream() {
        private var left = size

        override fun read(): Int {
            val one = ByteArray(1)
            return if (read(one, 0, 1) < 0) -1 else one[0].toInt() and 0xff
        }

        override fun read(into: ByteArray, offset: Int, length: Int): Int {
            val count = try {
                stream.read(into, offset, length)
            } catch (error: IOException) {
                throw damage(error)
            }
            if (count > left) throw refusal("zip_more")
            if (count < 0 && left > 0) throw damage()
            if (count > 0) left -= count
            return count
        }
    }

    private fun damage(cause: Throwable? = null) = BundleError("zip_damaged", where, cause = cause)

    private fun refusal(key: String, vararg places: Any) = BundleError(key, where, *places)
}
