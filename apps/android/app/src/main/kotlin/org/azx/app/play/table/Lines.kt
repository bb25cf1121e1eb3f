/** The lines of a record that branch off from its game: a file's variations, and what was tried out here. */
package org.azx.app.play.table

import org.azx.app.engine.records.Comment
import org.azx.app.engine.records.Line as Kept

private fun List<Int>.beginsWith(beginning: List<Int>): Boolean = take(beginning.size) == beginning

/** The moves of a line alone. */
private val Line.actions: List<Int> get() = session.actions.drop(from)

/** The lines with these moves added, unless they are among them already. */
fun withLine(lines: List<Kept>, actions: List<Int>, from: Int): List<Kept> {
    val beside = lines.filter { it.from == from }
    if (beside.any { it.actions.beginsWith(actions) }) return lines
    // A line of one's own grows; a file's stays as it was read.
    val shorter = beside.find { it.isOwn && actions.beginsWith(it.actions) }
    return lines.filter { it !== shorter } + Kept(from, actions, emptyList(), isOwn = true)
}

/** What was tried out stays with the game. */
internal fun Table.keepLine(tried: Line) {
    val beside = identity.beside
    val lines = withLine(beside.lines, tried.actions, tried.from)
    if (lines === beside.lines) return
    identity = identity.copy(beside = beside.copy(lines = lines))
    if (session.moves > 0) keep()
}

private fun Table.through(): List<Kept> {
    val (from, before) = line?.let { it.from to it.actions } ?: (session.ply to emptyList())
    return identity.beside.lines.filter { it.from == from && it.actions.beginsWith(before) }
}

/** The moves by which the record's lines go on from the position that a replay shows. */
val Table.branches: List<Int>
    get() {
        val length = line?.length ?: 0
        return if (isReplay) through().mapNotNull { it.actions.getOrNull(length) }.distinct() else emptyList()
    }

/** Whether the moves of the line that is shown are a file's, and not tried out here. */
val Table.isOfFile: Boolean get() = line != null && through().any { !it.isOwn }

/** What the record says of the position that a replay shows; null if it says nothing. */
val Table.comment: String?
    get() {
        val length = line?.length ?: return said(identity.beside.comments, session.ply)
        return through().firstNotNullOfOrNull { said(it.comments, length) }
    }

private fun Table.said(comments: List<Comment>, moves: Int): String? =
    if (isReplay) comments.find { it.moves == moves }?.text else null
