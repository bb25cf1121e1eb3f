package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.games.startHex
import org.azx.app.engine.games.startReversi
import org.azx.app.play.Session
import org.azx.app.play.startSession
import org.junit.Test

/** Reversi and Hex against golden images. */
class PicturesOfBoardsTest : Pictures() {
    private val reversi = intArrayOf(19, 18, 17, 9, 37, 29, 21, 45)
    private val hex = intArrayOf(24, 17, 30, 23, 16, 31, 10, 38, 37)

    /** Whatever is free, from one side to the other. */
    private fun toTheEnd(begin: Session): IntArray {
        var session = begin
        while (!session.latest.isTerminal) session = session.play(session.latest.legalActions()[0])
        return session.actions.toIntArray()
    }

    @Test
    fun `Reversi`() {
        look(PHONE, LIGHT)
        compare(screen("reversi", 0, reversi), "reversi-phone-light")
        look(PHONE, DARK)
        val activity = screen("reversi", 0, reversi)
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "reversi-hint-phone-dark")
        look(PHONE, LIGHT, "zh-rCN")
        compare(screen("reversi", 0, toTheEnd(startSession(startReversi(8), 0))), "reversi-over-phone-chinese")
        look(TABLET, LIGHT)
        compare(screen("reversi", 0, reversi), "reversi-tablet-light")
    }

    @Test
    fun `Hex`() {
        look(PHONE, LIGHT)
        compare(screen("hex", 1, hex), "hex-phone-light")
        look(PHONE, DARK)
        val activity = screen("hex", 1, hex)
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "hex-hint-phone-dark")
        look(PHONE, LIGHT)
        val size = activity.play.session.latest.board[0]
        compare(screen("hex", 0, toTheEnd(startSession(startHex(size), 0))), "hex-over-phone-light")
        look(TABLET, DARK)
        compare(screen("hex", 1, hex), "hex-tablet-dark")
    }
}
