package org.azx.app.screens.play

import android.app.AlertDialog
import android.os.Bundle
import android.os.Looper
import android.view.View
import android.view.ViewGroup
import android.widget.Spinner
import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.Side
import org.azx.app.engine.review.Phase
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Pace
import org.azx.app.play.Strength
import org.azx.app.play.table.pause
import org.azx.app.play.table.replay
import org.azx.app.screens.LANDSCAPE
import org.azx.app.screens.Stage
import org.azx.app.screens.agree
import org.azx.app.screens.idle
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.seriesSides
import org.azx.app.screens.settle
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.io.File
import java.time.Duration

/** Networks that play each other: one game, or a series. */
class SeriesTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    /** Two networks of one game, and one of another. */
    private fun installTwo() = install(temporary.root) {
        put(File(BUNDLES, "tictactoe"), emptyList())
        put(File(BUNDLES, "tictactoe"), emptyList(), "run-17")
        put(File(BUNDLES, "connect4"), emptyList())
    }

    private fun watching(sides: Pair<Side, Side>? = null, count: Int = 1) =
        Choices(Strength.POLICY, Begins.WATCH, pace = Pace.SLOW, sides = sides, count = count)

    /** A screen on which a series has begun. */
    private fun begin(count: Int): ActivityController<PlayActivity> {
        installTwo()
        choose("tictactoe")
        val controller = play("tictactoe")
        controller.get().play.restart(watching(seriesSides, count))
        settle(controller.get())
        return controller
    }

    private val PlayActivity.dialog: AlertDialog get() = checkNotNull(asking.dialog)

    private fun PlayActivity.sidesAsked(): List<View> =
        dialog.findViewById<ViewGroup>(R.id.terms_sides).run { List(childCount, ::getChildAt) }

    private fun Spinner.names(): List<String> = List(count) { getItemAtPosition(it).toString() }

    /** Let time pass until so many games are over, or the next one has begun. */
    private fun PlayActivity.lookOn(what: String, isDone: (PlayActivity) -> Boolean) = repeat(100) {
        if (isDone(this)) return
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(Pace.SLOW.milliseconds))
        settle(this)
        if (it == 99) error("$what has not come")
    }

    private fun PlayActivity.awaitPlayed(count: Int) = lookOn("game $count") { it.play.series?.tally?.played == count }

    @Test
    fun `the question offers a network and a level for each side where networks play each other`() {
        installTwo()
        choose("tictactoe", Choices(Strength.LEVEL_2, Begins.YOU))
        val activity = play("tictactoe").get()
        activity.press(R.id.new_game)
        assertFalse(activity.dialog.findViewById<View>(R.id.terms_series).isShown)
        activity.dialog.findViewById<Spinner>(R.id.terms_begins).setSelection(Begins.WATCH.ordinal)
        idle()
        assertTrue(activity.dialog.findViewById<View>(R.id.terms_series).isShown)
        assertFalse("the sides' levels count", activity.dialog.findViewById<View>(R.id.terms_strength_part).isShown)
        val networks = activity.sidesAsked().map { it.findViewById<Spinner>(R.id.side_network) }
        assertEquals("those of this game", listOf("tictactoe", "run-17"), networks[0].names())
        val levels = activity.sidesAsked().map { it.findViewById<Spinner>(R.id.side_level) }
        assertEquals(listOf("Level 2: novice", "Level 2: novice"), levels.map { it.selectedItem.toString() })
        val said = (networks + levels).map { it.contentDescription.toString() }
        assertEquals("This side begins: Network", said[0])
        assertEquals("each by another name", 4, said.distinct().size)
        val count = activity.dialog.findViewById<Spinner>(R.id.terms_count)
        assertEquals(listOf("1", "2", "10", "20"), count.names())
        assertFalse(activity.dialog.findViewById<View>(R.id.terms_openings).isShown)
        networks[1].setSelection(1)
        levels[1].setSelection(Strength.LEVEL_1.ordinal)
        count.setSelection(1)
        idle()
        assertTrue(activity.dialog.findViewById<View>(R.id.terms_openings).isShown)
        activity.agree()
        settle(activity)
        val sides = checkNotNull(activity.play.sides).toList().map { "${it.name}, ${it.level}" }
        assertEquals(listOf("tictactoe, level 2", "run-17, level 1"), sides)
        assertEquals("and it is remembered", activity.play.choices, play("tictactoe").get().play.choices)
    }

    @Test
    fun `one network as it is told is no series`() {
        choose("tictactoe", Choices(Strength.LEVEL_2, Begins.WATCH))
        val activity = play("tictactoe").get()
        activity.press(R.id.new_game)
        assertFalse("there is but one", activity.sidesAsked()[0].findViewById<View>(R.id.side_network).isShown)
        activity.agree()
        settle(activity)
        assertNull(activity.play.series)
        assertNull(activity.play.sides)
        assertTrue(activity.play.session.isWatched)
    }

    @Test
    fun `in a series the sides change, each opening is played by both, and all is counted`() {
        val activity = begin(2).get()
        assertEquals("Game 1 of 2", activity.text(R.id.series_title))
        val names = listOf(R.id.series_name_0, R.id.series_name_1).map(activity::text)
        assertEquals(listOf("tictactoe, policy only", "run-17, Level 8: full strength"), names)
        assertEquals(seriesSides, activity.play.identity.sides)
        val chip = activity.findViewById<View>(R.id.player_two).contentDescription.toString()
        assertTrue(chip, chip.startsWith("run-17, O, Level 8: full strength"))
        val opening = activity.play.session.actions.take(2)
        activity.awaitPlayed(1)
        val first = activity.play.identity.id
        assertTrue("its end is looked at", activity.isSeen(R.id.result_card))
        activity.lookOn("the next game") { it.play.identity.id != first }
        assertEquals("Game 2 of 2", activity.text(R.id.series_title))
        assertEquals(seriesSides.second to seriesSides.first, activity.play.identity.sides)
        assertEquals(opening, activity.play.session.actions.take(2))
        activity.awaitPlayed(2)
        assertEquals("2 games played", activity.text(R.id.series_title))
        assertFalse(activity.isSeen(R.id.series_stop))
        val about = "2 games say what was played here. They are too few for a rating."
        assertEquals(about, activity.text(R.id.series_about))
        val tally = checkNotNull(activity.play.series).tally
        val winners = library.list().map { it.winner to it.players.first.name }
        assertEquals(2, winners.size)
        assertEquals("as the library has it", tally.drawn, winners.count { it.first == null })
        val own = winners.count { (winner, name) -> winner == if (name == "tictactoe") 0 else 1 }
        assertEquals(tally.won.first, own)
        val told = listOf(R.id.series_won_0, R.id.series_won_1).map(activity::text)
        assertEquals(tally.won.toList().map { "$it" }, told)
        activity.lookOn("nothing more") { true }
        assertEquals("and that is all", 2, library.list().size)
    }

    @Test
    fun `a series can be stopped, and the game under way is not counted`() {
        val activity = begin(10).get()
        activity.press(R.id.series_stop)
        settle(activity)
        assertEquals("Stopped after 0 of 10 games", activity.text(R.id.series_title))
        assertTrue(activity.play.isPaused)
        activity.play.pause(false)
        activity.lookOn("the end") { it.play.session.phase == Phase.OVER }
        assertEquals(0, activity.play.series?.tally?.played)
        activity.press(R.id.result_new)
        settle(activity)
        assertEquals("a new one", "Game 1 of 10", activity.text(R.id.series_title))
        activity.play.swapSides()
        assertNull("another game", activity.play.series)
        assertFalse(activity.isSeen(R.id.series))
    }

    @Test
    fun `who looks back is waited for, and so is who is not there`() {
        val controller = begin(2)
        val activity = controller.get()
        activity.awaitPlayed(1)
        val first = activity.play.identity.id
        activity.press(R.id.mode_replay)
        repeat(10) { shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(1)) }
        assertEquals(first, activity.play.identity.id)
        controller.pause().stop()
        activity.play.replay(false)
        repeat(10) { shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(1)) }
        assertEquals(first, activity.play.identity.id)
        controller.start().resume()
        settle(activity)
        assertNotEquals(first, activity.play.identity.id)
    }

    @Test
    fun `a series outlives the device's turn and the end of the process`() {
        val controller = begin(2)
        controller.get().awaitPlayed(1)
        val tally = checkNotNull(controller.get().play.series).tally
        val first = controller.get().play.identity.id
        val turned = turn(controller, LANDSCAPE)
        turned.lookOn("the next game") { it.play.identity.id != first }
        assertEquals("Game 2 of 2", turned.text(R.id.series_title))
        val (id, opening) = turned.play.identity.id to turned.play.session.actions.take(2)
        val state = Bundle()
        controller.pause().stop().saveInstanceState(state).destroy()
        endProcess()
        val after = play("tictactoe", state).get()
        assertEquals(id, after.play.identity.id)
        assertEquals(opening, after.play.session.actions.take(2))
        assertEquals("Game 2 of 2", after.text(R.id.series_title))
        assertEquals(tally, after.play.series?.tally)
        after.press(R.id.pause)
        after.awaitPlayed(2)
        assertEquals("2 games played", after.text(R.id.series_title))
    }

    @Test
    fun `a game that was over when the process ended is counted once, and the next one follows`() {
        val controller = begin(2)
        controller.get().awaitPlayed(1)
        val tally = checkNotNull(controller.get().play.series).tally
        val first = controller.get().play.identity.id
        val state = Bundle()
        controller.pause().stop().saveInstanceState(state).destroy()
        endProcess()
        val after = play("tictactoe", state).get()
        assertEquals(tally, after.play.series?.tally)
        after.lookOn("the next game") { it.play.identity.id != first }
        assertEquals("Game 2 of 2", after.text(R.id.series_title))
        assertEquals(tally, after.play.series?.tally)
    }

    @Test
    fun `a network that is gone says so, and its game stays`() {
        choose("tictactoe", watching())
        val id = remember("tictactoe", NOBODY, 0)
        val record = checkNotNull(library[id])
        library.keep(record.copy(identity = record.identity.copy(sides = seriesSides)))
        val activity = play("tictactoe").get()
        activity.press(R.id.pause)
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(4))
        settle(activity)
        val said = "run-17 is not in this app any more, so that it cannot play on: open its bundle again."
        assertEquals(said, activity.text(R.id.notice))
        assertTrue(activity.play.isPaused)
        assertTrue("the game can be looked at", activity.isSeen(R.id.board))
        assertNotNull(activity.play.sides)
        assertEquals(1, activity.play.session.moves)
    }
}
