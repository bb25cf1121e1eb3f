package org.azx.app.screens.boards

import android.graphics.RectF
import android.view.KeyEvent
import android.view.MotionEvent
import android.view.View
import org.azx.app.engine.State
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startGomoku
import org.azx.app.engine.games.startHex
import org.azx.app.screens.boardFor
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import kotlin.math.floor
import kotlin.math.min

/** Fingers and keys on boards of several sizes; where things lie is worked out here from the views' sizes. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class BoardTouchTest {
    private val sizes = listOf(411 to 731, 731 to 411, 1600 to 1203, 200 to 200)

    /** Tap at places `cells` units from the middle, where `units` of them fill the board, in every size. */
    private fun tapAll(state: State, units: Pair<Float, Float>, taps: List<Triple<Float, Float, Int>>) {
        for ((width, height) in sizes) {
            val board = boardOf(shownOf(state), width, height)
            val played = board.recordActions()
            // A cell is a whole number of pixels.
            val unit = floor(min(width / units.first, height / units.second))
            for ((right, down, _) in taps) board.tap(width / 2f + right * unit, height / 2f + down * unit)
            assertEquals("$width x $height", taps.map { it.third }, played)
        }
    }

    @Test
    fun `a tap anywhere in a column plays its lowest free cell, in a full one its top cell`() {
        val state = startConnect4().after(38, 31, 24, 17, 10, 3, 41)
        val taps = listOf(
            Triple(-3f, -2.9f, 35), Triple(-3.4f, 2.9f, 35), Triple(0f, 0f, 3),
            Triple(3.3f, 1f, 34), Triple(1f, -1f, 39),
        )
        tapAll(state, 7.4f to 6.4f, taps)
    }

    @Test
    fun `a column of another board is where it is drawn`() {
        val taps = listOf(Triple(-1.5f, -3.9f, 28), Triple(-0.5f, 3f, 29), Triple(1.9f, 0f, 31))
        tapAll(startConnect4(8, 4), 4.4f to 8.4f, taps)
        tapAll(startConnect4(4, 10), 10.4f to 4.4f, listOf(Triple(-4.5f, 1.9f, 30), Triple(4.5f, -1.9f, 39)))
    }

    @Test
    fun `a tap near an edge plays the nearest edge, drawn or not`() {
        val state = startDotsAndBoxes(3).after(0)
        val taps = listOf(
            Triple(-1f, -1.5f, 0), Triple(-1f, -1.25f, 0), Triple(-1f, 1.7f, 9), Triple(0.2f, -0.5f, 4),
            Triple(-1.5f, -1f, 12), Triple(-1.7f, 1f, 20), Triple(1.25f, 0.1f, 19), Triple(1.65f, 1f, 23),
        )
        tapAll(state, 3.64f to 3.64f, taps)
    }

    @Test
    fun `a tap in the very middle of a box or outside the board plays nothing`() {
        val board = boardOf(shownOf(startDotsAndBoxes(3)), 800, 400)
        val played = board.recordActions()
        board.tap(400f, 200f)
        board.tap(100f, 200f)
        assertEquals(emptyList<Int>(), played)
        assertFalse(board.touch(MotionEvent.ACTION_DOWN, 100f, 200f))
    }

    @Test
    fun `a tap on a point plays it, a stone's too`() {
        tapAll(TicTacToe().after(4), 3f to 3f, listOf(Triple(-1f, -1f, 0), Triple(0f, 0f, 4), Triple(1.3f, 0.7f, 8)))
        val corners = listOf(Triple(0f, 0f, 112), Triple(-7f, -7f, 0), Triple(7.3f, 6.7f, 224))
        tapAll(startGomoku(15), 16.2f to 16.2f, corners)
        val points = listOf(Triple(0f, 0f, 40), Triple(-4f, 4f, 72), Triple(4f, -3f, 17))
        tapAll(startGo(9).after(40), 10.2f to 10.2f, points)
        tapAll(startGo(19), 20.2f to 20.2f, listOf(Triple(9f, 9f, 360), Triple(-9f, -9f, 0)))
    }

    @Test
    fun `a tap on a hexagon plays it, and one beside its slanted sides nothing`() {
        val board = boardOf(shownOf(startHex(3)), 700, 500)
        val played = board.recordActions()
        val cell = RectF().also { board.boundsOf(0, it) }
        board.tap(cell.left + 3, cell.top + 3)
        board.tap(cell.left + 3, cell.bottom - 3)
        assertEquals("no cell is nearer to a corner of the first one's frame", emptyList<Int>(), played)
        board.tap(cell.centerX(), cell.top + 3)
        board.tap(cell.left + 3, cell.centerY())
        assertEquals(listOf(0, 0), played)
    }

    @Test
    fun `sliding off a spot cancels, even on the way back`() {
        val board = boardOf(shownOf(startConnect4()), 740, 640)
        val played = board.recordActions()
        board.touch(MotionEvent.ACTION_DOWN, 370f, 300f)
        board.touch(MotionEvent.ACTION_MOVE, 480f, 300f)
        board.touch(MotionEvent.ACTION_MOVE, 370f, 300f)
        board.touch(MotionEvent.ACTION_UP, 370f, 300f)
        assertEquals(emptyList<Int>(), played)
        board.touch(MotionEvent.ACTION_DOWN, 370f, 300f)
        board.touch(MotionEvent.ACTION_CANCEL, 370f, 300f)
        board.touch(MotionEvent.ACTION_UP, 370f, 300f)
        assertEquals(emptyList<Int>(), played)
    }

    @Test
    fun `on a board of small points the finger aims, and plays where it is lifted`() {
        // 23 dp a point on a phone of two pixels a dp.
        val board = boardOf(shownOf(startGomoku(15)), 746, 746)
        val played = board.recordActions()
        board.touch(MotionEvent.ACTION_DOWN, 373f, 373f)
        board.touch(MotionEvent.ACTION_MOVE, 373f + 46, 373f)
        board.touch(MotionEvent.ACTION_UP, 373f + 46, 373f)
        assertEquals("one point to the right of the middle", listOf(113), played)
        board.touch(MotionEvent.ACTION_DOWN, 373f, 373f)
        board.touch(MotionEvent.ACTION_MOVE, -5f, 373f)
        board.touch(MotionEvent.ACTION_MOVE, 373f, 373f)
        board.touch(MotionEvent.ACTION_UP, 373f, 373f)
        assertEquals("off the board is off for good", listOf(113), played)
    }

    @Test
    fun `where nothing can be played a small board does not aim`() {
        val board = boardOf(shownOf(startGomoku(15), canPlay = false), 746, 746)
        val played = board.recordActions()
        board.touch(MotionEvent.ACTION_DOWN, 373f, 373f)
        board.touch(MotionEvent.ACTION_MOVE, 373f + 46, 373f)
        board.touch(MotionEvent.ACTION_UP, 373f + 46, 373f)
        assertEquals(emptyList<Int>(), played)
    }

    @Test
    fun `arrow keys walk over spots and Enter plays`() {
        val board = boardOf(shownOf(startDotsAndBoxes(3)), 600, 600)
        val played = board.recordActions()
        board.press(KeyEvent.KEYCODE_ENTER)
        listOf(KeyEvent.KEYCODE_DPAD_RIGHT, KeyEvent.KEYCODE_DPAD_DOWN).forEach { assertTrue(board.press(it)) }
        board.press(KeyEvent.KEYCODE_DPAD_CENTER)
        assertEquals(listOf(0, 4), played)
    }

    @Test
    fun `arrow keys keep to lines of one direction where they can`() {
        val board = boardOf(shownOf(startDotsAndBoxes(3)), 600, 600)
        val walk = listOf(KeyEvent.KEYCODE_DPAD_LEFT, KeyEvent.KEYCODE_DPAD_RIGHT, KeyEvent.KEYCODE_DPAD_RIGHT)
        val spots = walk.map { key ->
            assertTrue(board.press(key))
            board.cursor
        }
        assertEquals("down on the left, and then along", listOf(12, 13, 14), spots)
    }

    @Test
    fun `an arrow key at the rim leaves the board`() {
        val board = boardOf(shownOf(startGo(9)), 600, 600)
        assertFalse(board.press(KeyEvent.KEYCODE_DPAD_UP))
        assertFalse(board.press(KeyEvent.KEYCODE_DPAD_LEFT))
        repeat(8) { assertTrue(board.press(KeyEvent.KEYCODE_DPAD_DOWN)) }
        assertFalse(board.press(KeyEvent.KEYCODE_DPAD_DOWN))
        assertEquals(72, board.cursor)
    }

    private fun atMost(pixels: Int) = View.MeasureSpec.makeMeasureSpec(pixels, View.MeasureSpec.AT_MOST)

    private fun BoardView.press(key: Int): Boolean {
        val isHeard = dispatchKeyEvent(KeyEvent(KeyEvent.ACTION_DOWN, key))
        dispatchKeyEvent(KeyEvent(KeyEvent.ACTION_UP, key))
        return isHeard
    }

    @Test
    fun `a board keeps its shape and asks for at least 200 dp`() {
        val board = boardFor(themedContext(), startConnect4())
        val free = View.MeasureSpec.makeMeasureSpec(0, View.MeasureSpec.UNSPECIFIED)
        board.measure(View.MeasureSpec.makeMeasureSpec(740, View.MeasureSpec.EXACTLY), free)
        assertEquals(740 to 640, board.measuredWidth to board.measuredHeight)
        board.measure(atMost(740), atMost(480))
        assertEquals(555 to 480, board.measuredWidth to board.measuredHeight)
        board.measure(free, atMost(20))
        assertEquals(400, board.measuredWidth)
    }
}
