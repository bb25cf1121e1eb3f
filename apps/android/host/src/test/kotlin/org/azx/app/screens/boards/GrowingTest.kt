package org.azx.app.screens.boards

import android.animation.ValueAnimator
import android.os.Looper
import org.azx.app.engine.State
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startGomoku
import org.azx.app.engine.games.startHex
import org.azx.app.engine.games.startReversi
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import org.robolectric.shadows.ShadowChoreographer
import java.time.Duration
import java.util.concurrent.TimeUnit

/** Pieces that grow into their places; discs that fall are in BoardPixelsTest. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class GrowingTest {
    private val games: Map<String, Pair<State, Int>> = mapOf(
        "tictactoe" to (TicTacToe() to 4), "dots_and_boxes" to (startDotsAndBoxes(3) to 5),
        "gomoku" to (startGomoku(15) to 112), "go" to (startGo(9) to 40), "reversi" to (startReversi(8) to 19),
        "hex" to (startHex(7) to 24),
    )

    /** Time goes by as the test says, frame by frame. */
    @Before
    fun holdTime() {
        ShadowChoreographer.setPaused(true)
        ShadowChoreographer.setFrameDelay(Duration.ofMillis(10))
    }

    @After
    fun restoreAnimations() {
        ValueAnimator.setDurationScale(1f)
        ShadowChoreographer.reset()
    }

    private fun pass(milliseconds: Long) = shadowOf(Looper.getMainLooper()).idleFor(milliseconds, TimeUnit.MILLISECONDS)

    private fun BoardView.look(): List<Int> = picture().pixels().toList()

    @Test
    fun `any piece but a disc that falls grows into its place`() {
        for ((game, move) in games) {
            val (before, action) = move
            val after = shownOf(before.apply(action))
            val still = boardOf(after, 640, 640).look()
            val board = boardOf(shownOf(before), 640, 640)
            board.show(after)
            pass(40)
            val early = board.look()
            assertTrue(game, board.growing.isUnderWay && early != still)
            pass(80)
            val late = board.look()
            assertTrue(game, late != early && late != still)
            pass(200)
            assertFalse(game, board.growing.isUnderWay)
            assertEquals(game, still, board.look())
        }
    }

    @Test
    fun `nothing grows that is taken back, shown again or asked to be still`() {
        for ((game, move) in games) {
            val (before, action) = move
            val after = shownOf(before.apply(action))
            val board = boardOf(after, 640, 640)
            board.show(shownOf(before))
            assertFalse("$game: taken back", board.growing.isUnderWay)
            ValueAnimator.setDurationScale(0f)
            board.show(after)
            assertFalse("$game: the system's animations are off", board.growing.isUnderWay)
            ValueAnimator.setDurationScale(1f)
            board.show(after)
            assertFalse("$game: the same once more", board.growing.isUnderWay)
        }
    }

    @Test
    fun `a position that is left before its piece has grown has all of its pieces`() {
        val (before, action) = games.getValue("go")
        val board = boardOf(shownOf(before), 640, 640)
        val (one, empty) = shownOf(before.apply(action)) to shownOf(before)
        board.show(one)
        pass(40)
        board.show(empty)
        assertEquals(boardOf(empty, 640, 640).look(), board.look())
    }
}
