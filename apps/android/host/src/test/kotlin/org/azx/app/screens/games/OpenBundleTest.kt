package org.azx.app.screens.games

import android.app.Activity
import android.content.ContentProvider
import android.content.ContentValues
import android.content.DialogInterface
import android.content.Intent
import android.database.Cursor
import android.database.MatrixCursor
import android.net.Uri
import android.os.ParcelFileDescriptor
import android.provider.DocumentsContract
import android.provider.DocumentsContract.Document
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.EditText
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.play.Choices
import org.azx.app.play.Memory
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.play
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf
import java.io.File
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream

const val DOCUMENTS = "org.azx.test.documents"

/** The documents in a folder, as the system's picker hands them on: each is called by its path. */
open class Folder : ContentProvider() {
    override fun onCreate() = true

    protected fun fileOf(uri: Uri): File {
        val parts = uri.pathSegments
        // tree/ID/document/ID/children, tree/ID/document/ID, or document/ID
        return File(if ("document" in parts) parts[parts.lastIndexOf("document") + 1] else parts.last())
    }

    override fun query(
        uri: Uri,
        columns: Array<String>?,
        where: String?,
        places: Array<String>?,
        order: String?,
    ): Cursor {
        val file = fileOf(uri)
        val isList = uri.lastPathSegment == "children"
        val found = if (isList) file.listFiles().orEmpty().sortedBy { it.name } else listOf(file)
        return MatrixCursor(columns).apply { for (each in found) addRow(columns!!.map { valueOf(each, it) }) }
    }

    private fun valueOf(file: File, column: String): Any? = when (column) {
        Document.COLUMN_DOCUMENT_ID -> file.path
        Document.COLUMN_DISPLAY_NAME -> file.name
        Document.COLUMN_MIME_TYPE -> if (file.isDirectory) Document.MIME_TYPE_DIR else "application/octet-stream"
        else -> if (file.isDirectory) null else file.length()
    }

    override fun openFile(uri: Uri, mode: String): ParcelFileDescriptor =
        ParcelFileDescriptor.open(fileOf(uri), ParcelFileDescriptor.MODE_READ_ONLY)

    override fun getType(uri: Uri): String? = null

    override fun insert(uri: Uri, values: ContentValues?): Uri? = null

    override fun delete(uri: Uri, where: String?, places: Array<String>?) = 0

    override fun update(uri: Uri, values: ContentValues?, where: String?, places: Array<String>?) = 0
}

/** A stage whose system has the documents of a folder. */
abstract class DocumentsStage : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    @Before
    fun offer() {
        Robolectric.buildContentProvider(Folder::class.java).create(DOCUMENTS)
    }
}

