package org.azx.app.screens

import android.app.Activity
import android.view.ViewGroup
import android.widget.EditText
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.engine.Settings
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.games.startHex
import org.azx.app.engine.games.startReversi
import org.azx.app.play.Session
import org.azx.app.play.startSession
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.people.PeopleActivity
import org.azx.app.screens.people.SetUpActivity
import org.azx.app.screens.play.PlayActivity
import org.junit.Test

/** Reversi and Hex, two people at a board, and a position that is set up, against golden images. */
class PicturesOfBoardsTest : Pictures() {
    private val reversi = intArrayOf(19, 18, 17, 9, 37, 29, 21, 45)
    private val hex = intArrayOf(24, 17, 30, 23, 16, 31, 10, 38, 37)

    /** Whatever is free, from one side to the other. */
    private fun toTheEnd(begin: Session): IntArray {
        var session = begin
        while (!session.latest.isTerminal) session = session.play(session.latest.legalActions()[0])
        return session.actions.toIntArray()
    }

    /** A game on a phone in the light, and with a hint in the dark; the screen of the second. */
    private fun compareInPlay(game: String, human: Int, moves: IntArray): PlayActivity {
        look(PHONE, LIGHT)
        compare(screen(game, human, moves), "$game-phone-light")
        look(PHONE, DARK)
        val activity = screen(game, human, moves)
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "$game-hint-phone-dark")
        return activity
    }

    @Test
    fun `Reversi`() {
        compareInPlay("reversi", 0, reversi)
        look(PHONE, LIGHT, "zh-rCN")
        compare(screen("reversi", 0, toTheEnd(startSession(startReversi(8), 0))), "reversi-over-phone-chinese")
        look(TABLET, LIGHT)
        compare(screen("reversi", 0, reversi), "reversi-tablet-light")
    }

    @Test
    fun `Hex`() {
        val activity = compareInPlay("hex", 1, hex)
        look(PHONE, LIGHT)
        val size = activity.play.session.latest.board[0]
        compare(screen("hex", 0, toTheEnd(startSession(startHex(size), 0))), "hex-over-phone-light")
        look(TABLET, DARK)
        compare(screen("hex", 1, hex), "hex-tablet-dark")
    }

    private fun open(): PeopleActivity {
        val activity = start(PeopleActivity::class.java, PeopleActivity.intent(app)).get()
        await("the games") { !activity.isBusy }
        return activity
    }

    private fun boardOf(activity: Activity) = activity.findViewById<ViewGroup>(R.id.board).getChildAt(0) as BoardView

    private fun play(game: String, actions: IntArray): PeopleActivity {
        val activity = open()
        activity.findViewById<Spinner>(R.id.people_game).setSelection(GAMES.keys.indexOf(game))
        idle()
        activity.findViewById<EditText>(R.id.people_name_one).setText("Ann")
        activity.press(R.id.people_begin)
        val board = boardOf(activity)
        for (action in actions) {
            board.choose((0 until board.spots).first { board.actionOf(it) == action })
            idle()
        }
        return activity
    }

    @Test
    fun `two people`() {
        look(PHONE, LIGHT)
        compare(open(), "people-terms-phone-light")
        compare(play("reversi", reversi), "people-phone-light")
        look(PHONE, DARK, "zh-rCN")
        compare(open(), "people-terms-phone-chinese")
        compare(play("tictactoe", intArrayOf(0, 3, 1, 4, 2)), "people-over-phone-chinese")
        look(TABLET, DARK)
        compare(play("connect4", intArrayOf(38, 31, 24, 37)), "people-tablet-dark")
    }

    private fun setUp(game: String, settings: Settings, vararg spots: Int): SetUpActivity {
        val activity = start(SetUpActivity::class.java, SetUpActivity.intent(app, byName(game), settings)).get()
        val board = boardOf(activity)
        for (spot in spots) {
            board.choose(spot)
            idle()
        }
        return activity
    }

    @Test
    fun `a position that is set up`() {
        look(PHONE, LIGHT)
        compare(setUp("reversi", mapOf("size" to 8), 19, 18, 17, 0), "set-up-reversi-phone-light")
        look(PHONE, DARK, "zh-rCN")
        compare(setUp("go", mapOf("size" to 9), 40, 41, 49), "set-up-go-phone-chinese")
        look(TABLET, LIGHT)
        compare(setUp("connect4", emptyMap(), 3, 3, 2), "set-up-connect4-tablet-light")
    }
}
