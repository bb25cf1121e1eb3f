package org.azx.app.screens.people

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.os.Looper
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.Spinner
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.review.Phase
import org.azx.app.play.passOf
import org.azx.app.play.people.SetUp
import org.azx.app.play.people.SharedTable
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.idle
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.press
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.time.Duration
import kotlin.random.Random

/** The screens of two people and of a position that is set up, turned, left, killed. */
class PeopleTest : Stage() {
    private fun open(intent: Intent = PeopleActivity.intent(app), state: Bundle? = null) =
        start(PeopleActivity::class.java, intent, state).also { screen -> await("the games") { !screen.get().isBusy } }

    private fun kill(controller: ActivityController<*>): Bundle {
        val state = Bundle()
        controller.pause().stop().saveInstanceState(state).destroy()
        endProcess()
        return state
    }

    private fun PeopleActivity.begin(game: String, names: Pair<String, String>, undo: Int = 0, time: Int = 0) {
        findViewById<Spinner>(R.id.people_game).setSelection(GAMES.keys.indexOf(game))
        findViewById<Spinner>(R.id.people_undo).setSelection(undo)
        findViewById<Spinner>(R.id.people_time).setSelection(time)
        idle()
        findViewById<EditText>(R.id.people_name_one).setText(names.first)
        findViewById<EditText>(R.id.people_name_two).setText(names.second)
        press(R.id.people_begin)
    }

    private val PeopleActivity.sitting get() = checkNotNull(table) { "no table" }

    private fun boardOf(activity: Activity) = activity.findViewById<ViewGroup>(R.id.board).getChildAt(0) as BoardView

    /** A person makes a move: on the board, or by the button that passes. */
    private fun PeopleActivity.move(action: Int) {
        if (action == passOf(sitting.session.latest)) return press(R.id.pass)
        val board = boardOf(this)
        board.choose((0 until board.spots).first { board.actionOf(it) == action })
        idle()
    }

    @Test
    fun `two people play to the end, and their game is in the library`() {
        val screen = open().get()
        screen.begin("tictactoe", "Ann" to "Bo")
        assertEquals("Ann to move", screen.text(R.id.status))
        for (action in listOf(0, 3, 1, 4, 2)) screen.move(action)
        assertEquals("The winner is Ann", screen.text(R.id.status))
        assertTrue(screen.findViewById<View>(R.id.people_rematch).isShown)
        val record = library.list().single()
        assertEquals(listOf("Ann", "Bo"), record.players.toList().map { it.name })
        assertEquals(listOf(SideKind.PERSON, SideKind.PERSON), record.players.toList().map { it.kind })
        screen.press(R.id.people_review)
        await("the network") { !screen.isBusy }
        val next = shadowOf(screen).nextStartedActivity
        assertEquals(PlayActivity::class.java.name, next.component?.className)
        screen.press(R.id.people_rematch)
        assertEquals("Bo to move", screen.text(R.id.status))
    }

    @Test
    fun `pieces have a capital letter where they begin a label, and a name is not said twice`() {
        val screen = open().get()
        assertEquals("At once", screen.findViewById<Spinner>(R.id.people_undo).selectedItem)
        assertEquals("None", screen.findViewById<Spinner>(R.id.people_time).selectedItem)
        screen.begin("go", "Ann" to "", time = 3)
        val (one, two) = listOf(R.id.player_one, R.id.player_two).map { screen.findViewById<View>(it) }
        fun word(chip: View, id: Int) = chip.findViewById<TextView>(id)
        assertEquals("Ann" to "Black", word(one, R.id.who).text to word(one, R.id.what).text)
        assertEquals("White" to "", word(two, R.id.who).text to word(two, R.id.what).text)
        assertEquals("White, 0 captured", two.contentDescription)
        assertEquals("White has 5:00 left", word(two, R.id.wins).contentDescription)
        screen.move(40)
        assertEquals("White to move", screen.text(R.id.status))
    }

    @Test
    fun `seeded games of two people lose nothing, whatever happens to the app`() {
        for (seed in 0 until seeds) {
            val random = Random(seed)
            val game = GAMES.keys.toList()[seed % GAMES.size]
            val names = "Ann $seed" to "Bo"
            val (undo, time) = random.nextInt(2) to listOf(0, 6).random(random)
            var screen = open()
            screen.get().begin(game, names, undo, time)
            var moves = emptyList<Int>()
            repeat(STEPS) {
                val what = "seed $seed, step $it, $game"
                screen = step(screen, random, moves, what) { moves = it }
                val table = screen.get().sitting
                assertEquals(what, moves, table.session.actions)
                assertEquals(what, names, table.session.names)
                assertEquals(what, undo == 1, table.shared.isUndoAsked)
                assertEquals(what, time > 0, table.leftOf(0) != null)
            }
            screen.pause().stop().destroy()
        }
    }

