package org.azx.app.screens.boards

import android.view.MotionEvent
import org.azx.app.engine.State
import org.azx.app.engine.games.CONNECT4_COLUMNS
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.startConnect4
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.games.startGo
import org.azx.app.engine.games.startGomoku
import org.azx.app.engine.games.startHex
import org.azx.app.engine.games.startReversi
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import java.io.File

/** Pictures of the boards for people to look at; other tests check pixels. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w411dp-h731dp-xhdpi")
@GraphicsMode(GraphicsMode.Mode.NATIVE)
class BoardPicturesTest {
    private val written = mutableListOf<File>()

    @Test
    fun `boards in light and dark, on a phone and a tablet`() {
        pieces()
        edges()
        gomoku()
        go()
        reversi()
        hex()
        assertEquals(37, written.count { it.length() > 4000 })
    }

    private fun pieces() {
        val connect4 = columns("444444313")
        val heat = mapOf(28 to 0.03, 36 to 0.45, 30 to 0.03, 39 to 0.41, 40 to 0.07)
        every("connect4-heat", shownOf(connect4, connect4.legalActions().associateWith { heat[it] ?: 0.006 }))
        both("connect4-won", shownOf(columns("1122334"), human = 1))
        both("connect4-pressed", shownOf(columns("44"))) { it.touch(MotionEvent.ACTION_DOWN, 250f, 300f) }
        both("tictactoe-heat", shownOf(TicTacToe().after(4, 0), mapOf(1 to 0.3, 2 to 0.6, 6 to 0.08)))
        both("tictactoe-won", shownOf(TicTacToe().after(4, 0, 2, 6, 3, 1, 5)))
    }

    /** Discs dropped into columns, numbered from 1. */
    private fun columns(digits: String): State = digits.fold(startConnect4() as State) { state, digit ->
        state.apply(state.legalActions().first { it % CONNECT4_COLUMNS == digit - '1' })
    }

    private fun edges() {
        val dots = startDotsAndBoxes(3).after(0, 3, 12, 13, 24, 4, 14, 17, 1, 24, 9, 21)
        every("dots-heat", shownOf(dots, mapOf(2 to 0.08, 16 to 0.21, 20 to 0.55, 8 to 0.04)))
        both("dots-large", shownOf(startDotsAndBoxes(6).after(0, 6, 42, 43)))
    }

    private fun gomoku() {
        val renju = startGomoku(15, "renju").after(112, 0, 113, 14, 126, 30, 141, 44)
        both("gomoku-renju", shownOf(renju, mapOf(128 to 0.41, 97 to 0.35, 99 to 0.06, 40 to 0.01)))
        val won = startGomoku(15).after(112, 96, 113, 97, 114, 98, 115, 99, 116)
        both("gomoku-won", shownOf(won))
    }

    private fun go() {
        val go = startGo(9).after(30, 39, 40, 31, 48, 32, 38, 20, 60, 24)
        every("go-heat", shownOf(go, mapOf(50 to 0.69, 51 to 0.2, 52 to 0.07, 2 to 0.01, 81 to 0.03)))
        val walls = (0 until 9).flatMap { listOf(it * 9 + 3, it * 9 + 5) }.toIntArray()
        both("go-over", shownOf(startGo(9).after(*walls, 81, 81)))
        both("go19-pressed", shownOf(startGo(19).after(60, 72, 288, 300, 180))) {
            it.touch(MotionEvent.ACTION_DOWN, 300f, 500f)
        }
    }

    private fun reversi() {
        val reversi = startReversi(8).after(19, 18, 17, 9)
        every("reversi-heat", shownOf(reversi, reversi.legalActions().associateWith { 0.9 / (1 + it % 8) }))
        both("reversi-pressed", shownOf(startReversi(8))) { it.touch(MotionEvent.ACTION_DOWN, 360f, 260f) }
    }

    private fun hex() {
        val hex = startHex(7).after(24, 17, 30)
        every("hex-heat", shownOf(hex, mapOf(23 to 0.41, 31 to 0.35, 38 to 0.06, 9 to 0.01)))
        both("hex-won", shownOf(startHex(7).after(3, 0, 10, 1, 17, 2, 24, 4, 31, 5, 38, 6, 45)))
    }

    private fun every(name: String, shown: Shown) {
        both(name, shown)
        written += photograph("$name-tablet", shown, 1400 to 1200, isDark = false)
    }

    private fun both(name: String, shown: Shown, prepare: (BoardView) -> Unit = {}) {
        written += photograph("$name-light", shown, 822 to 822, isDark = false, prepare)
        written += photograph("$name-dark", shown, 822 to 822, isDark = true, prepare)
    }
}
