package org.azx.app.engine.review

import org.azx.app.engine.GameError
import org.azx.app.engine.State
import org.azx.app.engine.after
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startReversi
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/**
 * A hint in points: exact where an end is solved, of Go what playouts tell apart, and nothing where little is known. The
 * page's tests have the same positions.
 */
class PointsTest {
    private fun State.measure(vararg actions: Int): Map<Int, Int> = checkNotNull(pointsOf(actions.toList()))

    @Test
    fun `of a solved end of Dots and Boxes it is what each move loses`() {
        // Half of the edges are drawn; all but the best moves give boxes away.
        val state = startDotsAndBoxes(3).after(0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19)
        val known = findKnown(state)
        assertNotNull(known.margin)
        val points = state.measure(*known.legal.sortedByDescending { it in known.left }.toIntArray())
        assertEquals(known.legal.toSet(), points.keys)
        for ((action, gained) in points) assertEquals("$action: $gained", action in known.left, gained >= 0)
        assertTrue("$points", points.values.all { it <= 0 } && points.values.any { it < 0 })
    }

    @Test
    fun `of a solved end of Reversi it is discs`() {
        // What a person plays who takes the first cell, until the end is solved.
        val state = generateSequence(startReversi(4) as State) { it.apply(it.legalActions()[0]) }
            .first { findKnown(it).margin != null }
        val known = findKnown(state)
        val points = state.measure(*known.legal.toIntArray())
        for (action in known.legal) assertEquals(action in known.left, points[action] == 0)
    }

    @Test
    fun `nothing is said while an end is not solved, nor in the opening of Go`() {
        assertNull(startDotsAndBoxes(3).after(0).pointsOf(listOf(1, 2)))
        assertNull(startReversi(8).pointsOf(listOf(19, 26)))
        assertNull(startGo(9).after(40, 30).pointsOf(listOf(41, 31)))
        assertNull(startConnect4().pointsOf(listOf(35, 36)))
        assertNull("playouts take too long", walls(19).pointsOf(listOf(0, 1)))
    }

    @Test
    fun `of Go it is what playouts tell apart`() {
        val (state, between, home) = Triple(walls(9), 40, 36)
        val points = state.measure(between, home)
        assertEquals(0, points[between])
        assertTrue("$points", points.getValue(home) < 0)
        assertTrue("the other way round it is what is gained", state.measure(home, between).getValue(between) > 0)
        assertThrows(GameError::class.java) { state.measure(between, 3) }
    }

    /** Black has the fourth column and white the sixth, each with stones behind it; between them nobody has been. */
    private fun walls(size: Int): State {
        val behind = listOf(0 to 1, 1 to 1, 2 to 1, 3 to 1, 4 to 1, 5 to 1, 6 to 1, 7 to 1, 8 to 1, 0 to 2, 1 to 2)
        val moves = (List(size) { it to 3 } + behind).flatMapIndexed { at, (row, column) ->
            val black = row * size + column
            listOf(black, black + if (at < size) 2 else 6)
        }
        return startGo(size).after(*moves.toIntArray())
    }
}
