package org.azx.app.screens.play

import android.graphics.Bitmap
import android.graphics.Canvas
import android.view.MotionEvent
import android.view.View
import android.view.ViewGroup
import android.widget.ProgressBar
import android.widget.Spinner
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BundleError
import org.azx.app.engine.review.PanelUnit
import org.azx.app.engine.review.Reason
import org.azx.app.engine.review.Verdict
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.GraphPoint
import org.azx.app.play.Strength
import org.azx.app.play.table.isReviewing
import org.azx.app.screens.Hold
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.board
import org.azx.app.screens.idle
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.reach
import org.azx.app.screens.rows
import org.azx.app.screens.settle
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** A game that is looked at again: verdicts, counts, the better move, the next mistake; and candidates of a hint. */
class ReviewTest : Stage() {
    // AI lets a column of three grow to four.
    private val won = intArrayOf(38, 37, 31, 30, 24, 23, 17)

    private fun PlayActivity.think(simulations: Int) {
        findViewById<Spinner>(R.id.review_simulations).setSelection(listOf(50, 200, 800).indexOf(simulations))
        idle()
    }

    // The column in the middle is filled, then player 0 gives its win away, and both err where no table says so.
    private val erred = intArrayOf(38, 31, 24, 17, 10, 3, 40, 39, 33, 32, 26)

    /** The screen of a game that was analysed. */
    private fun reviewGame(vararg moves: Int = won): PlayActivity {
        choose("connect4")
        remember("connect4", 0, *moves)
        val activity = play("connect4").get()
        if (moves !== won) activity.press(R.id.mode_replay)
        activity.think(50)
        activity.press(R.id.analyse)
        settle(activity)
        return activity
    }

    @Test
    fun `a game that is over is analysed`() {
        val activity = reviewGame()
        assertTrue(activity.play.session.isSeen)
        assertFalse("there is nothing more to analyse", activity.isSeen(R.id.analyse))
        assertFalse(activity.isSeen(R.id.review_progress))
        val rows = activity.rows(R.id.verdicts)
        assertEquals(listOf("", "You", "AI"), rows[0])
        assertEquals(listOf("Inaccuracies", "Mistakes", "Blunders", "Accuracy"), rows.drop(1).map { it[0] })
        assertTrue("${rows[3]}", rows[3][2].toInt() >= 1)
        assertEquals("of four moves and three no accuracy is told", listOf("–", "–"), rows[4].drop(1))
        val blunders = activity.findViewById<ViewGroup>(R.id.verdicts).getChildAt(3)
        assertEquals("read out as one", "Blunders, You ${rows[3][1]}, AI ${rows[3][2]}", blunders.contentDescription)
        val places = activity.play.session.curve().map { it.first }
        assertEquals("the graph has each position", (0..won.size).toList(), places)
    }

    @Test
    fun `the next mistake is shown, with the better move on the board`() {
        val activity = reviewGame()
        val places = activity.play.session.judged.withIndex().filter { it.value.verdict.isMistake }.map { it.index + 1 }
        val reasons = mapOf(
            3 to "blunder, gives the win away",
            4 to "blunder, gives the draw away",
            6 to "mistake, does not block column 4",
        )
        assertEquals(reasons.keys.toList(), places)
        for (place in places + places.first()) {
            activity.press(R.id.next_mistake)
            assertTrue(activity.play.isReplay)
            assertEquals("Move $place of 7", activity.text(R.id.ply_text))
            val better = checkNotNull(activity.play.session.judgedMove?.better)
            assertEquals(better, activity.board.shown?.better)
            val (move, column) = won[place - 1] % 7 + 1 to better % 7 + 1
            val said = activity.text(R.id.verdict)
            // The first seven moves are in the table of openings.
            val why = reasons.getValue(place)
            assertEquals("Column $move: $why. Better: column $column.", said)
        }
        activity.press(R.id.first)
        assertEquals("nothing was played yet", "", activity.text(R.id.verdict))
        assertNull(activity.board.shown?.better)
        activity.press(R.id.forward)
        assertTrue(activity.text(R.id.verdict), activity.text(R.id.verdict).startsWith("Column 4: "))
    }

