package org.azx.app.screens.games

import android.content.ClipData
import android.content.ContentResolver
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.os.Parcelable
import android.view.MenuItem
import android.view.View
import android.widget.EditText
import org.azx.app.R
import org.azx.app.play.Come
import org.azx.app.play.Desk
import org.azx.app.play.Worker
import org.azx.app.play.bundlesIn
import org.azx.app.play.failureOf
import org.azx.app.screens.DropTarget
import org.azx.app.screens.Screen
import org.azx.app.screens.droppedIn
import org.azx.app.screens.files
import org.azx.app.screens.library.LibraryActivity
import org.azx.app.screens.on
import org.azx.app.screens.onChange
import org.azx.app.screens.people.PeopleActivity
import org.azx.app.screens.presentationOf
import org.azx.app.screens.settings.SettingsActivity
import org.azx.app.screens.showIf
import org.azx.app.screens.words

class GamesActivity : Screen(R.layout.activity_games, R.string.games, R.menu.games) {
    private lateinit var worker: Worker
    private lateinit var desk: Desk
    private lateinit var cards: Cards
    private var isSeen = false

    // What was said last, so that it is said once.
    private var told: Come? = null

    val records by lazy { RecordOpener(this, desk) }

    val readings by lazy { ReadingChoice(this, worker) }

    val bundles by lazy { BundleOpener(this, desk) }

    /** Whether the list is still being read, or something is being opened. */
    val isBusy: Boolean get() = worker.awaited + desk.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        worker = Worker("azx games")
        @Suppress("DEPRECATION")
        desk = lastNonConfigurationInstance as? Desk ?: Desk.of(this, savedInstanceState)
        desk.onChange = ::tell
        desk.onBundles = ::read
        cards = Cards(this, findViewById(R.id.list), worker, bundles::remove, bundles::ask, readings::ask)
        findViewById<EditText>(R.id.find).onChange(::seek)
        on(R.id.people) { startActivity(PeopleActivity.intent(this)) }
        DropTarget(this, ::take)
        if (savedInstanceState == null) take(intent)
    }

    /** Open what was dropped: files, or a text. */
    private fun take(dropped: ClipData) {
        val (files, words) = dropped.files to dropped.words
        files.forEach(desk::openFile)
        if (files.isEmpty() && words.isNotEmpty()) desk.openRecord(words)
        if (files.isEmpty() && words.isEmpty()) desk.openNothing()
    }

    /** Open what another app hands over: a text, or a file. */
    private fun take(intent: Intent) {
        droppedIn(intent)?.let { return take(it) }
        @Suppress("DEPRECATION")
        val file = when (intent.action) {
            Intent.ACTION_VIEW -> intent.data ?: return
            Intent.ACTION_SEND -> intent.getParcelableExtra<Parcelable>(Intent.EXTRA_STREAM) as? Uri
            else -> return
        }
        // Another app may not name a path into the app's own files.
        if (file == null || file.scheme != ContentResolver.SCHEME_CONTENT) {
            desk.openRecord(intent.getCharSequenceExtra(Intent.EXTRA_TEXT)?.toString().orEmpty())
        } else {
            desk.openFile(file)
        }
    }

    /** Read anew each time, as a game may have begun. */
    override fun onStart() {
        super.onStart()
        isSeen = true
        read()
        tell()
    }

    override fun onStop() {
        super.onStop()
        isSeen = false
    }

    /** Say what came of what was asked for, once a person sees the screen. */
    private fun tell() {
        findViewById<View>(R.id.at_work).showIf(desk.openings > 0)
        val come = desk.next
        if (!isSeen || come === told) return
        told = come
        when (come) {
            is Come.Kept -> {
                bundles.tell(come)
                // A game that goes on offers it.
                if (droppedIn(intent) != null) finish()
            }
            is Come.Shown -> records.tell(come)
            is Come.Games -> records.tell(come)
            is Come.Refused -> if (come.isRecord) records.tell(come) else bundles.tell(come)
            is Come.Lost -> bundles.tellOfLoss()
            null -> Unit
        }
    }

    private fun read() {
        val app = applicationContext
        worker.ask({ bundlesIn(app, ::presentationOf) }) { answer ->
            answer.fold(cards::show) { cards.showFailure(failureOf(it)) }
            findViewById<View>(R.id.find).showIf(cards.areMany)
            seek()
            findViewById<View>(R.id.opening).showIf(false)
        }
    }

    /** Show only the cards that the search finds. */
    private fun seek() {
        val isFound = cards.seek(findViewById<EditText>(R.id.find).text)
        findViewById<View>(R.id.none_found).showIf(!isFound)
    }

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onActivityResult(requestCode: Int, resultCode: Int, data: Intent?) =
        bundles.take(requestCode, resultCode, data)

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onRetainNonConfigurationInstance(): Any = desk

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        desk.save(outState)
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean = when (item.itemId) {
        R.id.library -> true.also { startActivity(Intent(this, LibraryActivity::class.java)) }
        R.id.open_bundle -> true.also { bundles.ask() }
        R.id.open_game -> true.also { records.ask() }
        R.id.app_settings -> true.also { startActivity(Intent(this, SettingsActivity::class.java)) }
        else -> super.onOptionsItemSelected(item)
    }

    override fun onDestroy() {
        super.onDestroy()
        records.close()
        bundles.close()
        readings.close()
        worker.close()
        if (!isChangingConfigurations) desk.leave(isForGood = isFinishing)
    }
}
