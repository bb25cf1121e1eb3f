package org.azx.app.engine

/**
 * The JSON text of what `parseJson` gives. Whole numbers have no point, and surrogates are escaped, so that every reader
 * reads the same. IllegalArgumentException for a value that JSON does not have.
 */
fun writeJson(data: Any?): String = StringBuilder().also { write(data, it) }.toString()

private fun write(data: Any?, to: StringBuilder) {
    when (data) {
        null, is Boolean, is Int, is Long -> to.append(data)
        is String -> quote(data, to)
        is Double -> to.append(numberOf(data))
        is Map<*, *> -> writeAll(data.entries, "{}", to) { (name, value) ->
            quote(name as String, to)
            to.append(':')
            write(value, to)
        }
        is Iterable<*> -> writeAll(data, "[]", to) { write(it, to) }
        else -> throw IllegalArgumentException("JSON has no ${data.javaClass.simpleName}.")
    }
}

private fun <Item> writeAll(items: Iterable<Item>, signs: String, to: StringBuilder, write: (Item) -> Unit) {
    to.append(signs[0])
    items.forEachIndexed { at, item ->
        if (at > 0) to.append(',')
        write(item)
    }
    to.append(signs[1])
}

private fun numberOf(number: Double): String {
    require(!number.isNaN() && !number.isInfinite()) { "JSON has no $number." }
    return number.toString().removeSuffix(".0")
}

private fun quote(text: String, to: StringBuilder) {
    to.append('"')
    for (sign in text) {
        when {
            sign == '"' || sign == '\\' -> to.append('\\').append(sign)
            sign < ' ' || sign.isSurrogate() -> to.append("\\u").append(sign.code.toString(16).padStart(4, '0'))
            else -> to.append(sign)
        }
    }
    to.append('"')
}
