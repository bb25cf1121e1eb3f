package org.azx.app.screens.library

import android.app.Activity
import android.content.DialogInterface
import android.content.Intent
import android.net.Uri
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.ImageView
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.review.Phase
import org.azx.app.play.table.replay
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.io.File
import java.util.zip.ZipEntry
import java.util.zip.ZipFile
import java.util.zip.ZipOutputStream

/** The list of all games: what it tells, how a game is found, opened, deleted and brought back. */
class LibraryScreenTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    private fun controller(): ActivityController<LibraryActivity> =
        start(LibraryActivity::class.java).also { settle(it.get()) }

    private fun settle(activity: LibraryActivity) = await("the list") { !activity.isBusy }

    private val LibraryActivity.cards: List<View>
        get() = findViewById<ViewGroup>(R.id.list).run { List(childCount, ::getChildAt) }

    private fun LibraryActivity.lines(id: Int): List<String> =
        cards.map { it.findViewById<TextView>(id).text.toString() }

    private fun LibraryActivity.choose(row: Int, name: String) {
        val buttons = (findViewById<ViewGroup>(row).getChildAt(0) as ViewGroup).run { List(childCount, ::getChildAt) }
        buttons.first { (it as TextView).text.toString() == name }.performClick()
        settle(this)
    }

    private fun LibraryActivity.seek(text: String) {
        findViewById<EditText>(R.id.library_search).setText(text)
        settle(this)
    }

    /** The screen of the game that was tapped. */
    private fun opened(activity: LibraryActivity, at: Int): PlayActivity {
        activity.cards[at].performClick()
        settle(activity)
        val intent = checkNotNull(shadowOf(activity).nextStartedActivity)
        return start(PlayActivity::class.java, intent).get().also(::settle)
    }

    private fun put(change: (GameRecord) -> GameRecord, id: String) = library.keep(change(checkNotNull(library[id])))

    /** One under way, one that was won, one that was watched. */
    private fun three() {
        remember("connect4", 0, 38, 37)
        Thread.sleep(2)
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        Thread.sleep(2)
        remember("tictactoe", NOBODY, 0, 3, 1, 4, 2)
    }

    @Test
    fun `each game tells its players, how it stands, its moves and its day, and has a picture`() {
        three()
        val activity = controller().get()
        assertEquals("3 games", activity.text(R.id.library_count))
        assertEquals(listOf("AI – AI", "You – AI", "You – AI"), activity.lines(R.id.players))
        assertEquals(listOf("The winner is X", "You won!", "Game under way"), activity.lines(R.id.standing))
        val details = activity.lines(R.id.details)
        assertTrue("$details", details[2].startsWith("Four in a row · 2 moves · "))
        for (card in activity.cards) assertNotNull(card.findViewById<ImageView>(R.id.picture).drawable)
        val said = activity.cards[1].contentDescription.toString()
        assertTrue(said, said.startsWith("You – AI, You won!, Tic-tac-toe · 5 moves · "))
        assertEquals("Delete $said", activity.cards[1].findViewById<View>(R.id.delete).contentDescription)
        assertFalse(activity.findViewById<View>(R.id.library_done).isShown)
    }

    @Test
    fun `two games of one network go on, each by itself`() {
        choose("tictactoe")
        remember("tictactoe", 0, 4, 0)
        Thread.sleep(2)
        remember("tictactoe", 0, 8, 4)
        val activity = controller().get()
        val older = opened(activity, 1)
        assertEquals(listOf(4, 0), older.play.session.actions)
        assertFalse(older.play.isReplay)
        older.tap(1)
        settle(older)
        assertEquals(4, older.play.session.moves)
        assertEquals(listOf(8, 4), opened(activity, 0).play.session.actions)
        endProcess()
        elsewhere { assertEquals(listOf(4, 2), library.list().map { it.actions.size }) }
    }

    @Test
    fun `a game that is over is looked at, and a new one begins beside it`() {
        choose("tictactoe")
        val id = remember("tictactoe", 0, 0, 3, 1, 4, 2)
        val screen = opened(controller().get(), 0)
        assertTrue(screen.play.isReplay)
        assertEquals(Phase.OVER, screen.play.session.phase)
        screen.play.replay(false)
        screen.press(R.id.result_new)
        screen.tap(4)
        settle(screen)
        assertEquals(5, library[id]?.actions?.size)
        assertEquals(2, library.list().size)
    }

    @Test
    fun `a game is found by words, by its game and by how it stands`() {
        three()
        val activity = controller().get()
        activity.seek("ai connect4")
        assertEquals("1 game", activity.text(R.id.library_count))
        activity.seek("ai four in a row")
        assertEquals("1 game", activity.text(R.id.library_count))
        activity.seek("nobody")
        assertEquals("No game fits the search.", activity.text(R.id.library_count))
        activity.seek("")
        activity.choose(R.id.library_games, "Tic-tac-toe")
        assertEquals(2, activity.cards.size)
        activity.choose(R.id.library_results, "Won")
        assertEquals(listOf("You won!"), activity.lines(R.id.standing))
        activity.choose(R.id.library_games, "All")
        activity.choose(R.id.library_results, "All")
        assertEquals(3, activity.cards.size)
    }

    @Test
    fun `a game is deleted at once and brought back, and so is its file`() {
        three()
        val activity = controller().get()
        activity.cards[1].findViewById<View>(R.id.delete).performClick()
        idle()
        assertEquals(2, activity.cards.size)
        assertNull("nothing is asked", activity.told.dialog)
        assertEquals("Deleted: You – AI, Tic-tac-toe.", activity.text(R.id.library_deleted))
        val spoken = activity.findViewById<View>(R.id.library_deleted)
        assertEquals(View.ACCESSIBILITY_LIVE_REGION_POLITE, spoken.accessibilityLiveRegion)
        elsewhere {
            library.settle()
            assertEquals(2, folder.list().orEmpty().size)
        }
        activity.press(R.id.library_undo)
        settle(activity)
        assertEquals(listOf("The winner is X", "You won!", "Game under way"), activity.lines(R.id.standing))
        assertFalse(activity.findViewById<View>(R.id.library_done).isShown)
        endProcess()
        elsewhere { assertEquals(3, library.list().size) }
    }

    @Test
    fun `what is sought, chosen and deleted outlives a turn of the device`() {
        three()
        val controller = controller()
        controller.get().choose(R.id.library_games, "Tic-tac-toe")
        controller.get().seek("you")
        controller.get().cards[0].findViewById<View>(R.id.delete).performClick()
        idle()
        val after = turned(controller, "+land").also(::settle)
        assertEquals("You – AI, Tic-tac-toe.", after.text(R.id.library_deleted).removePrefix("Deleted: "))
        after.press(R.id.library_undo)
        settle(after)
        assertEquals(listOf("You won!"), after.lines(R.id.standing))
    }

    @Test
    fun `without a game it says how one comes into the list`() {
        val activity = controller().get()
        assertTrue(activity.text(R.id.library_count).startsWith("No game is here yet. Play, watch or open one"))
        for (id in listOf(R.id.library_search, R.id.library_games, R.id.library_results, R.id.library_more)) {
            assertFalse(activity.findViewById<View>(id).isShown)
        }
    }

    @Test
    fun `a file that is no game is told of and left alone, and a game against the rules is not shown`() {
        val id = remember("tictactoe", 0, 4, 0)
        put({ it.copy(actions = listOf(4, 4)) }, id)
        elsewhere {
            library.settle()
            folder.resolve("damaged.json").writeText("{")
        }
        endProcess()
        val activity = controller().get()
        assertEquals("1 file is no game that this app can read.", activity.text(R.id.library_unread))
        activity.cards.single().performClick()
        settle(activity)
        val dialog = checkNotNull(activity.told.dialog)
        val said = dialog.findViewById<TextView>(android.R.id.message).text.toString()
        assertEquals("This game of the library is damaged and cannot be shown.", said)
        dialog.getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        assertNull(shadowOf(activity).nextStartedActivity)
        elsewhere { assertEquals("{", folder.resolve("damaged.json").readText()) }
    }

    @Test
    fun `a game of a later azx is listed, and said to be damaged where it is tapped`() {
        val id = remember("tictactoe", 0, 4, 0)
        put({ it.copy(game = "shogi", settings = mapOf("size" to 99)) }, id)
        val activity = controller().get()
        assertTrue(activity.lines(R.id.details)[0].startsWith("shogi · 2 moves · "))
        activity.cards.single().performClick()
        settle(activity)
        assertEquals("This game of the library is damaged and cannot be shown.", activity.said())
    }

    @Test
    fun `a game that no network here plays is told of, and kept`() {
        val id = remember("go", 0, 40)
        put({ it.copy(settings = it.settings + ("size" to 19), actions = listOf(60)) }, id)
        val activity = controller().get()
        activity.cards.single().performClick()
        settle(activity)
        val said = checkNotNull(activity.told.dialog).findViewById<TextView>(android.R.id.message).text.toString()
        assertEquals("No network here plays Go on the board of this record.", said)
        assertEquals(1, library.list().size)
    }

    @Test
    fun `where the device has no room it is said once, and the game goes on`() {
        choose("tictactoe")
        elsewhere { folder.writeText("a file where the folder should be") }
        val screen = play("tictactoe").get()
        screen.tap(4)
        settle(screen)
        elsewhere { library.settle() }
        idle()
        val said = screen.text(R.id.notice)
        assertTrue(said, said.startsWith("This game cannot be kept on this device ("))
        assertFalse("no path is told", folder.path in said)
        val free = screen.play.session.latest.legalActions()[0]
        screen.tap(free)
        settle(screen)
        elsewhere { library.settle() }
        idle()
        assertEquals(4, screen.play.session.moves)
        assertEquals("it is said once", "", screen.text(R.id.notice))
        val listed = controller().get().lines(R.id.standing)
        assertEquals("and it is listed while the app is there", listOf("Game under way"), listed)
    }

    @Test
    fun `all games go into one zip, and come back from it`() {
        three()
        val before = library.list()
        val activity = controller().get()
        val zip = temporary.root.resolve("games.zip")
        activity.pick(R.id.library_export, LibraryActivity.EXPORT, zip)
        elsewhere {
            val names = ZipFile(zip).use { file -> file.entries().toList().map { it.name } }
            assertEquals(before.map { "azx-games/${it.identity.begun.take(10)}-${it.game}-${it.id}.json" }, names)
        }
        activity.cards[0].findViewById<View>(R.id.delete).performClick()
        activity.cards[0].findViewById<View>(R.id.delete).performClick()
        idle()
        activity.pick(R.id.library_import, LibraryActivity.IMPORT, zip)
        assertEquals("2 games imported. 1 game was here already.", activity.said())
        assertEquals(before, library.list())
        // One that went on in another way meanwhile comes beside it.
        put({ it.copy(actions = listOf(38, 36)) }, before[2].id)
        activity.pick(R.id.library_import, LibraryActivity.IMPORT, zip)
        assertEquals("1 game imported. 2 games were here already.", activity.said())
        assertEquals(4, library.list().size)
    }

    @Test
    fun `files of a zip that are no games are counted, and what is no zip is refused`() {
        val activity = controller().get()
        val zip = temporary.root.resolve("odd.zip")
        elsewhere {
            ZipOutputStream(zip.outputStream()).use {
                it.putNextEntry(ZipEntry("azx-games/x.json"))
                it.write("{}".toByteArray())
            }
        }
        activity.pick(R.id.library_import, LibraryActivity.IMPORT, zip)
        assertEquals("0 games imported. 1 file is no game that this app can read.", activity.said())
        elsewhere { zip.writeText("no zip") }
        activity.pick(R.id.library_import, LibraryActivity.IMPORT, zip)
        assertTrue(activity.said(), "games" !in activity.said())
        assertEquals(emptyList<GameRecord>(), library.list())
    }

    @Test
    fun `what came of games that are imported is told though the device is turned meanwhile`() {
        three()
        val control = controller()
        val zip = temporary.root.resolve("games.zip")
        control.get().pick(R.id.library_export, LibraryActivity.EXPORT, zip)
        control.get().choose(R.id.library_import, LibraryActivity.IMPORT, zip)
        control.recreate()
        settle(control.get())
        val sentence = "0 games imported. 3 games were here already."
        assertEquals(sentence, control.get().said())
        // Nobody has read it yet.
        control.recreate()
        settle(control.get())
        assertEquals(sentence, control.get().said())
        checkNotNull(control.get().told.dialog).getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        idle()
        control.recreate()
        settle(control.get())
        assertNull(control.get().told.dialog)
    }

    private fun LibraryActivity.said(): String =
        checkNotNull(told.dialog).findViewById<TextView>(android.R.id.message).text.toString()

    /** Choose in a menu, and this file in the system's picker that it opens. */
    private fun LibraryActivity.pick(item: Int, request: Int, file: File) {
        choose(item, request, file)
        settle(this)
    }

    private fun LibraryActivity.choose(item: Int, request: Int, file: File) {
        shadowOf(this).clickMenuItem(item)
        val asked = shadowOf(this).nextStartedActivityForResult
        assertEquals("application/zip" to request, asked.intent.type to asked.requestCode)
        shadowOf(this).receiveResult(asked.intent, Activity.RESULT_OK, Intent().setData(Uri.fromFile(file)))
    }

    @Test
    fun `more than a page of games comes when it is wanted`() {
        val id = remember("tictactoe", 0, 4, 0)
        val record = checkNotNull(library[id])
        repeat(64) { library.keep(record.copy(identity = record.identity.copy(id = "copy%06d".format(it)))) }
        val activity = controller().get()
        assertEquals("65 games", activity.text(R.id.library_count))
        assertEquals(60, activity.cards.size)
        activity.press(R.id.library_more)
        settle(activity)
        assertEquals(65, activity.cards.size)
        assertFalse(activity.findViewById<View>(R.id.library_more).isShown)
    }
}
