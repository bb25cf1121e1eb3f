package org.azx.app.screens.games

import android.content.Intent
import android.graphics.Bitmap
import android.graphics.drawable.BitmapDrawable
import android.view.View
import android.view.ViewGroup
import android.view.accessibility.AccessibilityNodeInfo.ACTION_CLICK
import android.widget.ImageView
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.ASSUMED
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.Problem
import org.azx.app.bundle.SMALL
import org.azx.app.bundle.Store
import org.azx.app.engine.games.startGo
import org.azx.app.engine.records.NOBODY
import org.azx.app.play.Assets
import org.azx.app.screens.Guarded
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.boardPicture
import org.azx.app.screens.boards.after
import org.azx.app.screens.boards.pixels
import org.azx.app.screens.nameIn
import org.azx.app.screens.play
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.press
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.text
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Shadows.shadowOf
import java.io.File
import java.io.FileNotFoundException
import java.io.InputStream
import java.nio.ByteBuffer

/** Other bytes for some files, null for files that are not there. */
private class Damaged(private val store: Store, private val change: (String, ByteArray) -> ByteArray?) : Store {
    override fun open(path: String): InputStream = bytes(path).inputStream()

    override fun map(path: String): ByteBuffer =
        bytes(path).let { ByteBuffer.allocateDirect(it.size).put(it).apply { flip() } }

    private fun bytes(path: String): ByteArray =
        store.open(path).use { change(path, it.readBytes()) } ?: throw FileNotFoundException(path)
}

