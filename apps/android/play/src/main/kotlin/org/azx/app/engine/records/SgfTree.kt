/** A game as SGF's tree: its moves, and the comments and lines that stand beside it. Variations.kt reads it again. */
package org.azx.app.engine.records

/** The name of a move: `ply` moves were played before it, the first of them `first`. */
internal typealias NameOfMove = (action: Int, ply: Int, first: Int?) -> String

/** A node's properties in order, with their values. */
internal typealias Told = List<Pair<String, List<String>>>

/** A position: the move before it, null at the root, its comments, and the positions after it, the main line first. */
private class Position(val action: Int?) {
    val said = LinkedHashSet<String>()
    val children = ArrayList<Position>()
}

/**
 * The text of a game with these properties at its root; ten nodes a line. The first `setUp` actions are no nodes: the root
 * tells of them.
 */
internal fun sgfText(root: Told, actions: List<Int>, setUp: Int, beside: Beside, name: NameOfMove): String {
    val first = if (setUp > 0) actions[0] else null
    return "(${sequence(grow(actions, setUp, beside), setUp, first, root, name)})\n"
}

private fun grow(actions: List<Int>, setUp: Int, beside: Beside): Position {
    val main = (listOf(null) + actions.drop(setUp)).map(::Position)
    for ((place, position) in main.withIndex()) {
        val at = setUp + place
        main.getOrNull(place + 1)?.let(position.children::add)
        beside.comments.filter { it.moves == at }.mapTo(position.said) { it.text }
        val lines = beside.lines.filter { it.from == at }
        // The first child is the main line: if that has ended, it is a node without a move.
        if (lines.isNotEmpty() && position.children.isEmpty()) position.children += Position(null)
        branch(position, lines, 0)
    }
    return main[0]
}

/** Put lines that share their first `depth` moves below `position`. */
private fun branch(position: Position, lines: List<Line>, depth: Int) {
    val next = lines.filter { it.actions.size > depth }.groupBy { it.actions[depth] }
    // A line stands behind those that branch off from it, as it is read: the last one goes straight on.
    val last = if (depth > 0) lines.lastOrNull()?.actions?.getOrNull(depth) else null
    val (straight, aside) = next.entries.partition { it.key == last }
    for ((action, through) in straight + aside) {
        val child = Position(action)
        for (line in through) line.comments.filter { it.moves == depth + 1 }.mapTo(child.said) { it.text }
        position.children += child
        branch(child, through, depth + 1)
    }
}

private fun sequence(begin: Position, plies: Int, before: Int?, told: Told, name: NameOfMove): String {
    val nodes = ArrayList<String>()
    var (position, ply, first) = Triple(begin, plies, before)
    var properties = told
    while (true) {
        val action = position.action
        val move = action?.let { (if (ply % 2 == 0) "B" else "W") to listOf(name(it, ply, first)) }
        val said = position.said.takeIf { it.isNotEmpty() }?.let { "C" to listOf(it.joinToString("\n")) }
        nodes += ";" + (properties + listOfNotNull(move, said)).joinToString("") { (key, values) ->
            key + values.joinToString("") { "[${escape(it)}]" }
        }
        if (action != null) {
            ply++
            first = first ?: action
        }
        position = position.children.singleOrNull() ?: break
        properties = emptyList()
    }
    val lines = nodes.chunked(10).map { it.joinToString("") }
    return (lines + position.children.map { "(${sequence(it, ply, first, emptyList(), name)})" }).joinToString("\n")
}

private fun escape(value: String): String = value.replace("\\", "\\\\").replace("]", "\\]")