/** Bundles that are opened on the device, kept with their games and removed; and a list of many. */
class OpenBundleTest : DocumentsStage() {
    private fun games(): GamesActivity {
        val activity = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    private fun GamesActivity.cards(): List<View> =
        findViewById<ViewGroup>(R.id.list).run { List(childCount, ::getChildAt) }

    private fun GamesActivity.titles(): List<String> = cards().filter { it.visibility == View.VISIBLE }
        .map { it.findViewById(R.id.title) ?: it as TextView }.map { it.text.toString() }

    private fun GamesActivity.answer(button: Int) {
        checkNotNull(bundles.dialog).getButton(button).performClick()
        idle()
    }

    /** What a person does who chooses something in the system's picker. */
    private fun GamesActivity.choose(isFolder: Boolean, uri: Uri?) {
        shadowOf(this).clickMenuItem(R.id.open_bundle)
        answer(if (isFolder) DialogInterface.BUTTON_POSITIVE else DialogInterface.BUTTON_NEGATIVE)
        val asked = shadowOf(this).nextStartedActivityForResult
        val wanted = if (isFolder) Intent.ACTION_OPEN_DOCUMENT_TREE else Intent.ACTION_OPEN_DOCUMENT
        assertEquals(wanted, asked.intent.action)
        val result = if (uri == null) Activity.RESULT_CANCELED else Activity.RESULT_OK
        shadowOf(this).receiveResult(asked.intent, result, uri?.let { Intent().setData(it) })
        await("the bundle") { !isBusy }
    }

    private fun tree(folder: File): Uri = DocumentsContract.buildTreeDocumentUri(DOCUMENTS, folder.path)

    private fun document(file: File): Uri = DocumentsContract.buildDocumentUri(DOCUMENTS, file.path)

    private fun copy(name: String): File = temporary.root.resolve(name).also { folder ->
        elsewhere { BUNDLES.resolve(name).copyRecursively(folder) }
    }

    @Test
    fun `a folder is opened, played and kept with its game`() {
        val activity = games()
        activity.choose(isFolder = true, tree(copy("tictactoe")))
        assertEquals("its own name is taken", 8, activity.cards().size)
        val card = activity.cards().last()
        assertTrue(card.findViewById<TextView>(R.id.details).text.contains("opened on this device"))
        val files = activity.cards().map { it.findViewById<TextView>(R.id.details).text.lines()[0] }
        val alike = files.filter { it == "tictactoe.h5" }
        assertEquals("its author's file tells it from the one of the same title: $files", 2, alike.size)
        choose("tictactoe-2")
        val table = play("tictactoe-2").get().play
        table.play(4)
        await("the answer") { table.session.moves == 2 }
        val again = games()
        assertTrue(again.cards().last().findViewById<TextView>(R.id.details).text.contains("Game under way"))
        assertFalse("built in", again.cards()[0].findViewById<View>(R.id.remove).isShown)
    }

    @Test
    fun `it is removed after a question, and its game stays`() {
        val activity = games()
        activity.choose(isFolder = true, tree(copy("tictactoe")))
        remember("tictactoe-2", 0, 4)
        val remove = activity.cards().last().findViewById<Button>(R.id.remove)
        assertEquals("Remove Tic-tac-toe", remove.contentDescription)
        remove.performClick()
        activity.answer(DialogInterface.BUTTON_NEGATIVE)
        assertEquals(8, activity.cards().size)
        remove.performClick()
        activity.answer(DialogInterface.BUTTON_POSITIVE)
        await("the list") { !activity.isBusy }
        assertEquals(7, activity.cards().size)
        elsewhere { assertEquals(Choices(), Memory(app, "tictactoe-2").choices) }
        assertEquals(listOf(listOf(4)), library.list().map { it.actions })
    }

    @Test
    fun `a zip is opened`() {
        val zip = temporary.root.resolve("packed.zip")
        elsewhere {
            ZipOutputStream(zip.outputStream()).use { out ->
                for (file in BUNDLES.resolve("tictactoe").listFiles()!!.filter { it.isFile }) {
                    out.putNextEntry(ZipEntry("tictactoe/${file.name}"))
                    out.write(file.readBytes())
                }
            }
        }
        val activity = games()
        activity.choose(isFolder = false, document(zip))
        assertEquals(activity.titles().toString(), 8, activity.cards().size)
        elsewhere { assertEquals("nothing is left", 0, app.cacheDir.list()!!.count { it.startsWith("given") }) }
    }

    @Test
    fun `who thinks better of it gets nothing, and who chooses something else is told why`() {
        val activity = games()
        activity.choose(isFolder = true, null)
        assertEquals(7, activity.cards().size)
        val text = temporary.root.resolve("notes.txt").also { elsewhere { it.writeText("no bundle".repeat(20)) } }
        activity.choose(isFolder = false, document(text))
        val none = "'notes.txt' is no .zip, or is cut short: open a bundle's folder, or a .zip of it."
        assertEquals(none, activity.message())
        activity.answer(DialogInterface.BUTTON_POSITIVE)
        val folder = copy("tictactoe")
        elsewhere { folder.resolve("golden.json").appendText(" ") }
        activity.choose(isFolder = true, tree(folder))
        val size = Regex("Bundle 'tictactoe': 'golden\\.json' has \\d+ bytes, its manifest says \\d+: .*")
        assertTrue(activity.message(), size.matches(activity.message()))
        assertEquals(7, activity.cards().size)
    }

    private fun GamesActivity.message(): String =
        checkNotNull(bundles.dialog).findViewById<TextView>(android.R.id.message).text.toString()

    @Test
    fun `many are grouped by game and found by words`() {
        val few = games()
        assertFalse(few.findViewById<View>(R.id.find).isShown)
        val activity = few
        for (name in listOf("tictactoe", "go", "connect4")) activity.choose(isFolder = true, tree(copy(name)))
        val titles = listOf(
            "Four in a row", "Four in a row", "Four in a row", "Tic-tac-toe", "Tic-tac-toe", "Tic-tac-toe",
            "Dots and Boxes", "Dots and Boxes", "Gomoku", "Gomoku", "Go", "Go", "Go", "Reversi", "Reversi", "Hex",
            "Hex",
        )
        assertEquals(titles, activity.titles())
        val field = activity.findViewById<EditText>(R.id.find)
        assertTrue(field.isShown)
        field.setText("TOE 2")
        assertEquals("its game and the one that was opened", listOf("Tic-tac-toe", "Tic-tac-toe"), activity.titles())
        field.setText("chess")
        assertEquals(emptyList<String>(), activity.titles())
        assertEquals("No bundle is called so.", activity.text(R.id.none_found))
        assertTrue(activity.findViewById<View>(R.id.none_found).isShown)
        field.setText("")
        assertEquals(titles.size, activity.titles().size)
    }
}