/** The list of games, and bundles that cannot be played. */
class BundlesTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    private fun damage(change: (String, ByteArray) -> ByteArray?) {
        Assets.store = { Guarded(Damaged(AssetStore(it.assets), change)) }
    }

    private fun games(): GamesActivity {
        val activity = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    private fun GamesActivity.cards(): List<View> =
        findViewById<ViewGroup>(R.id.list).run { List(childCount, ::getChildAt) }

    private fun View.text(id: Int): String = findViewById<TextView>(id).text.toString()

    /** What is said of a bundle that cannot be played. */
    private fun refusal(bundle: String): String {
        val activity = play(bundle).get()
        assertTrue(activity.findViewById<View>(R.id.failure).isShown)
        assertFalse(activity.findViewById<View>(R.id.play).isShown)
        assertEquals("Cannot be opened", activity.text(R.id.alert_title))
        activity.press(R.id.leave)
        assertTrue("the way back to the list works", activity.isFinishing)
        return activity.text(R.id.sentence)
    }

    @Test
    fun `the installed games are listed with what they are`() {
        val cards = games().cards()
        val titles = listOf("Four in a row", "Dots and Boxes", "Go", "Gomoku", "Hex", "Reversi", "Tic-tac-toe")
        assertEquals(titles, cards.map { it.text(R.id.title) })
        assertEquals("7 × 6 · 910,325 parameters", cards[0].text(R.id.details))
        assertTrue(cards[1].text(R.id.details), cards[1].text(R.id.details).startsWith("3 × 3 · "))
        assertTrue(cards.none { it.findViewById<View>(R.id.alert).isShown })
    }

    private fun GamesActivity.pictures(): List<Bitmap> = cards().map {
        (it.findViewById<ImageView>(R.id.picture).drawable as BitmapDrawable).bitmap
    }

    @Test
    fun `a card has its game's board, with the position of a game that is under way`() {
        val usual = games().pictures().map { it.pixels().toList() }
        assertEquals("each has its own", usual.size, usual.toSet().size)
        remember("go", 0, 40, 41)
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        val activity = games()
        val pictures = activity.pictures().map { it.pixels().toList() }
        assertEquals("a game that is over has not", listOf(2), usual.indices.filter { usual[it] != pictures[it] })
        val wanted = boardPicture(activity, startGo().after(40, 41), activity.pictures()[2].width)
        assertArrayEquals(wanted.pixels(), activity.pictures()[2].pixels())
    }

    @Test
    fun `a board is drawn once while the list is there, and anew after a move`() {
        remember("go", 0, 40, 41)
        val controller = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java))
        await("the list") { !controller.get().isBusy }
        val before = controller.get().pictures()
        controller.pause().stop()
        remember("go", 0, 40, 42)
        controller.restart().start().resume()
        await("the list") { !controller.get().isBusy }
        val after = controller.get().pictures()
        assertEquals(listOf(2), before.indices.filter { before[it] !== after[it] })
    }

    @Test
    fun `a card opens its game and its self-test`() {
        val activity = games()
        activity.cards()[2].findViewById<View>(R.id.play).performClick()
        val played = shadowOf(activity).nextStartedActivity
        assertEquals(PlayActivity::class.java.name to "go", played.component?.className to nameIn(played))
        activity.cards()[2].findViewById<View>(R.id.self_test).performClick()
        val tested = shadowOf(activity).nextStartedActivity
        assertEquals(SelfTestActivity::class.java.name to "go", tested.component?.className to nameIn(tested))
    }

    @Test
    fun `a game that is under way can be resumed`() {
        remember("go", 0, 40, 41)
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        val cards = games().cards()
        assertEquals("Resume", cards[2].text(R.id.play))
        assertTrue(cards[2].text(R.id.details).endsWith("Game under way"))
        assertEquals("a game that is over cannot", "Play", cards[6].text(R.id.play))
        assertTrue(cards[6].text(R.id.details), cards[6].text(R.id.details).endsWith("\nFinished: you won"))
    }

    @Test
    fun `how a game has ended is said of every end`() {
        val ends = listOf(
            1 to intArrayOf(0, 3, 1, 4, 2) to "Finished: AI won",
            NOBODY to intArrayOf(0, 3, 1, 4, 2) to "Finished: X won",
            0 to intArrayOf(0, 1, 2, 4, 3, 5, 7, 6, 8) to "Finished: a draw",
        )
        for ((game, words) in ends) {
            remember("tictactoe", game.first, *game.second)
            val details = games().cards()[6].text(R.id.details)
            assertTrue(details, details.endsWith(words))
        }
    }

    @Test
    fun `without bundles the list says how to install them`() {
        damage { path, bytes -> if (path == "index.json") null else bytes }
        val words = games().findViewById<ViewGroup>(R.id.list).findViewsWith("azx install BUNDLE apps/android")
        assertEquals(1, words)
    }

    private fun View.findViewsWith(text: String): Int =
        ArrayList<View>().also { findViewsWithText(it, text, View.FIND_VIEWS_WITH_TEXT) }.size

    private val noGame = "it has no known game"
    private val clauses = "$noGame and its network has 2 inputs, and nothing says what each of them reads"
    private val cannot = "Cannot be played: $clauses. Its self-test runs."
    private val noArtifact = "it was installed without its TFLite artifact, which is what an Android app loads"

    private fun shelf() = install(temporary.root) {
        put(File(BUNDLES, "tictactoe"), emptyList())
        put(File(SMALL, "two_inputs"), listOf(Problem("no_game"), Problem("inputs", 2)))
        put(File(SMALL, "batched"), null)
        put(File(BUNDLES, "go"), null, "web", "\"android\"" to "\"other\"")
    }

    @Test
    fun `what cannot be played is listed as well, with the reason and its self-test`() {
        shelf()
        val activity = games()
        val cards = activity.cards()
        assertEquals(listOf("tictactoe", "two_inputs", "batched", "web"), cards.map { it.text(R.id.title) })
        assertTrue(cards[0].findViewById<View>(R.id.play).isShown)
        assertEquals(cannot, cards[1].text(R.id.why))
        assertEquals("76 parameters", cards[1].text(R.id.details))
        assertEquals(null, cards[1].findViewById<View>(R.id.play))
        for (tapped in listOf(cards[1], cards[1].findViewById(R.id.self_test))) {
            tapped.performClick()
            val started = shadowOf(activity).nextStartedActivity
            assertEquals(SelfTestActivity::class.java.name, started.component?.className)
            assertEquals("two_inputs", nameIn(started))
        }
        val batch = "its artifacts take 4 positions at a time, and the apps give them one"
        val judged = "Cannot be played: $noGame and $batch. Its self-test runs."
        assertEquals("the app finds it by itself", judged, cards[2].text(R.id.why))
    }

    @Test
    fun `where how a network sees the board is only assumed, its card says so`() {
        install(temporary.root) {
            put(File(BUNDLES, "tictactoe"), emptyList())
            put(File(BUNDLES, "connect4"), emptyList(), "connect4", "\"checkpoint\": {" to "$ASSUMED \"checkpoint\": {")
        }
        val cards = games().cards()
        val line = "How this network sees the board is not known; the usual way is assumed."
        assertEquals("3 × 3 · 1,548 parameters", cards[0].text(R.id.details))
        assertEquals("7 × 6 · 910,325 parameters\n$line", cards[1].text(R.id.details))
        assertTrue("it is played all the same", cards[1].findViewById<View>(R.id.play).isShown)
    }

    @Test
    fun `where the self-test cannot run either, the card says why`() {
        shelf()
        val card = games().cards()[3]
        val why = "Cannot be played: $noArtifact. The self-test cannot run: $noArtifact."
        assertEquals(why, card.text(R.id.why))
        assertFalse(card.findViewById<View>(R.id.self_test).isShown)
        assertFalse(card.isClickable)
    }

    @Test
    fun `what cannot be played is spoken with its reason and with what a tap does`() {
        shelf()
        val cards = games().cards()
        assertEquals("two_inputs. $cannot", cards[1].contentDescription)
        assertTrue(cards[3].contentDescription.endsWith("The self-test cannot run: $noArtifact."))
        assertTrue("both can be reached", cards[1].isFocusable && cards[3].isFocusable)
        val tap = cards[1].createAccessibilityNodeInfo().actionList.find { it.id == ACTION_CLICK }
        assertEquals("Self-test", tap?.label)
        assertEquals("Self-test of two_inputs", cards[1].findViewById<View>(R.id.self_test).contentDescription)
    }

    @Test
    fun `what cannot be played says so where its game is opened all the same`() {
        shelf()
        assertEquals("Bundle 'two_inputs' cannot be played: $clauses.", refusal("two_inputs"))
    }

    @Test
    fun `a bundle that is not installed is said`() {
        assertTrue(refusal("chess").contains("'chess'"))
    }
}