    @Test
    fun `mistakes and blunders are marked in the graph`() {
        val graph = reviewGame().reach(R.id.graph) as WinRateGraph
        val colours = listOf(R.color.orange, R.color.red).map { graph.context.getColor(it) }
        val marked = colours.map { colour -> coloursOf(graph).count { it == colour } }
        assertTrue("$marked", marked.sum() > 50)
        val other = play("connect4").get().reach(R.id.graph) as WinRateGraph
        val points = listOf(0 to 0.5, 1 to 0.4).map { (moves, share) -> GraphPoint(moves, share, PanelUnit.CHANCE) }
        other.show(Curve(points, 1, 1, emptyMap(), listOf("100 %", "50 %", "0 %")))
        assertEquals(0, coloursOf(other).count { it in colours })
    }

    private fun coloursOf(view: View): IntArray {
        val picture = Bitmap.createBitmap(view.width, view.height, Bitmap.Config.ARGB_8888)
        view.draw(Canvas(picture))
        val (width, height) = view.width to view.height
        return IntArray(width * height).also { picture.getPixels(it, 0, width, 0, 0, width, height) }
    }

    @Test
    fun `boxes that are lost are said`() {
        choose("dots_and_boxes")
        remember("dots_and_boxes", 0, 6, 7, 19, 1, 15, 17, 4, 0, 9, 16, 13, 3, 24, 20)
        val activity = play("dots_and_boxes").get()
        activity.press(R.id.mode_replay)
        activity.think(50)
        activity.press(R.id.analyse)
        settle(activity)
        val why = "blunder, loses 8 boxes of the margin"
        val wanted = "A3–A4: $why. Better: A1–A2."
        assertEquals(wanted, activity.text(R.id.verdict))
    }

    @Test
    fun `what stands beside a blunder is looked at again, four times as deep`() {
        val session = reviewGame(*erred).play.session
        val (proven, blunders) = session.judged.indices.filter { session.judged[it].verdict == Verdict.BLUNDER }
            .partition { session.judged[it].reason?.code == Reason.Code.GAVE_WIN }
        assertTrue("${session.judged}", blunders.isNotEmpty())
        assertEquals("a table says so", listOf(6), proven)
        assertFalse(session.seen.getValue(6).isSure)
        val beside = blunders.flatMap { listOf(it, it + 1) }.toSet()
        val open = beside.filter { session.seen.getValue(it).best != null }
        assertTrue("$open", open.all { session.seen.getValue(it).isSure })
        val looked = session.seen.values.map { it.isSure }
        assertTrue("not everywhere", false in looked)
    }

    @Test
    fun `an analysis says how far it is, can be stopped and goes on`() {
        val hold = Hold(120)
        watch(hold::before)
        choose("connect4")
        remember("connect4", 0, *won)
        val activity = play("connect4").get()
        activity.think(50)
        try {
            activity.press(R.id.analyse)
            await("the network's pause") { hold.isReached }
            assertTrue(activity.isSeen(R.id.stop_review))
            assertFalse(activity.isSeen(R.id.analyse))
            assertEquals("2 of 8 positions analysed.", activity.text(R.id.review_status))
            val progress = activity.findViewById<ProgressBar>(R.id.review_progress)
            assertEquals(2 to 8, progress.progress to progress.max)
            activity.press(R.id.stop_review)
        } finally {
            hold.release()
        }
        settle(activity)
        assertFalse(activity.play.isReviewing)
        assertEquals("the one under way was not finished", 2, activity.play.session.seenSoFar)
        activity.press(R.id.analyse)
        settle(activity)
        assertTrue(activity.play.session.isSeen)
    }

    @Test
    fun `who leaves ends the analysis, and finds later what it has seen`() {
        val hold = Hold(120)
        watch(hold::before)
        choose("connect4")
        remember("connect4", 0, *won)
        val controller = play("connect4")
        controller.get().think(50)
        controller.get().press(R.id.analyse)
        await("the network's pause") { hold.isReached }
        controller.pause().stop()
        hold.release()
        settle(controller.get())
        assertFalse(controller.get().play.isReviewing)
        controller.destroy()
        val later = play("connect4").get()
        assertEquals("after the end of the process too", 2, later.play.session.seenSoFar)
        assertEquals("2 of 8 positions analysed.", later.text(R.id.review_status))
    }

