package org.azx.app.screens.boards

import android.animation.ValueAnimator
import android.graphics.Bitmap
import android.graphics.Color
import android.graphics.RectF
import android.os.Looper
import android.view.MotionEvent
import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startGomoku
import org.azx.app.engine.games.startHex
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import java.util.concurrent.TimeUnit

/** What is drawn where; colours at places that no mark covers. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class BoardPixelsTest {
    private val context = themedContext()

    @After
    fun restoreAnimations() = ValueAnimator.setDurationScale(1f)

    /** The colour of a Connect4 board of 740 x 640 pixels at a cell, left of its middle. */
    private fun Bitmap.disc(at: Int) = getPixel(20 + at % 7 * 100 + 32, 20 + at / 7 * 100 + 50)

    /** The colour at a place in a spot, (0, 0) its upper left corner and (1, 1) its lower right one. */
    private fun BoardView.at(spot: Int, right: Float, down: Float): Int {
        val bounds = RectF().also { boundsOf(spot, it) }
        val (x, y) = bounds.left + right * bounds.width() to bounds.top + down * bounds.height()
        return picture().getPixel(x.toInt(), y.toInt())
    }

    @Test
    fun `discs are red and yellow, holes dark, the board blue`() {
        val picture = boardOf(shownOf(startConnect4().after(38, 31)), 740, 640).picture()
        assertEquals(context.getColor(R.color.red), picture.disc(38))
        assertEquals(context.getColor(R.color.yellow), picture.disc(31))
        assertEquals(context.getColor(R.color.hole), picture.disc(24))
        assertTrue(Color.blue(picture.getPixel(370, 10)) > 150)
    }

    @Test
    fun `a hint may be to take the first stone of Hex over, and stands on it as long as that is allowed`() {
        val (stone, other) = 1 to 12
        val heat = mapOf(stone to 0.6, other to 0.4)
        fun ground(state: State, heat: Map<Int, Double>?): Int =
            boardOf(shownOf(state, heat), 700, 500).at(stone, 0.3f, 0.5f)
        val open = startHex(5, "swap").after(stone)
        assertEquals(context.getColor(R.color.red), ground(open, null))
        assertEquals(context.getColor(R.color.accent), ground(open, heat))
        assertEquals("it was not taken over", context.getColor(R.color.red), ground(open.after(other), heat))
    }

    @Test
    fun `a stone of Hex that a finger would take over is shown where it would stand`() {
        val (stone, landing) = 1 to 5
        val board = boardOf(shownOf(startHex(5, "swap").after(stone), human = 1), 700, 500)
        val free = board.at(landing, 0.5f, 0.5f)
        val bounds = RectF().also { board.boundsOf(stone, it) }
        board.touch(MotionEvent.ACTION_DOWN, bounds.centerX(), bounds.centerY())
        val ghost = board.at(landing, 0.5f, 0.5f)
        assertNotEquals(free, ghost)
        assertTrue("it is blue", Color.blue(ghost) > Color.red(ghost))
        assertEquals("the stone stays", context.getColor(R.color.red), board.at(stone, 0.5f, 0.35f))
    }

    @Test
    fun `a disc falls, and lies in its cell in the end`() {
        val board = boardOf(shownOf(startConnect4().after(38)), 740, 640)
        board.show(shownOf(startConnect4().after(38, 31)))
        assertEquals(context.getColor(R.color.hole), board.picture().disc(31))
        shadowOf(Looper.getMainLooper()).idleFor(2, TimeUnit.SECONDS)
        assertEquals(context.getColor(R.color.yellow), board.picture().disc(31))
    }

    @Test
    fun `an answer waits until the disc before it has landed`() {
        val start = startConnect4().after(38)
        val board = boardOf(shownOf(start), 740, 640)
        board.show(shownOf(start.after(31)))
        board.show(shownOf(start.after(31, 24)))
        val hole = context.getColor(R.color.hole)
        assertEquals("the first one still falls", hole, board.picture().disc(31))
        assertEquals("the second one is not there yet", hole, board.picture().disc(24))
        shadowOf(Looper.getMainLooper()).idleFor(3, TimeUnit.SECONDS)
        assertEquals(context.getColor(R.color.yellow), board.picture().disc(31))
        assertEquals(context.getColor(R.color.red), board.picture().disc(24))
    }

    @Test
    fun `a third disc lets the first one land at once, and a move taken back lets all lie`() {
        val start = startConnect4().after(38)
        val board = boardOf(shownOf(start), 740, 640)
        for (actions in listOf(intArrayOf(31), intArrayOf(31, 24), intArrayOf(31, 24, 17))) {
            board.show(shownOf(start.after(*actions)))
        }
        val colours = listOf(31, 24, 17).map { board.picture().disc(it) }
        val (yellow, hole) = context.getColor(R.color.yellow) to context.getColor(R.color.hole)
        assertEquals(listOf(yellow, hole, hole), colours)
        board.show(shownOf(start.after(31, 24)))
        assertEquals(context.getColor(R.color.red), board.picture().disc(24))
    }

    @Test
    fun `a disc does not fall where the system's animations are off`() {
        ValueAnimator.setDurationScale(0f)
        val board = boardOf(shownOf(startConnect4().after(38)), 740, 640)
        board.show(shownOf(startConnect4().after(38, 31)))
        assertEquals(context.getColor(R.color.yellow), board.picture().disc(31))
    }

    @Test
    fun `the four in a row have white rings`() {
        val picture = boardOf(shownOf(startConnect4().after(35, 28, 36, 29, 37, 30, 38)), 740, 640).picture()
        val rings = (0 until 42).filter { picture.getPixel(36 + it % 7 * 100, 70 + it / 7 * 100) == Color.WHITE }
        assertEquals(listOf(35, 36, 37, 38), rings)
    }

    @Test
    fun `a column that is pressed is brighter and shows where the disc would land`() {
        val board = boardOf(shownOf(startConnect4()), 740, 640)
        val before = board.picture()
        board.touch(MotionEvent.ACTION_DOWN, 370f, 100f)
        val after = board.picture()
        assertNotEquals(before.disc(38), after.disc(38))
        assertNotEquals(before.getPixel(372, 22), after.getPixel(372, 22))
        assertEquals(before.disc(37), after.disc(37))
    }

    @Test
    fun `a hint puts a disc on a cell, a filled one on the best`() {
        val board = boardOf(shownOf(startConnect4(), heat = mapOf(35 to 0.7, 36 to 0.2, 37 to 0.001)), 740, 640)
        val picture = board.picture()
        assertEquals(context.getColor(R.color.accent), picture.disc(35))
        assertEquals(context.getColor(R.color.card), picture.disc(36))
        assertEquals(context.getColor(R.color.hole), picture.disc(37))
    }

    @Test
    fun `boxes have their owner's colour, edges are drawn`() {
        val state = startDotsAndBoxes(2).after(0, 2, 6, 7)
        val board = boardOf(shownOf(state), 600, 600)
        assertEquals(context.getColor(R.color.ink), board.at(0, 0.5f, 0.5f))
        assertEquals(context.getColor(R.color.accent), board.at(7, 0.5f, 0.5f))
        assertEquals(context.getColor(R.color.edge), board.at(11, 0.5f, 0.5f))
        assertEquals(context.getColor(R.color.orange), board.at(0, 0.5f, 0.9f))
    }

    @Test
    fun `stones are black and white, the last one has a red ring`() {
        val board = boardOf(shownOf(startGo(9).after(40, 41)), 800, 800)
        assertTrue(Color.luminance(board.at(40, 0.7f, 0.7f)) < 0.1)
        assertTrue(Color.luminance(board.at(41, 0.6f, 0.85f)) > 0.4)
        assertEquals(context.getColor(R.color.red), board.at(41, 0.5f, 0.28f))
    }

    @Test
    fun `the areas of a finished game of Go are marked`() {
        val walls = (0 until 9).flatMap { listOf(it * 9 + 3, it * 9 + 5) }.toIntArray()
        val board = boardOf(shownOf(startGo(9).after(*walls, 81, 81)), 800, 800)
        assertEquals(listOf(Color.BLACK, Color.WHITE), listOf(0, 8).map { board.at(it, 0.55f, 0.55f) })
        assertTrue(board.at(4, 0.6f, 0.6f) !in listOf(Color.BLACK, Color.WHITE))
    }

    @Test
    fun `black's forbidden points are crossed out under Renju`() {
        val moves = intArrayOf(112, 0, 113, 14, 126, 30, 141, 44)
        val cross = context.getColor(R.color.forbidden)
        assertEquals(cross, boardOf(shownOf(startGomoku(15, "renju").after(*moves)), 800, 800).at(111, 0.6f, 0.6f))
        assertNotEquals(cross, boardOf(shownOf(startGomoku(15).after(*moves)), 800, 800).at(111, 0.6f, 0.6f))
    }

    @Test
    fun `three in a row are green`() {
        val board = boardOf(shownOf(TicTacToe().after(4, 0, 3, 1, 5)), 600, 600)
        val ground = (0 until 9).map { board.at(it, 0.15f, 0.5f) }
        assertEquals(setOf(3, 4, 5), (0 until 9).filter { ground[it] != context.getColor(R.color.card) }.toSet())
    }

    @Test
    fun `every size is drawn, even one too small to use`() {
        for (state in listOf(startConnect4(), TicTacToe(), startDotsAndBoxes(6), startGomoku(19), startGo(19))) {
            for ((width, height) in listOf(1 to 1, 40 to 300, 2000 to 100)) {
                assertEquals(width, boardOf(shownOf(state), width, height).picture().width)
            }
        }
    }
}
