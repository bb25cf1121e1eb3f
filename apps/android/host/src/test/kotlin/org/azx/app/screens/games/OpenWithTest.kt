package org.azx.app.screens.games

import android.content.DialogInterface
import android.content.Intent
import android.net.Uri
import android.provider.DocumentsContract
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.play.exportGames
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.library.LibraryActivity
import org.azx.app.screens.nameIn
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowToast
import java.io.File
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream

/** Files that another app opens with this one, or shares with it. */
class OpenWithTest : DocumentsStage() {
    private fun file(name: String, write: (File) -> Unit): Uri {
        val file = temporary.root.resolve(name).also { elsewhere { write(it) } }
        return DocumentsContract.buildDocumentUri(DOCUMENTS, file.path)
    }

    private fun zip(name: String): Uri = file(name) { file ->
        ZipOutputStream(file.outputStream()).use { out ->
            for (each in BUNDLES.resolve("tictactoe").listFiles()!!.filter { it.isFile }) {
                out.putNextEntry(ZipEntry("tictactoe/${each.name}"))
                out.write(each.readBytes())
            }
        }
    }

    private fun view(uri: Uri, type: String) = Intent(Intent.ACTION_VIEW).setDataAndType(uri, type)

    private fun isOffered(intent: Intent): Boolean =
        app.packageManager.queryIntentActivities(intent.addCategory(Intent.CATEGORY_DEFAULT), 0)
            .any { it.activityInfo.name == GamesActivity::class.java.name }

    private fun opened(intent: Intent): GamesActivity {
        val activity = start(GamesActivity::class.java, intent.setClass(app, GamesActivity::class.java)).get()
        await("the file") { !activity.isBusy }
        return activity
    }

    private fun said(activity: GamesActivity): String {
        val dialog = checkNotNull(activity.records.dialog ?: activity.bundles.dialog) { "nothing is said" }
        return dialog.findViewById<TextView>(android.R.id.message).text.toString()
    }

    @Test
    fun `other apps are offered this one for bundles and records, and for nothing else`() {
        val named = { name: String -> Uri.parse("content://any.files/document/primary%3ADownload%2F$name") }
        assertTrue(isOffered(view(Uri.parse("content://any.files/7"), "application/zip")))
        assertTrue(isOffered(view(Uri.parse("content://any.files/7"), "application/x-go-sgf")))
        for (name in listOf("net.zip", "my.net.zip", "my.net.v2.zip", "game.sgf", "a.game.sgf", "2026.11.26.sgf")) {
            assertTrue(name, isOffered(view(named(name), "application/octet-stream")))
        }
        for (name in listOf("letter.pdf", "sgf", "net.zip.txt")) {
            assertEquals(name, false, isOffered(view(named(name), "application/octet-stream")))
        }
        assertEquals(false, isOffered(view(Uri.parse("file:///sdcard/net.zip"), "application/zip")))
        assertTrue(isOffered(Intent(Intent.ACTION_SEND).setType("text/plain")))
    }

    @Test
    fun `a zip that another app opens is in the list, and said to be`() {
        val activity = opened(view(zip("net.zip"), "application/zip"))
        assertEquals(8, activity.findViewById<ViewGroup>(R.id.list).childCount)
        assertEquals("Tic-tac-toe is in the list of games.", ShadowToast.getTextOfLatestToast())
        assertNull(activity.bundles.dialog)
    }

    @Test
    fun `a zip of games that another app opens is in the library, and shown there`() {
        remember("tictactoe", 0, 4, 0)
        val kept = library.list()
        val zip = file("games.zip") { exportGames(kept, it.outputStream()) }
        library.remove(kept[0].id)
        val activity = opened(view(zip, "application/zip"))
        assertEquals("1 game imported.", said(activity))
        assertEquals(kept, library.list())
        checkNotNull(activity.records.dialog).getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        idle()
        val next = checkNotNull(shadowOf(activity).nextStartedActivity)
        assertEquals(LibraryActivity::class.java.name, next.component?.className)
    }

    @Test
    fun `a file of SGF that another app opens or shares shows its game`() {
        val sgf = file("game.sgf") { it.writeText("(;FF[4]GM[1]SZ[9]KM[6.5];B[ee];W[fe])\n") }
        val stream = Intent(Intent.ACTION_SEND).setType("application/x-go-sgf").putExtra(Intent.EXTRA_STREAM, sgf)
        for (intent in listOf(view(sgf, "application/octet-stream"), stream)) {
            assertEquals("go", nameIn(checkNotNull(shadowOf(opened(intent)).nextStartedActivity)))
        }
    }

    @Test
    fun `a network of another format is named as such, with what to run`() {
        val hdf5 = "\u0089HDF\r\n\u001a\n and more".toByteArray(Charsets.ISO_8859_1)
        val checkpoint = file("net.zip") { it.writeBytes(hdf5) }
        val keras = "'net.zip' looks like a Keras checkpoint: run azx export --format tflite with it and open the " +
            "folder that it writes, or a .zip of it."
        assertEquals(keras, said(opened(view(checkpoint, "application/zip"))))
        val onnx = file("onnx.zip") { file ->
            ZipOutputStream(file.outputStream()).use { it.putNextEntry(ZipEntry("export/net.onnx")) }
        }
        val other = "'onnx.zip/export/net.onnx' looks like a network for ONNX, and this app plays those for TFLite: " +
            "run azx export --format tflite with the Keras checkpoint that it comes from and open the folder that it " +
            "writes, or a .zip of it."
        assertEquals(other, said(opened(view(onnx, "application/zip"))))
    }

    @Test
    fun `what is neither is told of in one sentence`() {
        val none = file("cut.zip") { it.writeText("no zip".repeat(20)) }
        assertEquals(
            "'cut.zip' is no .zip, or is cut short: open a bundle's folder, or a .zip of it.",
            said(opened(view(none, "application/zip"))),
        )
        val other = file("notes.sgf") { it.writeText("Hello!") }
        val record = "This is no record of a game: a link, SGF, or a line such as connect4: 3 3 2 is read."
        assertEquals(record, said(opened(view(other, "application/x-go-sgf"))))
        val large = file("large.sgf") { it.writeText("(;" + "C[x]".repeat(300_000) + ")") }
        val tooLarge = "This text is too large for a record of a game: at most 1 MB is read."
        assertEquals(tooLarge, said(opened(view(large, "application/x-go-sgf"))))
        val gone = DocumentsContract.buildDocumentUri(DOCUMENTS, temporary.root.resolve("gone.sgf").path)
        assertTrue(said(opened(view(gone, "application/x-go-sgf"))).contains("gone.sgf"))
        val own = Intent(Intent.ACTION_VIEW, Uri.fromFile(app.filesDir.resolve("secret")))
        assertEquals(record, said(opened(own)))
    }
}