    @Test
    fun `an analysis that fails is said, and the game stays`() {
        watch { if (it > 60) throw BundleError("error_no_number", "connect4") }
        val activity = reviewGame()
        assertEquals(1, activity.play.session.seenSoFar)
        assertTrue(activity.text(R.id.notice), activity.text(R.id.notice).contains("what is no number"))
        assertTrue("it can be asked for again", activity.isSeen(R.id.analyse))
    }

    @Test
    fun `a game under way is analysed in its replay, and a move ends the analysis`() {
        choose("connect4", Choices(Strength.POLICY, Begins.YOU))
        remember("connect4", 0, 38, 37, 31, 30)
        val activity = play("connect4").get()
        assertFalse("while one plays there is no review", activity.isSeen(R.id.review))
        activity.press(R.id.mode_replay)
        activity.press(R.id.analyse)
        assertTrue(activity.play.isReviewing)
        activity.press(R.id.mode_play)
        activity.play.play(24)
        assertFalse(activity.play.isReviewing)
        settle(activity)
        assertEquals(6, activity.play.session.moves)
    }

    @Test
    fun `without a value there is nothing to review by`() {
        choose("tictactoe")
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        val activity = play("tictactoe").get()
        activity.press(R.id.mode_replay)
        assertFalse(activity.isSeen(R.id.review))
    }

    @Test
    fun `a hint lists what a search considers`() {
        choose("connect4")
        val activity = play("connect4").get()
        assertFalse(activity.isSeen(R.id.candidates))
        activity.press(R.id.hint)
        settle(activity)
        val rows = activity.rows(R.id.candidate_rows)
        assertEquals(listOf("Move", "Visits", "Chances"), rows[0])
        assertTrue("${rows.size}", rows.size in 2..6)
        val move = "Column \\d(, then column \\d(, column \\d)*)?"
        assertTrue("${rows[1]}", Regex("$move, Visits \\d+ \\(\\d+ %\\), Chances \\d+ %").matches(rowOf(activity, 1)))
        assertEquals(activity.board.shown?.heat?.keys?.size, rows.size - 1)
        val best = checkNotNull(activity.play.found).candidates.first()
        val hint = activity.text(R.id.notice)
        assertTrue(hint, hint.startsWith("Hint: column ${best.action % 7 + 1} "))
        activity.press(R.id.mode_replay)
        assertFalse("another screen, another question", activity.isSeen(R.id.candidates))
        activity.press(R.id.hint)
        settle(activity)
        assertTrue("in a replay as well", activity.isSeen(R.id.candidates))
    }

    private fun rowOf(activity: PlayActivity, row: Int): String =
        activity.findViewById<ViewGroup>(R.id.candidate_rows).getChildAt(row).contentDescription.toString()

    @Test
    fun `without a value candidates have visits alone`() {
        choose("tictactoe")
        // What is known of an earlier position is no chance of this one.
        remember("tictactoe", 0, 4, 0, rates = mapOf(1 to 0.7))
        val activity = play("tictactoe").get()
        assertEquals(2, activity.play.session.moves)
        activity.press(R.id.hint)
        settle(activity)
        assertEquals(listOf("Move", "Visits"), activity.rows(R.id.candidate_rows)[0])
        assertNull(activity.board.shown?.rates)
        assertTrue(Regex("Hint: row \\d, column \\d \\(\\d+ %\\)\\.").matches(activity.text(R.id.notice)))
    }

    @Test
    fun `the graph takes a finger`() {
        val activity = reviewGame()
        val graph = activity.findViewById<WinRateGraph>(R.id.graph)
        graph.press(0f)
        assertTrue("it begins a replay", activity.play.isReplay)
        assertEquals(0, activity.play.session.ply)
        graph.press(graph.width.toFloat())
        assertEquals("beyond the game's end", 7, activity.play.session.ply)
        graph.press(graph.width / 2f)
        assertTrue("${activity.play.session.ply}", activity.play.session.ply in 3..5)
    }

    private fun View.press(x: Float) {
        for (action in listOf(MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP)) {
            val event = MotionEvent.obtain(0, 0, action, x, height / 2f, 0)
            dispatchTouchEvent(event)
            event.recycle()
        }
        idle()
    }
}
