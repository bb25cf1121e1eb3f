/** The text of a record's file, in the character set that its SGF names (CA). */
package org.azx.app.engine.records

import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.Charset
import java.nio.charset.IllegalCharsetNameException
import java.nio.charset.UnsupportedCharsetException

/** Names of character sets are plain, and stand near the beginning. */
private const val HEAD = 1_000
private val SGF = Regex("^(\u00ef\u00bb\u00bf)?\\s*\\(")
private val NAMED = Regex("\\bCA\\s*\\[\\s*([\\w.:-]+)\\s*]")

/**
 * The text of a file's bytes, in the set that an SGF names, with a mark for each byte that the set lacks. Without a known
 * name it is UTF-8; SGF that is not UTF-8 is ISO 8859-1, SGF's default.
 */
fun textOf(bytes: ByteArray): String {
    val head = String(bytes, 0, minOf(bytes.size, HEAD), Charsets.ISO_8859_1)
    val isSgf = SGF.containsMatchIn(head)
    val named = if (isSgf) NAMED.find(head)?.let { charset(it.groupValues[1]) } else null
    if (named != null && named != Charsets.UTF_8) return String(bytes, named)
    return try {
        Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()
    } catch (_: CharacterCodingException) {
        String(bytes, if (isSgf) Charsets.ISO_8859_1 else Charsets.UTF_8)
    }
}

private fun charset(name: String): Charset? = try {
    Charset.forName(name)
} catch (_: IllegalCharsetNameException) {
    null
} catch (_: UnsupportedCharsetException) {
    null
}
