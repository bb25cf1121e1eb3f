package org.azx.app.screens.boards

/** Where the edges of a grid with `size` boxes a side lie; they are numbered as the actions of Dots and Boxes are. */
class Edges(private val size: Int) {
    /** How many lie across, the first ones; the others go down. */
    val across = size * (size + 1)
    val count = 2 * across

    fun isAcross(edge: Int): Boolean = edge < across

    /** The row of an edge's upper or left dot, 0 on top. */
    fun rowOf(edge: Int): Int = if (isAcross(edge)) edge / size else (edge - across) / (size + 1)

    /** The column of an edge's upper or left dot, 0 on the left. */
    fun columnOf(edge: Int): Int = if (isAcross(edge)) edge % size else (edge - across) % (size + 1)
}
