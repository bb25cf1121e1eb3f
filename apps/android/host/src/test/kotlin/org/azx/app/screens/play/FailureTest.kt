package org.azx.app.screens.play

import android.view.View
import org.azx.app.R
import org.azx.app.bundle.BundleError
import org.azx.app.engine.review.Phase
import org.azx.app.play.Assets
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Strength
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.assertPhase
import org.azx.app.screens.assertThinks
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.primary
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.android.controller.ActivityController

private const val SENTENCE = "Bundle 'tictactoe': its network answers with what is no number: export the bundle again."

/** A network that fails in the middle of a game. */
class FailureTest : Stage() {
    /** A game in which the network fails at its answer `number`, once: until then, or until four moves were made. */
    private fun failing(strength: Strength, number: Int, error: Throwable): ActivityController<PlayActivity> {
        choose("tictactoe", Choices(strength, Begins.YOU))
        watch { if (it == number) throw error }
        val controller = play("tictactoe")
        val activity = controller.get()
        while (activity.play.failure == null && activity.play.session.moves < 4) activity.move()
        return controller
    }

    private fun PlayActivity.move() {
        tap(play.session.latest.legalActions()[0])
        settle(this)
    }

    private fun assertFailed(activity: PlayActivity, sentence: String) {
        assertEquals("Something went wrong", activity.text(R.id.alert_title))
        assertEquals(sentence, activity.text(R.id.sentence))
        assertTrue(activity.findViewById<View>(R.id.failure).isShown)
        assertFalse(activity.findViewById<View>(R.id.play).isShown)
    }

    private fun assertPlays(activity: PlayActivity) {
        assertFalse(activity.findViewById<View>(R.id.failure).isShown)
        assertEquals(0, activity.play.session.moves)
        activity.move()
        activity.assertPhase(Phase.YOURS)
        assertEquals(2, activity.play.session.moves)
    }

    @Test
    fun `is said, and a new game can be played`() {
        val activity = failing(Strength.POLICY, 2, BundleError("error_no_number", "tictactoe")).get()
        assertFailed(activity, SENTENCE)
        activity.press(R.id.begin_again)
        assertPlays(activity)
    }

    @Test
    fun `in a search with an error that nobody expects is said too`() {
        val activity = failing(Strength.SIMULATIONS_50, 20, IllegalStateException("Internal error: 5.")).get()
        val about = "IllegalStateException: Internal error: 5"
        assertFailed(activity, "This app has failed ($about): try again, or install the bundle again.")
        activity.press(R.id.begin_again)
        assertPlays(activity)
        assertThinks(50, activity.text(R.id.simulations).toInt())
    }

    @Test
    fun `stays said when the app is left and the device is turned`() {
        val controller = failing(Strength.POLICY, 2, BundleError("error_no_number", "tictactoe"))
        controller.pause().stop()
        controller.restart().start().resume()
        settle(controller.get())
        assertFailed(controller.get(), SENTENCE)
        assertFailed(turn(controller, "+land"), SENTENCE)
        controller.get().press(R.id.begin_again)
        assertPlays(controller.get())
    }

    @Test
    fun `at a hint is said beside the board, and the next hint works`() {
        val activity = failing(Strength.POLICY, 3, BundleError("error_no_number", "tictactoe")).get()
        activity.press(R.id.hint)
        settle(activity)
        assertEquals("No hint: try again. $SENTENCE", activity.text(R.id.notice))
        assertTrue("the board stays", activity.findViewById<View>(R.id.play).isShown)
        assertFalse(activity.findViewById<View>(R.id.failure).isShown)
        activity.press(R.id.hint)
        settle(activity)
        assertTrue(activity.text(R.id.notice), activity.text(R.id.notice).startsWith("Hint: "))
        activity.move()
        assertEquals("the game goes on", 6, activity.play.session.moves)
    }

    @Test
    fun `has the button that helps as the primary one`() {
        val activity = failing(Strength.POLICY, 2, BundleError("error_no_number", "tictactoe")).get()
        assertEquals("another game needs no such bundle", listOf("leave"), activity.primary())
        assertTrue(activity.isSeen(R.id.try_again))
    }

    @Test
    fun `that may pass is tried again, and the game goes on`() {
        val activity = failing(Strength.POLICY, 2, IllegalStateException("Internal error: 5.")).get()
        assertEquals(listOf("try_again"), activity.primary())
        assertTrue(activity.isSeen(R.id.begin_again))
        val before = activity.play.session.actions
        activity.press(R.id.try_again)
        settle(activity)
        assertFalse(activity.findViewById<View>(R.id.failure).isShown)
        assertEquals("the game goes on", before, activity.play.session.actions.dropLast(1))
        activity.assertPhase(Phase.YOURS)
    }

    @Test
    fun `of a network that does not come is tried again, and the game is still there`() {
        choose("tictactoe")
        remember("tictactoe", 0, 4, 0)
        val usual = Assets.network
        Assets.network = { throw IllegalStateException("Internal error: 7.") }
        val controller = play("tictactoe")
        assertEquals("Cannot be opened", controller.get().text(R.id.alert_title))
        assertEquals(listOf("try_again"), controller.get().primary())
        assertFalse("there is no table for a new game", controller.get().isSeen(R.id.begin_again))
        Assets.network = usual
        controller.get().press(R.id.try_again)
        settle(controller.get())
        val activity = controller.get()
        assertFalse(activity.findViewById<View>(R.id.failure).isShown)
        assertEquals(listOf(4, 0), activity.play.session.actions)
        activity.move()
        assertEquals(4, activity.play.session.moves)
    }

    @Test
    fun `leads back to the list`() {
        val activity = failing(Strength.POLICY, 2, BundleError("error_no_number", "tictactoe")).get()
        activity.press(R.id.leave)
        assertTrue(activity.isFinishing)
    }
}
