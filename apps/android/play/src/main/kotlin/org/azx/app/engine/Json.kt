package org.azx.app.engine

/** A text is no JSON, or nested deeper than any file of a bundle. */
class JsonError(sentence: String) : RuntimeException(sentence)

/**
 * What a JSON text says: Map<String, Any?>, List<Any?>, String, Int (else Long, else Double), Boolean or null.
 *
 * Strict, as bundles are untrusted: the platform's own reader takes `{a=1}` and comments, and a deeply nested text
 * overflows its stack. JsonError, with the place, for anything but JSON.
 */
fun parseJson(text: String): Any? = JsonReader(text).read()

/** An object's members; empty if `data` is no object. */
@Suppress("UNCHECKED_CAST")
internal fun membersOf(data: Any?): Map<String, Any?> = data as? Map<String, Any?> ?: emptyMap()

private const val DEEPEST = 32

private class JsonReader(private val text: String) {
    private var at = 0

    fun read(): Any? {
        val found = value(0)
        blanks()
        if (at < text.length) fail("nothing more")
        return found
    }

    private fun value(depth: Int): Any? {
        if (depth > DEEPEST) throw JsonError("The JSON is nested deeper than $DEEPEST.")
        blanks()
        return when (next()) {
            '{' -> members(depth)
            '[' -> elements(depth)
            '"' -> string()
            't' -> word("true", true)
            'f' -> word("false", false)
            'n' -> word("null", null)
            else -> number()
        }
    }

    private fun members(depth: Int): Map<String, Any?> {
        val found = LinkedHashMap<String, Any?>()
        sequence('}') {
            if (next() != '"') fail("a name")
            val name = string()
            blanks()
            take(':')
            found[name] = value(depth + 1)
        }
        return found
    }

    private fun elements(depth: Int): List<Any?> {
        val found = ArrayList<Any?>()
        sequence(']') { found.add(value(depth + 1)) }
        return found
    }

    /** What stands between an opening bracket and `end`, with commas between. */
    private inline fun sequence(end: Char, item: () -> Unit) {
        at++
        blanks()
        if (next() == end) {
            at++
            return
        }
        while (true) {
            blanks()
            item()
            blanks()
            if (next() == end) break
            take(',')
        }
        at++
    }

    private fun string(): String {
        at++
        val from = at
        while (next() != '"' && next() != '\\') plain()
        if (next() == '"') return text.substring(from, at++)
        val found = StringBuilder(text.substring(from, at))
        while (next() != '"') found.append(if (next() == '\\') escape() else plain())
        at++
        return found.toString()
    }

    private fun plain(): Char {
        if (text[at] < ' ') fail("a character that may stand in a text")
        return text[at++]
    }

    private fun escape(): Char {
        at++
        val letter = next()
        if (letter == 'u') return unicode()
        val meant = ESCAPES[letter] ?: fail("an escape")
        at++
        return meant
    }

    private fun unicode(): Char {
        val digits = text.substring(at + 1, minOf(at + 5, text.length))
        if (digits.length < 4 || digits.any { it !in "0123456789abcdefABCDEF" }) fail("four hexadecimal digits")
        at += 5
        return digits.toInt(16).toChar()
    }

    private fun number(): Any {
        val from = at
        while (at < text.length && (text[at] in '0'..'9' || text[at] in "+-.eE")) at++
        val digits = text.substring(from, at)
        if (!NUMBER.matches(digits)) {
            at = from
            fail("a value")
        }
        return digits.toIntOrNull() ?: digits.toLongOrNull() ?: digits.toDouble()
    }

    private fun <T> word(word: String, meant: T): T {
        if (!text.startsWith(word, at)) fail("a value")
        at += word.length
        return meant
    }

    private fun blanks() {
        while (at < text.length && text[at] in " \t\n\r") at++
    }

    private fun next(): Char = if (at < text.length) text[at] else fail("more")

    private fun take(expected: Char) {
        if (next() != expected) fail("'$expected'")
        at++
    }

    private fun fail(expected: String): Nothing =
        throw JsonError("Character ${at + 1} of the JSON is wrong: $expected was expected.")

    private companion object {
        val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
        val ESCAPES = mapOf(
            '"' to '"', '\\' to '\\', '/' to '/', 'b' to '\b', 'f' to '\u000C', 'n' to '\n', 'r' to '\r', 't' to '\t',
        )
    }
}
