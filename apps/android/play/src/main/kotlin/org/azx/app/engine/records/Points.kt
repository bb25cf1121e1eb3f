/** Points of SGF by the names that the board gives them. */
package org.azx.app.engine.records

import org.azx.app.engine.State

// The boards on which SGF has no point `tt`, so that it is a pass.
private const val TT_IS_PASS = 19
private val CORNERS = Regex("([a-z])([a-z]):([a-z])([a-z])")

/** A property's first value; empty if the node has none. */
internal fun firstValue(node: Properties, key: String): String = strip(node[key]?.first().orEmpty())

/** The board's name of a point of SGF; the text itself if it is no point, as some programs write H8 for `hh`. */
internal fun nameOf(start: State, point: String): String {
    val columns = start.board[1]
    val isPass = point.isEmpty() || (point == "tt" && columns <= TT_IS_PASS)
    if (isPass) start.pass?.let { return start.label(it) }
    if (point.length != 2 || point.any { it - 'a' !in 0 until columns }) return point
    return start.label((point[1] - 'a') * columns + (point[0] - 'a'))
}

/** The names of all points that a property lists: one a value, or a rectangle by two corners, `aa:cc`. */
internal fun namesOf(start: State, nodes: List<Properties>, key: String): Sequence<String> =
    nodes.asSequence().flatMap { it[key].orEmpty() }.flatMap { pointsIn(strip(it)) }.map { nameOf(start, it) }

private fun pointsIn(value: String): Sequence<String> {
    val corners = CORNERS.matchEntire(value)?.groupValues?.drop(1)?.map { it.single() } ?: return sequenceOf(value)
    val (left, top, right, bottom) = corners
    return (top..bottom).asSequence().flatMap { row -> (left..right).map { column -> "$column$row" } }
}
