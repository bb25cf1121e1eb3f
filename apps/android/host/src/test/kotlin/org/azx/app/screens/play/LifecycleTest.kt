package org.azx.app.screens.play

import android.content.Context
import android.os.Bundle
import org.azx.app.R
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Memory
import org.azx.app.play.Strength
import org.azx.app.screens.Stage
import org.azx.app.screens.assertPhase
import org.azx.app.screens.await
import org.azx.app.screens.board
import org.azx.app.screens.elsewhere
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotSame
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.android.controller.ActivityController

/** Turning the device, leaving, and being ended by the system: the game stays as it is. */
class LifecycleTest : Stage() {
    /** A game of four moves on a screen. */
    private fun beginGame(): ActivityController<PlayActivity> {
        choose("connect4")
        val controller = play("connect4")
        for (column in listOf(3, 2)) {
            controller.get().tap(controller.get().board.actionOf(column))
            settle(controller.get())
        }
        return controller
    }

    private fun kill(controller: ActivityController<PlayActivity>): Bundle {
        val state = Bundle()
        controller.pause().stop().saveInstanceState(state).destroy()
        return state
    }

    @Test
    fun `turning the device keeps the game, the network and the table`() {
        val controller = beginGame()
        val (before, table) = controller.get() to controller.get().play
        val actions = table.session.actions
        val after = turn(controller, "+land")
        assertNotSame("the screen is a new one", before, after)
        assertSame("the table is the same", table, after.play)
        assertEquals(actions, after.play.session.actions)
        assertTrue("the board is on the left", after.board.width in 1..after.window.decorView.width / 2)
        after.tap(after.board.actionOf(0))
        settle(after)
        assertEquals("the game goes on", actions.size + 2, after.play.session.moves)
        assertEquals("it goes on upright too", actions.size + 2, turn(controller, "+port").play.session.moves)
    }

    @Test
    fun `turning the device does not end a thought`() {
        choose("connect4", Choices(Strength.SECONDS_1, Begins.AI))
        val controller = start(PlayActivity::class.java, PlayActivity.intent(app, "connect4"))
        await("a thought") { controller.get().table?.progress != null }
        val after = turn(controller, "+land")
        assertEquals(1, after.play.session.moves)
        assertEquals(after.getString(R.string.tap_column), after.text(R.id.status))
    }

    @Test
    fun `turning the device while the bundle is being opened opens it once`() {
        choose("tictactoe")
        val controller = start(PlayActivity::class.java, PlayActivity.intent(app, "tictactoe"))
        turn(controller, "+land").assertPhase(Phase.YOURS)
    }

    @Test
    fun `a screen that the system ended comes back with its game`() {
        val controller = beginGame()
        val actions = controller.get().play.session.actions
        val rates = controller.get().play.session.rates
        val state = kill(controller)
        // Only what the system kept is left.
        library.remove(controller.get().play.identity.id)
        endProcess()
        val after = play("connect4", state).get()
        assertEquals(actions, after.play.session.actions)
        assertEquals(rates, after.play.session.rates)
        after.tap(after.board.actionOf(0))
        settle(after)
        assertEquals(actions.size + 2, after.play.session.moves)
    }

    @Test
    fun `an app that was killed without a word resumes from what it kept`() {
        val controller = beginGame()
        val actions = controller.get().play.session.actions
        controller.pause().stop().destroy()
        endProcess()
        assertEquals(actions, play("connect4").get().play.session.actions)
    }

    @Test
    fun `a screen that was ended while the bundle was being opened keeps its game`() {
        val controller = beginGame()
        val actions = controller.get().play.session.actions
        val state = kill(controller)
        val early = start(PlayActivity::class.java, PlayActivity.intent(app, "connect4"), state)
        val again = kill(early)
        assertEquals(actions, play("connect4", again).get().play.session.actions)
    }

    @Test
    fun `a network that had to move when the app was killed moves afterwards`() {
        choose("tictactoe")
        remember("tictactoe", 0, 4)
        val activity = play("tictactoe").get()
        activity.assertPhase(Phase.YOURS)
        assertEquals(2, activity.play.session.moves)
    }

    @Test
    fun `damaged games of an earlier version are new games, and stay where they are`() {
        choose("gomoku")
        val damaged = listOf(
            "", "azx game 1", "\u0000\u0001", "azx game 1\nhuman 0\nsettings\nactions 4 4\nrates",
            "azx game 1\nhuman 0\nsettings size=19\nactions 4\nrates",
            "azx game 1\nhuman 0\nsettings rule=wild\nactions 4\nrates",
            "azx game 1\nhuman 0\nsettings\nactions 99999\nrates",
        )
        for (text in damaged) {
            keepOld("gomoku", text)
            val state = Bundle().apply { putString("record text", text) }
            val controller = play("gomoku", state)
            assertEquals(text, 0, controller.get().play.session.moves)
            elsewhere { assertEquals(text, Memory(app, "gomoku").game) }
            controller.pause().stop().destroy()
        }
    }

    private fun keepOld(bundle: String, text: String) = elsewhere {
        app.getSharedPreferences("games", Context.MODE_PRIVATE).edit().putString("$bundle game", text).commit()
    }

    @Test
    fun `the game that an earlier version has kept is in the library, once`() {
        keepOld("tictactoe", "azx game 1\nhuman 0\nsettings\nactions 4 0\nrates 1=0.5")
        choose("tictactoe")
        repeat(2) { assertEquals(listOf(4, 0), play("tictactoe").get().play.session.actions) }
        assertEquals(listOf(listOf(4, 0)), library.list().map { it.actions })
        assertEquals(mapOf(1 to 0.5), library.list()[0].rates)
        elsewhere { assertEquals(null, Memory(app, "tictactoe").game) }
        endProcess()
        elsewhere { assertEquals(listOf(listOf(4, 0)), library.list().map { it.actions }) }
    }

    @Test
    fun `damaged preferences are the usual ones`() {
        elsewhere {
            app.getSharedPreferences("games", Context.MODE_PRIVATE).edit().putInt("tictactoe game", 1)
                .putInt("tictactoe strength", 2).putString("tictactoe begins", "NOBODY")
                .putString("tictactoe heat", "x").commit()
        }
        assertEquals(Choices(), play("tictactoe").get().play.choices)
    }

    @Test
    fun `who comes back to a game that is over sees it until a new one is begun`() {
        choose("tictactoe")
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        val activity = play("tictactoe").get()
        assertEquals(activity.getString(R.string.you_won), activity.text(R.id.status))
        activity.tap(5)
        assertEquals("nothing more is played", 5, activity.play.session.moves)
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        assertEquals("Move 4 of 5", activity.text(R.id.ply_text))
        assertFalse("a review on a phone has none", activity.isSeen(R.id.new_game))
        activity.press(R.id.mode_play)
        activity.press(R.id.result_new)
        assertEquals(0, activity.play.session.moves)
        activity.assertPhase(Phase.YOURS)
    }

    @Test
    fun `a game that was played to its end is kept`() {
        choose("tictactoe")
        remember("tictactoe", 0, 0, 3, 1, 4)
        val controller = play("tictactoe")
        controller.get().tap(2)
        controller.pause().stop().destroy()
        assertEquals(listOf(0, 3, 1, 4, 2), play("tictactoe").get().play.session.actions)
    }

    @Test
    fun `a screen that is closed while the bundle is being opened leaves nothing behind`() {
        val controller = startAndLeave("connect4")
        val activity = controller.get()
        controller.destroy()
        settle(activity)
        assertEquals(null, activity.table)
    }
}
