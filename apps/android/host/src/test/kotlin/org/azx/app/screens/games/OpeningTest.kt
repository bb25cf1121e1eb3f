package org.azx.app.screens.games

import android.app.Activity
import android.app.AlertDialog
import android.content.DialogInterface
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.os.ParcelFileDescriptor
import android.provider.DocumentsContract
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.Store
import org.azx.app.play.Assets
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.idle
import org.azx.app.screens.nameIn
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotSame
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.io.File
import java.io.InputStream
import java.nio.ByteBuffer
import java.util.concurrent.CountDownLatch

private const val AUTHORITY = "org.azx.test.slow"

/** Holds up whoever reads, until it is opened. */
private class Gate {
    private val opened = CountDownLatch(1)

    @Volatile
    var isReached = false
        private set

    fun pass() {
        isReached = true
        opened.await()
    }

    fun open() = opened.countDown()
}

private var gate = Gate()

/** Documents that come slowly, as those of a drive elsewhere do. */
class SlowFolder : Folder() {
    override fun openFile(uri: Uri, mode: String): ParcelFileDescriptor {
        gate.pass()
        return super.openFile(uri, mode)
    }
}

/** The app's assets, which the thread that opens records reads slowly. */
private class SlowStore(private val store: Store) : Store {
    override fun open(path: String): InputStream = store.open(path).also { slowly() }

    override fun map(path: String): ByteBuffer = store.map(path)

    private fun slowly() {
        if (Thread.currentThread().name == "azx opening") gate.pass()
    }
}

