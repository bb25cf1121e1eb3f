/**
 * What SGF says beside the main line: comments, and variations as lines that branch off from it.
 *
 * A variation within a variation is a line of its own, which begins with the moves that both share. A move that the
 * rules forbid ends its line, and is counted; so do stones that a variation sets up, which are another position's.
 */
package org.azx.app.engine.records

import org.azx.app.engine.State

private const val MOST_LINES = 500

// How many variations may stand within each other.
private const val DEEPEST = 100
private const val LONGEST_COMMENT = 4_000

// Properties of the root that tell of the game and its players; the others are of its writing.
private val TELLING = listOf(
    "GN", "EV", "RO", "PC", "DT", "PB", "BR", "BT", "PW", "WR", "WT", "RE", "KM", "RU", "TM", "OT", "SO", "AN", "CP",
    "ON", "GC",
)

/**
 * What an SGF text says beside its main line, whose positions are `states`; NoSgf if it is not SGF. The root stands for the
 * position after the first `setUp` moves; a variation that begins before all their stones stand is left out.
 */
internal fun besideOf(text: String, states: List<State>, setUp: Int): Beside {
    val root = treeOf(text).root
    val comments = sortedMapOf<Int, String>()
    val reader = Variations()
    // Above 0 while a later node of the main line still places stones.
    var toPlace = generateSequence(root) { it.children.firstOrNull() }.indexOfLast { setsUp(it.properties) }
    var ply = setUp
    var node: Node? = root
    while (node != null) {
        moveOf(node, states[0])?.let { move ->
            ply += if (states.getOrNull(ply)?.let { passLeftOut(it, move) } == null) 1 else 2
        }
        val said = commentOf(node)
        if (said.isNotEmpty()) comments[ply] = listOfNotNull(comments[ply], said).joinToString("\n")
        val state = states.getOrNull(ply) ?: break
        val others = node.children.drop(1)
        if (toPlace > 0) reader.leftOut += others.size
        if (toPlace <= 0) for (other in others) reader.branch(other, Begun(ply, emptyList(), emptyList(), state), 0)
        toPlace--
        node = node.children.firstOrNull()
    }
    val told = TELLING.associateWith { root.firstOf(it).take(LONGEST_COMMENT) }
    val said = comments.map { Comment(it.key, it.value) }
    return Beside(told.filterValues { it.isNotEmpty() }, said, reader.lines, reader.leftOut)
}

/** A line as far as it was read: its branch point, moves, comments and position. */
private class Begun(val from: Int, val actions: List<Int>, val comments: List<Comment>, val state: State)

private class Variations {
    val lines = ArrayList<Line>()
    var leftOut = 0

    /** Add what goes on from `begun` with the node `first`, and what branches off from that. */
    fun branch(first: Node, begun: Begun, depth: Int) {
        if (depth > DEEPEST) {
            leftOut++
            return
        }
        val (actions, comments) = begun.actions.toMutableList() to begun.comments.toMutableList()
        var state = begun.state
        var node: Node? = first
        while (node != null) {
            if (setsUp(node.properties)) {
                leftOut++
                break
            }
            val move = moveOf(node, state)
            if (move != null) {
                val pass = passLeftOut(state, move)
                val there = pass?.let(state::apply) ?: state
                val action = if (lines.size < MOST_LINES) actionOf(there, move) else null
                if (action == null) {
                    leftOut++
                    break
                }
                actions += listOfNotNull(pass, action)
                state = there.apply(action)
            }
            commentOf(node).takeIf { it.isNotEmpty() }?.let { comments += Comment(actions.size, it) }
            for (other in node.children.drop(1)) {
                branch(other, Begun(begun.from, actions.toList(), comments.toList(), state), depth + 1)
            }
            node = node.children.firstOrNull()
        }
        if (actions.size > begun.actions.size) lines += Line(begun.from, actions, comments, isOwn = false)
    }
}

/** The move of a node by its name on the board of `state`; null if the node has none. */
private fun moveOf(node: Node, state: State): Move? =
    listOf("B", "W").withIndex().firstNotNullOfOrNull { (player, key) ->
        if (key in node.properties) Move(nameOf(state, node.firstOf(key)), player) else null
    }

/** A variation's move as an action; null if the rules forbid it. */
private fun actionOf(state: State, move: Move): Int? {
    if (state.isTerminal || state.toMove != move.player) return null
    val name = move.name.lowercase()
    // By its name first: whether a move is legal takes long in Go.
    return (0 until state.actions).find { state.label(it).lowercase() == name && state.whyIllegal(it) == null }
}

private fun commentOf(node: Node): String = (node.valuesOf("N") + node.valuesOf("C")).joinToString("\n")
    .replace("\r\n", "\n").replace('\r', '\n').trim().take(LONGEST_COMMENT)

/** What a text of SGF says beside its moves, the first `setUp` of which place stones; nothing for other texts. */
fun readBeside(text: String, states: List<State>, setUp: Int = 0): Beside {
    val given = strip(text.removePrefix("\uFEFF"))
    return if (given.startsWith("(")) besideOf(given, states, setUp) else Beside()
}
