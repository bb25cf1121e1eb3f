package org.azx.app.screens.boards

import android.app.Activity
import android.app.Instrumentation
import android.content.Context
import android.graphics.Rect
import android.graphics.RectF
import android.os.SystemClock
import android.view.InputDevice
import android.view.KeyEvent
import android.view.MotionEvent
import android.view.View
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityManager
import android.view.accessibility.AccessibilityNodeInfo
import android.widget.FrameLayout
import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startGomoku
import org.azx.app.engine.records.NOBODY
import org.azx.app.screens.boardFor
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode

/** What TalkBack hears and does. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class SpotNodesTest {
    /** Keeps the events that a board sends: type and text. */
    private class Ears(context: Context) : FrameLayout(context) {
        val heard = mutableListOf<Pair<Int, String>>()

        override fun requestSendAccessibilityEvent(child: View, event: AccessibilityEvent): Boolean {
            heard.add(event.eventType to (event.contentDescription ?: event.text.firstOrNull() ?: "").toString())
            return true
        }
    }

    init {
        // A person at a keyboard: what is touched does not take the focus.
        Instrumentation().setInTouchMode(false)
    }

    private val activity = Robolectric.buildActivity(Activity::class.java).setup().get()
    private val ears = Ears(activity).also(activity::setContentView)

    /** The board of a position in the activity, with TalkBack on. */
    private fun hang(shown: Shown, language: String = "en"): BoardView {
        val manager = activity.getSystemService(Context.ACCESSIBILITY_SERVICE) as AccessibilityManager
        shadowOf(manager).setEnabled(true)
        shadowOf(manager).setTouchExplorationEnabled(true)
        val board = boardFor(themedContext(language = language), shown.state)
        ears.addView(board, FrameLayout.LayoutParams(740, 640))
        ears.measure(exactly(740), exactly(900))
        ears.layout(0, 0, 740, 900)
        board.show(shown)
        ears.heard.clear()
        return board
    }

    private fun BoardView.node(spot: Int): AccessibilityNodeInfo =
        accessibilityNodeProvider.createAccessibilityNodeInfo(spot)!!

    private fun hear(state: State, vararg spots: Int): List<String> {
        val board = hang(shownOf(state))
        return spots.map { board.node(it).contentDescription.toString() }
    }

    @Test
    fun `a column says its discs from below`() {
        val state = startConnect4().after(38, 31, 24, 17, 10, 3, 41)
        val expected = listOf("Column 1, empty", "Column 7, 1 disc, from below red")
        assertEquals(expected, hear(state, 0, 6))
        val full = "Column 4, full, 6 discs, from below red, yellow, red, yellow, red, yellow"
        assertEquals(listOf(full), hear(state, 3))
    }

    @Test
    fun `an edge says where it is, whether it is free and what it gains`() {
        val state = startDotsAndBoxes(3).after(0, 3, 12, 23)
        val expected = listOf(
            "Horizontal edge, row 1, column 1, drawn", "Horizontal edge, row 4, column 3, free",
            "Vertical edge, row 1, column 2, free, completes a box",
        )
        assertEquals(expected, hear(state, 0, 11, 13))
    }

    @Test
    fun `a point says its name, its stone and why it is forbidden`() {
        assertEquals(listOf("Row 2, column 2, X", "Row 1, column 3, O, last move"), hear(TicTacToe().after(4, 2), 4, 2))
        assertEquals(listOf("E5, black, last move", "J1, empty"), hear(startGo(9).after(40), 40, 80))
        val renju = startGomoku(15, "renju").after(112, 0, 113, 14, 126, 30, 141, 44)
        assertEquals(listOf("G8, forbidden, double three", "A15, white"), hear(renju, 111, 0))
    }

    @Test
    fun `a hint is said in percent`() {
        val board = hang(shownOf(startGo(9), heat = mapOf(40 to 0.456, 41 to 0.001)))
        assertEquals("E5, empty, hint 46 percent", board.node(40).contentDescription)
        assertEquals("F5, empty", board.node(41).contentDescription)
    }

    @Test
    fun `of a search it says chances, or points against the best move where they are known`() {
        val (heat, rates) = mapOf(40 to 0.6, 41 to 0.3, 42 to 0.001) to mapOf(40 to 0.55, 41 to 0.48, 42 to 0.1)
        val board = hang(shownOf(startGo(9), heat, rates = rates))
        assertEquals("F5, empty, hint, chances 48 percent", board.node(41).contentDescription)
        val counted = hang(shownOf(startGo(9), heat, rates = rates, points = mapOf(40 to 0, 41 to -3, 42 to -9)))
        assertEquals("F5, empty, hint, −3 against the best", counted.node(41).contentDescription)
        assertEquals("G5, empty", counted.node(42).contentDescription)
    }

    @Test
    fun `it speaks Simplified Chinese`() {
        val board = hang(shownOf(startConnect4().after(38)), "zh-CN")
        assertEquals("第 4 列，1 枚棋子，自下而上：红", board.node(3).contentDescription)
    }

    @Test
    fun `the whole board has a title and every spot as a child, with its place on the screen`() {
        val board = hang(shownOf(startConnect4()))
        val whole = board.node(View.NO_ID)
        assertEquals("Four in a row, 7 columns", whole.contentDescription)
        assertEquals(7, whole.childCount)
        assertFalse(whole.isClickable)
        val place = Rect().also { board.node(6).getBoundsInScreen(it) }
        val corner = IntArray(2).also(board::getLocationOnScreen)
        assertEquals(Rect(620, 20, 720, 620).apply { offset(corner[0], corner[1]) }, place)
    }

    @Test
    fun `a click on a spot plays it, legal or not`() {
        val board = hang(shownOf(TicTacToe().after(4)))
        val played = board.recordActions()
        for (spot in listOf(0, 4)) {
            assertTrue(board.node(spot).isClickable)
            board.accessibilityNodeProvider.performAction(spot, AccessibilityNodeInfo.ACTION_CLICK, null)
        }
        assertEquals(listOf(0, 4), played)
    }

    @Test
    fun `a finger that explores enters a spot and leaves the one before`() {
        val board = hang(shownOf(startConnect4().after(38)))
        board.hover(MotionEvent.ACTION_HOVER_ENTER, 370f)
        board.hover(MotionEvent.ACTION_HOVER_MOVE, 375f)
        board.hover(MotionEvent.ACTION_HOVER_MOVE, 670f)
        val four = "Column 4, 1 disc, from below red"
        val expected = listOf(
            AccessibilityEvent.TYPE_VIEW_HOVER_ENTER to four,
            AccessibilityEvent.TYPE_VIEW_HOVER_ENTER to "Column 7, empty",
            AccessibilityEvent.TYPE_VIEW_HOVER_EXIT to four,
        )
        assertEquals(expected, ears.heard)
    }

    private fun BoardView.hover(action: Int, x: Float) {
        val now = SystemClock.uptimeMillis()
        val event = MotionEvent.obtain(now, now, action, x, 300f, 0).apply { source = InputDevice.SOURCE_TOUCHSCREEN }
        dispatchGenericMotionEvent(event)
        event.recycle()
    }

    @Test
    fun `the focus of TalkBack moves from spot to spot`() {
        val board = hang(shownOf(TicTacToe()))
        val nodes = board.accessibilityNodeProvider
        val focused = { nodes.findFocus(AccessibilityNodeInfo.FOCUS_ACCESSIBILITY)?.contentDescription }
        assertNull("nothing has it at first", focused())
        assertTrue(nodes.performAction(3, AccessibilityNodeInfo.ACTION_ACCESSIBILITY_FOCUS, null))
        assertTrue(nodes.performAction(4, AccessibilityNodeInfo.ACTION_ACCESSIBILITY_FOCUS, null))
        assertEquals(listOf(false, true), listOf(3, 4).map { board.node(it).isAccessibilityFocused })
        assertEquals(board.describe(4), focused())
        assertTrue(nodes.performAction(4, AccessibilityNodeInfo.ACTION_CLEAR_ACCESSIBILITY_FOCUS, null))
        assertFalse(board.node(4).isAccessibilityFocused)
    }

    @Test
    fun `a new move is said, a move taken back is not`() {
        val start = startConnect4().after(38)
        val board = hang(shownOf(start))
        val next = start.after(31)
        board.show(shownOf(next))
        board.show(shownOf(start))
        val changed = AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED to ""
        assertEquals(listOf(changed, AccessibilityEvent.TYPE_ANNOUNCEMENT to "yellow, Column 4", changed), ears.heard)
        assertEquals("Column 4, 1 disc, from below red", board.node(3).contentDescription)
    }

    @Test
    fun `the row that has won is said with its last move`() {
        val rows = listOf(
            startConnect4().after(35, 28, 36, 29, 37, 30) to 38,
            startConnect4().after(35, 36, 28, 29, 21, 22) to 14,
            TicTacToe().after(0, 3, 4, 5) to 8,
            startGomoku(15).after(112, 0, 113, 1, 114, 2, 115, 3) to 116,
        )
        val said = rows.map { (state, last) ->
            val board = hang(shownOf(state))
            board.show(shownOf(state.after(last)))
            ears.heard.last().second
        }
        val expected = listOf(
            "red, Column 4, 4 in a row from column 1 to column 4",
            "red, Column 1, 4 in a row in column 1",
            "X, Row 3, column 3, 3 in a row from row 1, column 1 to row 3, column 3",
            "black, L8, 5 in a row from H8 to L8",
        )
        assertEquals(expected, said)
    }

    @Test
    fun `a game of Dots and Boxes that is watched has colours for names`() {
        val board = hang(shownOf(startDotsAndBoxes(3), human = NOBODY))
        assertEquals("Dots and Boxes, 3 by 3 boxes, blue 0, orange 0", board.node(View.NO_ID).contentDescription)
    }

    @Test
    fun `a pass is said`() {
        val start = startGo(9)
        val board = hang(shownOf(start))
        board.show(shownOf(start.after(81)))
        assertEquals(AccessibilityEvent.TYPE_ANNOUNCEMENT to "black passes", ears.heard.last())
    }

    @Test
    fun `the spot that the keys have reached is ringed and told`() {
        val board = hang(shownOf(TicTacToe()))
        val before = board.picture()
        assertTrue(board.requestFocus())
        assertFalse(board.isInTouchMode)
        ears.heard.clear()
        board.dispatchKeyEvent(KeyEvent(KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_DPAD_RIGHT))
        val told = AccessibilityEvent.TYPE_VIEW_FOCUSED to "Row 1, column 2, empty"
        assertEquals(listOf(told), ears.heard)
        assertTrue(board.node(1).isFocused)
        val ring = RectF().also { board.boundsOf(1, it) }
        val (x, y) = (ring.left + 4).toInt() to ring.centerY().toInt()
        assertEquals(themedContext().getColor(R.color.accent), board.picture().getPixel(x, y))
        assertNotEquals(themedContext().getColor(R.color.accent), before.getPixel(x, y))
    }
}
