/**
 * What SGF says beside the main line: comments, and variations as lines that branch off from it.
 *
 * A variation within a variation is a line of its own, which begins with the moves that both share. A move that the
 * rules forbid ends its line, and is counted.
 */
package org.azx.app.engine.records

import org.azx.app.engine.Player
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

/** What an SGF text says beside its main line, of which `states` are the positions; NoSgf where it is none. */
internal fun besideOf(text: String, states: List<State>): Beside {
    val root = treeOf(text)
    val comments = sortedMapOf<Int, String>()
    val reader = Variations()
    var ply = 0
    var node: Node? = root
    while (node != null) {
        moveOf(node)?.let { (point, _) ->
            val at = states.getOrNull(ply)
            ply += if (at == null || owedPass(at, named(at, point)) == null) 1 else 2
        }
        val said = commentOf(node)
        if (said.isNotEmpty()) comments[ply] = listOfNotNull(comments[ply], said).joinToString("\n")
        val state = states.getOrNull(ply) ?: break
        for (other in node.children.drop(1)) reader.branch(other, Begun(ply, emptyList(), emptyList(), state), 0)
        node = node.children.firstOrNull()
    }
    val told = TELLING.associateWith { key ->
        root.properties[key]?.firstOrNull().orEmpty().trim().take(LONGEST_COMMENT)
    }
    return Beside(
        told.filterValues {
            it.isNotEmpty()
        },
        comments.map { Comment(it.key, it.value) }, reader.lines, reader.leftOut,
    )
}

/** A line as far as it was read: where it branches off from the game, its moves and comments, and the position. */
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
            val move = moveOf(node)
            if (move != null) {
                val pass = owedPass(state, named(state, move.first))
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

private fun moveOf(node: Node): Pair<String, Player>? =
    listOf("B", "W").withIndex().firstNotNullOfOrNull { (player, key) ->
        node.properties[key]?.let { it.firstOrNull().orEmpty().trim() to player }
    }

/** What a board calls a point of SGF. */
private fun named(state: State, point: String): String = nameOf(state, point, state.board[0]).lowercase()

/** A variation's move as an action; null where the rules forbid it. */
private fun actionOf(state: State, move: Pair<String, Player>): Int? {
    val (point, player) = move
    if (state.isTerminal || state.toMove != player) return null
    val name = named(state, point)
    // By its name first: whether a move is legal takes long in Go.
    return (0 until state.actions).find { state.label(it).lowercase() == name && state.whyIllegal(it) == null }
}

private fun commentOf(node: Node): String = node.textOf("N", "C").replace("\r\n", "\n").replace('\r', '\n').trim()
    .take(LONGEST_COMMENT)

/** What a text says beside its moves, where it is SGF. */
fun readBeside(text: String, states: List<State>): Beside {
    val given = text.removePrefix("\uFEFF").trim { it in BLANKS }
    return if (given.startsWith("(")) besideOf(given, states) else Beside()
}
