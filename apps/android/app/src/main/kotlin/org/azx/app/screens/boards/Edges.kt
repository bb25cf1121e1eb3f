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

    /** An edge by its two dots, such as "A1–B1". */
    fun nameOf(edge: Int): String {
        val (row, column) = rowOf(edge) to columnOf(edge)
        val (down, right) = if (isAcross(edge)) 0 to 1 else 1 to 0
        return "${dotAt(row, column)}–${dotAt(row + down, column + right)}"
    }

    private fun dotAt(row: Int, column: Int) = letterOf(column) + numberOf(row)

    companion object {
        /** What a column of dots is called, from the left. */
        fun letterOf(column: Int): String = ('A' + column).toString()

        /** What a row of dots is called, from above. */
        fun numberOf(row: Int): String = (row + 1).toString()
    }
}
