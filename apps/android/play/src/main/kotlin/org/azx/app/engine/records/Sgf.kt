/** SGF's syntax: trees of nodes, a node's properties, a property's values. What they mean is in Reading.kt. */
package org.azx.app.engine.records

/** A node: the values of each property, at least one. */
internal typealias Properties = Map<String, List<String>>

/** The nodes of a game's main line, and how many variations were left out. */
internal class MainLine(val nodes: List<Properties>, val ignored: Int)

/** What is no SGF: why, in a few words. */
internal class NoSgf(why: String) : RuntimeException(why)

/** A `sign` of `();`, a property's name (sign A) or a value (sign [). */
private class Token(val sign: Char, val text: String = "")

/** The first game's main line: the first branch at each fork. NoSgf if there is none. */
internal fun mainLine(text: String): MainLine {
    val nodes = mutableListOf<LinkedHashMap<String, MutableList<String>>>()
    var values: MutableList<String>? = null
    var ignored = 0
    var closed = 0
    var depth = 0
    for (token in Tokens(text)) {
        val node = nodes.lastOrNull()
        if (token.sign == '(') {
            // After a branch has closed, each other one at any fork is a variation.
            if (closed > 0) ignored++
            depth++
            values = null
        } else if (token.sign == ')' && node != null) {
            depth--
            closed++
            if (depth == 0) break
        } else if (closed == 0) {
            values = read(token, node, nodes, values)
        }
    }
    return MainLine(nodes.map { node -> node.mapValues { (_, found) -> found.ifEmpty { listOf("") } } }, ignored)
}

/** Take a token of the main line in; the values that the next one may add to, null if none may. */
private fun read(
    token: Token,
    node: LinkedHashMap<String, MutableList<String>>?,
    nodes: MutableList<LinkedHashMap<String, MutableList<String>>>,
    values: MutableList<String>?,
): MutableList<String>? {
    if (token.sign == ';') {
        nodes += LinkedHashMap<String, MutableList<String>>()
        return null
    }
    if (node == null || token.sign in "()") throw NoSgf("it begins without a node")
    if (token.sign == 'A') {
        // Lower case letters were allowed before FF[4] and mean nothing.
        val name = token.text.filter { it in 'A'..'Z' }
        return if (name.isEmpty()) null else node.getOrPut(name) { mutableListOf() }
    }
    if (values == null) throw NoSgf("a value has no property")
    values += unescape(token.text)
    return values
}

/** A node with all that follows it, the main line first. */
internal class Node(val properties: MutableMap<String, MutableList<String>> = LinkedHashMap()) {
    val children = ArrayList<Node>()

    /** All values of a property in lines of one text; empty if it has none. */
    fun textOf(vararg keys: String): String = keys.flatMap { properties[it].orEmpty() }.joinToString("\n")
}

private val SOFT_BREAK = Regex("\\\\\r?\n")

/** The first game with all its variations; NoSgf if there is none. */
internal fun treeOf(text: String): Node {
    var root: Node? = null
    var node: Node? = null
    var values: MutableList<String>? = null
    val forks = ArrayList<Node?>()
    for (token in Tokens(text)) {
        when (token.sign) {
            '(' -> forks += node
            ')' -> {
                node = forks.removeLastOrNull()
                if (forks.isEmpty()) break
            }
            ';' -> {
                val next = Node()
                node?.children?.add(next)
                node = next
                root = root ?: next
            }
            'A' -> {
                val name = token.text.filter { it in 'A'..'Z' }
                val properties = (node ?: throw NoSgf("it begins without a node")).properties
                values = if (name.isEmpty()) ArrayList() else properties.getOrPut(name) { ArrayList() }
            }
            else -> values?.add(unescape(token.text.replace(SOFT_BREAK, "")))
        }
    }
    return root ?: throw NoSgf("it begins without a node")
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

/** Where the bracket is that ends a value; a backslash takes what follows as it is. */
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