    /** One thing that people or the system do; `tell` hears of the moves that are then played. */
    private fun step(
        screen: ActivityController<PeopleActivity>,
        random: Random,
        moves: List<Int>,
        what: String,
        tell: (List<Int>) -> Unit,
    ): ActivityController<PeopleActivity> {
        val activity = screen.get()
        val table = activity.sitting
        val isOver = table.session.phase != Phase.YOURS
        when (random.nextInt(12)) {
            0 -> if (table.canUndo && !isOver) {
                activity.press(R.id.undo)
                val isAgreed = random.nextBoolean()
                if (table.shared.isUndoAsked) {
                    assertNotNull(what, table.shared.asker)
                    activity.press(if (isAgreed) R.id.people_agree else R.id.people_refuse)
                }
                if (!table.shared.isUndoAsked || isAgreed) tell(takenBack(table, moves))
            }
            1 -> if (moves.isNotEmpty()) return again(screen, moves, what)
            2 -> if (moves.isNotEmpty()) {
                // Without a word: only the library is left.
                val id = table.record.id
                endProcess()
                screen.pause().stop().destroy()
                return open(PeopleActivity.intent(app, id))
            }
            3 -> turned(screen, listOf("+land", "+port").random(random)).also { turned ->
                await("the games") { !turned.isBusy }
            }
            4 -> if (table.session.played > 0) {
                activity.press(R.id.back)
                activity.press(R.id.end)
            }
            else -> if (!isOver && table.shared.asker == null) {
                val action = table.session.latest.legalActions().filter { it != passOf(table.session.latest) }
                    .ifEmpty { listOf(checkNotNull(passOf(table.session.latest))) }.random(random)
                shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(1))
                activity.move(action)
                val passes = table.session.actions.drop(moves.size + 1)
                assertTrue(what, passes.all { each -> table.session.latest.label(each) == "pass" })
                tell(moves + action + passes)
            }
        }
        return screen
    }

    private fun again(
        screen: ActivityController<PeopleActivity>,
        moves: List<Int>,
        what: String,
    ): ActivityController<PeopleActivity> {
        val table = screen.get().sitting
        val state = kill(screen)
        val left = table.leftOf(0) to table.leftOf(1)
        val next = open(state = state)
        assertEquals(what, moves, next.get().sitting.session.actions)
        // Time goes by again as soon as somebody sees the board.
        for ((before, now) in left.toList().zip(next.get().sitting.run { listOf(leftOf(0), leftOf(1)) })) {
            assertFalse("$what: $before, then $now", before != null && now != null && before - now !in 0..2_000)
        }
        return next
    }

    /** The moves without the last one that a person has chosen. */
    private fun takenBack(table: SharedTable, moves: List<Int>): List<Int> {
        val start = table.session.states[0]
        val states = moves.runningFold(start) { state, it -> state.apply(it) }
        return moves.take(moves.indices.last { !states[it].mustPass })
    }

    private val SetUp.hasPieces get() = pieces.isNotEmpty() || moves.isNotEmpty()

    private fun openSetUp(intent: Intent, state: Bundle? = null) = start(SetUpActivity::class.java, intent, state)

    @Test
    fun `seeded positions are set up, and outlive the app`() {
        for (seed in 0 until seeds) {
            val random = Random(seed)
            val game = GAMES.values.toList()[seed % GAMES.size]
            val intent = SetUpActivity.intent(app, game, emptyMap())
            var screen = openSetUp(intent)
            repeat(STEPS) {
                val activity = screen.get()
                val tool = listOf(R.id.put_one, R.id.put_two, R.id.take_away).random(random)
                if (tool != R.id.take_away || activity.setUp.hasPieces) {
                    activity.press(tool)
                    val board = boardOf(activity)
                    board.choose(random.nextInt(board.spots))
                    idle()
                }
                if (random.nextInt(6) == 0) {
                    val before = activity.setUp
                    screen = openSetUp(intent, kill(screen))
                    val after = screen.get().setUp
                    val what = "seed $seed, step $it, ${game.name}"
                    assertEquals(what, before.pieces to before.moves, after.pieces to after.moves)
                    assertEquals(what, before.mover, after.mover)
                }
            }
            val activity = screen.get()
            val isPossible = runCatching { activity.setUp.states() }.isSuccess
            assertEquals(isPossible, activity.findViewById<View>(R.id.set_up_people).isEnabled)
            if (isPossible && activity.setUp.hasPieces) playOn(activity)
            screen.pause().stop().destroy()
        }
    }

    /** Two people go on from a position that was set up: it is the root of their record. */
    private fun playOn(activity: SetUpActivity) {
        activity.press(R.id.set_up_people)
        val screen = open(shadowOf(activity).nextStartedActivity)
        screen.get().press(R.id.people_begin)
        val session = screen.get().sitting.session
        assertEquals(activity.setUp.toMove, session.latest.toMove)
        assertEquals(session.moves, session.setUp)
        val again = open(state = kill(screen))
        assertEquals(session.actions, again.get().sitting.session.actions)
        assertEquals(session.setUp, again.get().sitting.session.setUp)
        again.pause().stop().destroy()
    }

    @Test
    fun `a network plays on from a position that was set up`() {
        val screen = openSetUp(SetUpActivity.intent(app, byName("tictactoe"), emptyMap())).get()
        screen.press(R.id.set_up_network)
        await("the network") { !screen.isBusy }
        val record = library.list().single()
        assertEquals("tictactoe", record.bundle?.name)
        assertEquals(PlayActivity::class.java.name, shadowOf(screen).nextStartedActivity.component?.className)
    }

    @Test
    fun `a board that no network here plays is no hindrance, and says so`() {
        val screen = open().get()
        screen.findViewById<Spinner>(R.id.people_game).setSelection(GAMES.keys.indexOf("hex"))
        idle()
        val sizes = screen.findViewById<ViewGroup>(R.id.people_settings).getChildAt(0)
            .findViewById<Spinner>(R.id.choices)
        sizes.setSelection(sizes.count - 1)
        idle()
        screen.press(R.id.people_begin)
        screen.move(5)
        screen.press(R.id.resign_game)
        idle()
        screen.sitting.resign()
        screen.show()
        screen.press(R.id.people_review)
        await("the answer") { !screen.isBusy }
        assertEquals(screen.getString(R.string.people_no_review), screen.text(R.id.notice))
    }

    private companion object {
        const val STEPS = 14

        /** As many as AZX_SEQUENCES says; 60 took eleven minutes on a busy machine. */
        val seeds = System.getenv("AZX_SEQUENCES")?.toInt() ?: 12
    }
}
