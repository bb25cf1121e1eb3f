package org.azx.app.screens

import android.content.Context
import android.graphics.Canvas
import android.graphics.RectF
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.GameError
import org.azx.app.engine.ROW
import org.azx.app.engine.Row
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.boards.Shown
import org.azx.app.screens.boards.after
import org.azx.app.screens.boards.boardOf
import org.azx.app.screens.boards.drawing
import org.azx.app.screens.boards.picture
import org.azx.app.screens.boards.recordActions
import org.azx.app.screens.boards.shownOf
import org.azx.app.screens.boards.tap
import org.azx.app.screens.boards.themedContext
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import kotlin.math.floor

/** A square a cell, with a disc where somebody has played. */
private class RowBoard(context: Context, private val size: Int) : BoardView(context) {
    override val spots = size
    override val ratio = size.toFloat()
    private val cells get() = (shown?.state as Row).cells

    override fun layOut(frame: RectF) = placeCells(frame, size, 1)

    override fun drawBoard(canvas: Canvas, shown: Shown) {
        for (at in cells.indices.filter { cells[it] != EMPTY }) {
            val colour = if (cells[at] == 1) palette.red else palette.blue
            canvas.drawCircle(left + (at + 0.5f) * cell, top + cell / 2, 0.4f * cell, palette.fill(colour))
        }
    }

    override fun spotAt(x: Float, y: Float): Int {
        val at = floor((x - left) / cell).toInt()
        return if (at in 0 until size && y >= top && y < top + cell) at else NONE
    }

    override fun boundsOf(spot: Int, into: RectF) = into.set(
        left + spot * cell, top, left + (spot + 1) * cell,
        top + cell,
    )

    override fun actionOf(spot: Int): Int = spot

    override fun title(): String = "Three in a row"

    override fun describe(spot: Int): String = sentence(spot, say(R.string.board_cell, 1, spot + 1), content(spot))

    override fun announce(action: Int): String =
        say(R.string.board_move, content(action), say(R.string.board_cell, 1, action + 1))

    private fun content(at: Int): String =
        say(listOf(R.string.board_empty, R.string.board_red, R.string.board_blue)[cells[at]])
}

private val WORDS = Presentation(
    R.string.games, R.drawable.game_tictactoe, R.string.tap_cell, R.string.red, R.string.blue,
    board = drawing { context, state: Row -> RowBoard(context, state.cells.size) },
)

/** The step of docs/adding-a-game.md that needs a screen, with the tiny game of `AddingAGameTest`. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class AddingABoardTest {
    private fun start(size: Int = 6): State = begin(ROW, mapOf("size" to size))

    private fun hang(state: State, width: Int = 600): BoardView =
        withPresentation("row", WORDS) { boardOf(shownOf(state), width, 200) }

    @Test
    fun `it is presented while it is there, and not afterwards`() {
        assertThrows(GameError::class.java) { boardFor(themedContext(), start()) }
        withPresentation("row", WORDS) {
            assertEquals(R.string.tap_cell, presentationOf("row").prompt)
            assertTrue(boardFor(themedContext(), start()) is RowBoard)
        }
        assertNull(presentationOrNull("row"))
        assertThrows(GameError::class.java) { boardFor(themedContext(), start()) }
    }

    @Test
    fun `its discs are drawn where they are, on the table and small in a list`() {
        val context = themedContext()
        val picture = hang(start().after(3, 0)).picture()
        val middles = (0 until 6).map { picture.getPixel(100 * it + 50, 100) }
        val (red, blue) = context.getColor(R.color.red) to context.getColor(R.color.blue)
        assertEquals(listOf(blue, 0, 0, red, 0, 0), middles)
        val small = withPresentation("row", WORDS) { boardPicture(context, start().after(3, 0), 60) }
        assertEquals(blue, small.getPixel(5, 30))
        assertNotEquals(blue, small.getPixel(15, 30))
    }

    @Test
    fun `a tap on a cell plays it, on a board of each size, and one beside the board nothing`() {
        for (size in listOf(6, 8)) {
            val board = hang(start(size), 100 * size)
            val played = board.recordActions()
            for (at in 0 until size) board.tap(100f * at + 10, 140f)
            board.tap(50f, 10f)
            assertEquals((0 until size).toList(), played)
        }
    }

    @Test
    fun `TalkBack says its name, its cells and its moves`() {
        val board = hang(start().after(3))
        val spoken = (-1..6).map { board.accessibilityNodeProvider.createAccessibilityNodeInfo(it) }
        assertEquals("Three in a row", spoken[0]?.contentDescription)
        assertEquals("Row 1, column 1, empty", spoken[1]?.contentDescription)
        assertEquals("Row 1, column 4, red", spoken[4]?.contentDescription)
        assertNull("a cell too many", spoken[7])
        assertEquals(listOf(0, 1, 2, 4, 5), (0 until 6).filter(board::isOpen))
        assertEquals("red, Row 1, column 4", board.announce(3))
    }
}
