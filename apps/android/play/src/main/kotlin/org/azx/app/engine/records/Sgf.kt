/** SGF's syntax: trees of nodes, a node's properties, a property's values. What they mean is in Reading.kt. */
package org.azx.app.engine.records

/** A node: the values of each property, at least one. */
internal typealias Properties = Map<String, List<String>>

/** A text is not SGF: why, in a few words. */
internal class NoSgf(why: String) : RuntimeException(why)

/** A `sign` of `();`, a property's name (sign A) or a value (sign [). */
private class Token(val sign: Char, val text: String = "")

/** A node: its values as they are written, by property, and the nodes that follow it, the main line first. */
internal class Node {
    val properties = LinkedHashMap<String, MutableList<String>>()
    val children = ArrayList<Node>()

    /** The values of a property, without soft line breaks; empty if it has none. */
    fun valuesOf(key: String): List<String> = properties[key].orEmpty().map { unescape(it.replace(SOFT_BREAK, "")) }

    /** The first value of a property; empty if it has none. */
    fun firstOf(key: String): String = valuesOf(key).firstOrNull().orEmpty().trim()
}

private val SOFT_BREAK = Regex("\\\\\r?\n")

/** A game with all its variations, of which there are `ignored`; `main` are the nodes of its main line. */
internal class Tree(private val main: List<Node>, val ignored: Int) {
    val root: Node get() = main[0]

    /** The nodes of the main line, which is the first branch at each fork. */
    val mainLine: List<Properties>
        get() = main.map { it.properties.mapValues { (_, values) -> values.map(::unescape).ifEmpty { listOf("") } } }
}

/** The first game of a text; NoSgf if there is none. */
internal fun treeOf(text: String): Tree {
    val main = ArrayList<Node>()
    val forks = ArrayList<Node?>()
    var node: Node? = null
    var values: MutableList<String>? = null
    // After a branch has closed, every other branch at any fork is a variation.
    var (isMain, ignored) = true to 0
    for (token in Tokens(text)) {
        if (isMain && node == null && token.sign !in "(;") throw NoSgf("it begins without a node")
        if (token.sign == '[') {
            if (isMain && values == null) throw NoSgf("a value has no property")
            values?.add(token.text)
            continue
        }
        values = null
        when (token.sign) {
            '(' -> {
                forks += node
                if (!isMain) ignored++
            }
            ')' -> {
                isMain = false
                node = forks.removeLastOrNull()
                if (forks.isEmpty()) break
            }
            ';' -> {
                val next = Node()
                node?.children?.add(next)
                if (isMain) main += next
                node = next
            }
            else -> {
                // Before FF[4] lower case letters were allowed; they mean nothing.
                val name = token.text.filter { it in 'A'..'Z' }
                if (name.isNotEmpty()) values = node?.properties?.getOrPut(name) { ArrayList() }
            }
        }
    }
    return Tree(main, ignored)
}

/** Signs, names and values as they come. NoSgf at any other character, and at the end of the text. */
private class Tokens(private val text: String) : Iterator<Token> {
    private var at = 0

    override fun hasNext() = true

    override fun next(): Token {
        while (at < text.length && text[at] in BLANKS) at++
        if (at == text.length) throw NoSgf("it ends within the game")
        val begin = at++
        val sign = text[begin]
        if (sign in "();") return Token(sign)
        if (isLetter(sign)) {
            while (at < text.length && isLetter(text[at])) at++
            return Token('A', text.substring(begin, at))
        }
        if (sign != '[') throw NoSgf("character ${begin + 1} has no place")
        at = endOfValue(text, at)
        return Token(sign, text.substring(begin + 1, at++))
    }
}

/** The place of the bracket that ends a value; a backslash escapes what follows. */
private fun endOfValue(text: String, begin: Int): Int {
    var at = begin
    while (at < text.length && text[at] != ']') at += if (text[at] == '\\') 2 else 1
    if (at >= text.length) throw NoSgf("it ends within the game")
    return at
}

private fun isLetter(sign: Char): Boolean = sign in 'A'..'Z' || sign in 'a'..'z'

private fun unescape(value: String): String {
    val found = StringBuilder()
    var at = 0
    while (at < value.length) {
        if (value[at] == '\\') at++
        found.append(value[at++])
    }
    return found.toString()
}