/** Turning the device, leaving, and being ended by the system, while a bundle or a record is opened. */
class OpeningTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    @Before
    fun offer() {
        gate = Gate()
        Robolectric.buildContentProvider(SlowFolder::class.java).create(AUTHORITY)
    }

    @After
    fun letGo() = gate.open()

    private fun games(intent: Intent = Intent(app, GamesActivity::class.java), state: Bundle? = null) =
        start(GamesActivity::class.java, intent, state)

    private fun GamesActivity.cards(): Int = findViewById<ViewGroup>(R.id.list).childCount

    private fun bundle(isSound: Boolean): File = temporary.root.resolve("tictactoe").also { folder ->
        elsewhere {
            BUNDLES.resolve("tictactoe").copyRecursively(folder)
            if (!isSound) folder.resolve("golden.json").appendText(" ")
        }
    }

    /** A list that has been read, and opens a folder that a person has chosen in the system's picker. */
    private fun whileBundleIsOpened(isSound: Boolean = true): ActivityController<GamesActivity> {
        val controller = games()
        val activity = controller.get()
        await("the list") { !activity.isBusy }
        shadowOf(activity).clickMenuItem(R.id.open_bundle)
        checkNotNull(activity.bundles.dialog).getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        idle()
        val tree = DocumentsContract.buildTreeDocumentUri(AUTHORITY, bundle(isSound).path)
        val asked = shadowOf(activity).nextStartedActivityForResult
        shadowOf(activity).receiveResult(asked.intent, Activity.RESULT_OK, Intent().setData(tree))
        shadowOf(app).clearNextStartedActivities()
        await("the bundle's first file") { gate.isReached }
        return controller
    }

    /** A list that opens a record that another app has shared. */
    private fun whileRecordIsOpened(text: String): ActivityController<GamesActivity> {
        Assets.store = { SlowStore(AssetStore(it.assets)) }
        val send = Intent(app, GamesActivity::class.java).setAction(Intent.ACTION_SEND).setType("text/plain")
        val controller = games(send.putExtra(Intent.EXTRA_TEXT, text))
        await("the bundles, for the record") { gate.isReached }
        return controller
    }

    private fun said(dialog: AlertDialog?): String {
        assertTrue("something is said", dialog?.isShowing == true)
        return checkNotNull(dialog).findViewById<TextView>(android.R.id.message).text.toString()
    }

    private fun assertSilent(activity: GamesActivity) {
        assertTrue(activity.isDestroyed)
        assertFalse("a screen that is gone shows a dialog", activity.bundles.dialog?.isShowing == true)
        assertFalse("a screen that is gone shows a dialog", activity.records.dialog?.isShowing == true)
    }

    private fun assertAtWork(activity: GamesActivity, isAtWork: Boolean) =
        assertEquals("the row that says so", isAtWork, activity.findViewById<View>(R.id.at_work).isShown)

    @Test
    fun `a bundle comes to the screen that is there when the device has been turned`() {
        val controller = whileBundleIsOpened()
        val before = controller.get()
        assertAtWork(before, true)
        val after = turned(controller, "+land")
        assertNotSame(before, after)
        await("the list, which does not wait for the bundle") { after.cards() == 7 }
        assertAtWork(after, true)
        gate.open()
        await("the bundle") { !after.isBusy }
        assertEquals(8, after.cards())
        assertAtWork(after, false)
        assertSilent(before)
    }

    @Test
    fun `why a bundle is refused is said where the device has been turned, and only there`() {
        val controller = whileBundleIsOpened(isSound = false)
        val before = controller.get()
        val after = turned(controller, "+land")
        gate.open()
        await("the answer") { !after.isBusy }
        assertSilent(before)
        assertTrue(said(after.bundles.dialog), said(after.bundles.dialog).startsWith("Bundle 'tictactoe': "))
        val again = turned(controller, "+port")
        assertSilent(after)
        assertTrue("it was not read yet", said(again.bundles.dialog).startsWith("Bundle 'tictactoe': "))
        checkNotNull(again.bundles.dialog).getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        idle()
        assertNull("it was read", turned(controller, "+land").bundles.dialog)
    }

    @Test
    fun `a record's game is shown by the screen that is there when the device has been turned`() {
        val controller = whileRecordIsOpened("tictactoe: 4 0 1")
        val before = controller.get()
        val after = turned(controller, "+land")
        assertAtWork(after, true)
        gate.open()
        await("the game") { !after.isBusy }
        assertSilent(before)
        assertAtWork(after, false)
        assertEquals("tictactoe", nameIn(checkNotNull(shadowOf(after).nextStartedActivity)))
        assertNull("it is shown once", shadowOf(after).nextStartedActivity)
        assertNull("it is not shown again", shadowOf(turned(controller, "+port")).nextStartedActivity)
    }

    @Test
    fun `why a record is refused is said where the device has been turned, and only there`() {
        val controller = whileRecordIsOpened("(;GM[1]SZ[19];B[pd])")
        val before = controller.get()
        val after = turned(controller, "+land")
        gate.open()
        await("the answer") { !after.isBusy }
        assertSilent(before)
        assertEquals("No network here plays Go on the board of this record.", said(after.records.dialog))
    }

    @Test
    fun `a game that has come is shown when the screen is seen again`() {
        val controller = whileRecordIsOpened("tictactoe: 4 0 1")
        val activity = controller.get()
        controller.pause().stop()
        gate.open()
        await("the game") { !activity.isBusy }
        assertNull("the system would not let an app start that nobody sees", shadowOf(activity).nextStartedActivity)
        controller.restart().start().resume()
        idle()
        assertEquals("tictactoe", nameIn(checkNotNull(shadowOf(activity).nextStartedActivity)))
    }

    @Test
    fun `a screen that is left while a bundle is opened says nothing, and the bundle is kept`() {
        for (isSound in listOf(false, true)) {
            gate = Gate()
            temporary.root.resolve("tictactoe").let { elsewhere { it.deleteRecursively() } }
            val controller = whileBundleIsOpened(isSound)
            val activity = controller.get()
            activity.finish()
            controller.pause().stop().destroy()
            val next = games().get()
            await("the list, which does not wait for the bundle") { next.cards() == 7 }
            gate.open()
            await("the end") { !activity.isBusy }
            assertSilent(activity)
            await("the list") { !next.isBusy }
            assertEquals("a list that is there hears of it", if (isSound) 8 else 7, next.cards())
            assertNothingIsHalfDone()
        }
    }

    @Test
    fun `a screen that the system ends, and the app goes on, has its bundle when it comes back`() {
        val controller = whileBundleIsOpened(isSound = false)
        val before = controller.get()
        val state = Bundle()
        controller.pause().stop().saveInstanceState(state).destroy()
        gate.open()
        val after = games(state = state).get()
        await("the answer") { !after.isBusy }
        assertSilent(before)
        assertTrue(said(after.bundles.dialog).startsWith("Bundle 'tictactoe': "))
    }

    /** What is left of an app that the system has ended: its saved state, and files half written. */
    private fun end(controller: ActivityController<GamesActivity>): Bundle {
        val state = Bundle()
        controller.pause().stop().saveInstanceState(state)
        controller.get().finish()
        controller.destroy()
        gate.open()
        await("the end") { !controller.get().isBusy }
        assertNull("nothing is shown by an app that was ended", shadowOf(controller.get()).nextStartedActivity)
        elsewhere {
            app.filesDir.resolve("bundles/.half/tflite").mkdirs()
            app.filesDir.resolve("bundles/.half/manifest.json").writeText("{")
            app.cacheDir.resolve("given12345.zip").writeText("PK")
        }
        return state
    }

    private fun assertNothingIsHalfDone() = elsewhere {
        assertFalse("half a bundle is left", app.filesDir.resolve("bundles/.half").exists())
        assertEquals("a copy is left", 0, app.cacheDir.list()!!.count { it.startsWith("given") })
    }

    @Test
    fun `who comes back to an app that was ended while it opened a bundle is told, and nothing is half done`() {
        val state = end(whileBundleIsOpened(isSound = false))
        val controller = games(state = state)
        val after = controller.get()
        await("the list") { !after.isBusy }
        assertEquals(7, after.cards())
        val told = "The app was ended while it was opening this: open it again, if it is not in the list."
        assertEquals(told, said(after.bundles.dialog))
        assertNothingIsHalfDone()
        checkNotNull(after.bundles.dialog).getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        idle()
        val later = Bundle()
        controller.pause().stop().saveInstanceState(later)
        controller.get().finish()
        controller.destroy()
        val last = games(state = later).get()
        await("the list") { !last.isBusy }
        assertNull("it is told once", last.bundles.dialog)
    }

    @Test
    fun `a record is opened again by itself where the app was ended`() {
        val state = end(whileRecordIsOpened("tictactoe: 4 0 1"))
        val after = games(state = state).get()
        await("the game") { !after.isBusy }
        assertEquals("tictactoe", nameIn(checkNotNull(shadowOf(after).nextStartedActivity)))
    }
}
