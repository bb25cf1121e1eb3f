package org.azx.app.screens.games

import android.app.Activity
import android.content.ClipData
import android.content.ClipDescription
import android.content.Intent
import android.net.Uri
import android.provider.DocumentsContract
import android.view.DragEvent
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.nameIn
import org.azx.app.screens.play
import org.azx.app.screens.play.PlayActivity
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowToast
import org.robolectric.util.ReflectionHelpers
import java.io.File
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream

/** What a person drops on the app out of another one. */
class DropTest : DocumentsStage() {
    private fun file(name: String, write: (File) -> Unit): Uri {
        val file = temporary.root.resolve(name).also { elsewhere { write(it) } }
        return DocumentsContract.buildDocumentUri(DOCUMENTS, file.path)
    }

    private fun zip(name: String, bundle: String = "tictactoe"): Uri = file(name) { file ->
        ZipOutputStream(file.outputStream()).use { out ->
            for (each in BUNDLES.resolve(bundle).listFiles()!!.filter { it.isFile }) {
                out.putNextEntry(ZipEntry("$bundle/${each.name}"))
                out.write(each.readBytes())
            }
        }
    }

    private fun clip(vararg items: ClipData.Item) =
        ClipData(ClipDescription("files", arrayOf("*/*")), items[0]).apply { items.drop(1).forEach(::addItem) }

    private fun files(vararg uris: Uri) = clip(*uris.map { ClipData.Item(it) }.toTypedArray())

    /** As the system makes it: an app cannot. */
    private fun event(action: Int, dropped: ClipData, local: Any? = null): DragEvent =
        ReflectionHelpers.callConstructor(DragEvent::class.java).also {
            val says = mapOf(
                "mAction" to action, "mClipDescription" to dropped.description, "mLocalState" to local,
                "mClipData" to dropped.takeIf { action == DragEvent.ACTION_DROP },
            )
            for ((field, value) in says) ReflectionHelpers.setField(it, field, value)
        }

    /** A finger that brings something over the screen and lets it go there. */
    private fun Activity.drop(dropped: ClipData): Boolean {
        val screen = findViewById<View>(android.R.id.content)
        val isWanted = screen.dispatchDragEvent(event(DragEvent.ACTION_DRAG_STARTED, dropped))
        for (action in listOf(DragEvent.ACTION_DRAG_LOCATION, DragEvent.ACTION_DROP, DragEvent.ACTION_DRAG_ENDED)) {
            screen.dispatchDragEvent(event(action, dropped))
        }
        return isWanted
    }

    private fun list(): GamesActivity = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        .also { await("the list") { !it.isBusy } }

    private fun dropped(dropped: ClipData): GamesActivity = list().also { activity ->
        assertTrue(activity.drop(dropped))
        await("what was dropped") { !activity.isBusy }
    }

    private fun said(activity: GamesActivity): String {
        val dialog = checkNotNull(activity.records.dialog ?: activity.bundles.dialog) { "nothing is said" }
        return dialog.findViewById<TextView>(android.R.id.message).text.toString()
    }

    @Test
    fun `a bundle that is dropped is in the list, and said to be`() {
        val activity = dropped(files(zip("net.zip")))
        assertEquals(8, activity.findViewById<ViewGroup>(R.id.list).childCount)
        assertEquals("Tic-tac-toe is in the list of games.", ShadowToast.getTextOfLatestToast())
        assertFalse(activity.isFinishing)
    }

    @Test
    fun `a record that is dropped shows its game, as a file and as a text`() {
        val text = "(;FF[4]GM[1]SZ[9]KM[6.5];B[ee];W[fe])"
        for (record in listOf(files(file("game.sgf") { it.writeText(text) }), clip(ClipData.Item(text)))) {
            assertEquals("go", nameIn(checkNotNull(shadowOf(dropped(record)).nextStartedActivity)))
        }
    }

    @Test
    fun `what is neither is told of in one sentence`() {
        val record = "This is no record of a game: a link, SGF, or a line such as connect4: 3 3 2 is read."
        assertEquals(record, said(dropped(files(file("notes.txt") { it.writeText("Hello!") }))))
        val nothing = "There was no file in what was given: open a bundle's folder, or a .zip of it."
        assertEquals(nothing, said(dropped(files(Uri.fromFile(app.filesDir.resolve("secret"))))))
    }

    @Test
    fun `while something is held over the screen it says so, and a text of the app's own is none of it`() {
        val activity = list()
        val screen = activity.findViewById<View>(android.R.id.content)
        val dropped = files(zip("net.zip"))
        assertFalse(screen.dispatchDragEvent(event(DragEvent.ACTION_DRAG_STARTED, dropped, local = "a text")))
        assertTrue(screen.dispatchDragEvent(event(DragEvent.ACTION_DRAG_STARTED, dropped)))
        screen.dispatchDragEvent(event(DragEvent.ACTION_DRAG_LOCATION, dropped))
        assertNotNull(screen.foreground)
        screen.dispatchDragEvent(event(DragEvent.ACTION_DRAG_ENDED, dropped))
        assertNull(screen.foreground)
    }

    @Test
    fun `what is dropped on a game is opened in the list, and a bundle leads back to the game`() {
        choose("tictactoe")
        remember("tictactoe", 0, 4, 0)
        val game = play("tictactoe").get()
        assertTrue(game.drop(files(zip("net.zip"))))
        val intent = checkNotNull(shadowOf(game).nextStartedActivity)
        assertEquals(GamesActivity::class.java.name, intent.component?.className)
        val list = start(GamesActivity::class.java, intent).get()
        await("what was dropped") { !list.isBusy }
        assertTrue("back to the game", list.isFinishing)
        assertEquals("the game goes on", listOf(4, 0), (game as PlayActivity).play.session.actions)
    }
}
