package org.azx.app.network

import java.nio.ByteBuffer
import java.nio.ByteOrder

/**
 * A table of a flatbuffer, read in place; only texts and lists of numbers are copied. A place outside the file throws an
 * IndexOutOfBoundsException.
 */
class FlatTable private constructor(private val bytes: ByteBuffer, private val at: Int) {
    /** Where the value of a field lies; null if the table does not have it. */
    private fun place(field: Int): Int? {
        val fields = at - bytes.getInt(at)
        val entry = 4 + 2 * field
        if (entry + 2 > short(fields)) return null
        return short(fields + entry).takeIf { it != 0 }?.plus(at)
    }

    private fun short(at: Int): Int = bytes.getShort(at).toInt() and 0xffff

    /** A field of one byte with its sign. */
    fun byte(field: Int): Int = place(field)?.let { bytes.get(it).toInt() } ?: 0

    /** A field of four bytes. */
    fun int(field: Int): Int = place(field)?.let(bytes::getInt) ?: 0

    /** A field of eight bytes. */
    fun long(field: Int): Long = place(field)?.let(bytes::getLong) ?: 0L

    fun has(field: Int): Boolean = place(field) != null

    /** How many items a list or how many bytes a text has; 0 if it is missing. */
    fun count(field: Int): Int = list(field)?.let(bytes::getInt) ?: 0

    /** A text; null if it is missing. */
    fun text(field: Int): String? = list(field)?.let { from ->
        String(ByteArray(room(from, 1)) { bytes.get(from + 4 + it) }, Charsets.UTF_8)
    }

    /** A list of numbers of four bytes. */
    fun ints(field: Int): List<Int> =
        list(field)?.let { from -> List(room(from, 4)) { bytes.getInt(from + 4 + 4 * it) } }.orEmpty()

    /** A list of numbers of one byte. */
    fun bytes(field: Int): List<Byte> =
        list(field)?.let { from -> List(room(from, 1)) { bytes.get(from + 4 + it) } }.orEmpty()

    /** A list of tables. */
    fun tables(field: Int): List<FlatTable> =
        list(field)?.let { from -> List(room(from, 4)) { FlatTable(bytes, follow(from + 4 + 4 * it)) } }.orEmpty()

    private fun list(field: Int): Int? = place(field)?.let(::follow)

    /** The place that a number leads to: forward alone, so that nothing leads in a circle. */
    private fun follow(from: Int): Int {
        val offset = bytes.getInt(from)
        if (offset <= 0 || offset > bytes.limit() - from) throw IndexOutOfBoundsException("offset $offset at $from")
        return from + offset
    }

    /** How many items of `size` bytes a list has, all of which are in the file. */
    private fun room(from: Int, size: Int): Int {
        val count = bytes.getInt(from)
        if (count < 0 || count > (bytes.limit() - from - 4) / size) {
            throw IndexOutOfBoundsException("$count items at $from")
        }
        return count
    }

    companion object {
        /** The first table of a file with this mark; null if it has another one, or none. */
        fun root(file: ByteBuffer, mark: String): FlatTable? {
            val bytes = file.duplicate().order(ByteOrder.LITTLE_ENDIAN).apply { rewind() }
            if (bytes.limit() < 8 || String(CharArray(4) { bytes.get(4 + it).toInt().toChar() }) != mark) return null
            return FlatTable(bytes, bytes.getInt(0))
        }
    }
}
