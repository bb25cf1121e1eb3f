package org.azx.app.screens.games

import android.content.Intent
import android.os.Bundle
import android.text.Editable
import android.text.TextWatcher
import android.view.Menu
import android.view.MenuItem
import android.view.View
import android.widget.EditText
import org.azx.app.R
import org.azx.app.play.Worker
import org.azx.app.play.bundlesIn
import org.azx.app.play.failureOf
import org.azx.app.screens.Screen
import org.azx.app.screens.presentationOf
import org.azx.app.screens.settings.SettingsActivity
import org.azx.app.screens.showIf

class GamesActivity : Screen() {
    private lateinit var worker: Worker

    val records by lazy { RecordOpener(this, worker) }

    val bundles by lazy { BundleOpener(this, worker, ::read) }
    private lateinit var cards: Cards

    /** Whether the list is still being read. */
    val isBusy: Boolean get() = worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_games)
        title = getString(R.string.games)
        worker = Worker("azx games")
        cards = Cards(this, findViewById(R.id.list), bundles::remove)
        findViewById<EditText>(R.id.find).addTextChangedListener(Sought())
        if (savedInstanceState == null && intent.action == Intent.ACTION_SEND) {
            records.open(intent.getCharSequenceExtra(Intent.EXTRA_TEXT)?.toString().orEmpty())
        }
    }

    /** Read anew each time, as a game may have begun. */
    override fun onStart() {
        super.onStart()
        read()
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

    /** Leave those cards there that have what is sought. */
    private fun seek() {
        val isFound = cards.seek(findViewById<EditText>(R.id.find).text.toString())
        findViewById<View>(R.id.none_found).showIf(!isFound)
    }

    private inner class Sought : TextWatcher {
        override fun afterTextChanged(text: Editable) = seek()

        override fun beforeTextChanged(text: CharSequence, start: Int, count: Int, after: Int) = Unit

        override fun onTextChanged(text: CharSequence, start: Int, before: Int, count: Int) = Unit
    }

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onActivityResult(requestCode: Int, resultCode: Int, data: Intent?) =
        bundles.take(requestCode, resultCode, data)

    override fun onCreateOptionsMenu(menu: Menu): Boolean {
        menuInflater.inflate(R.menu.games, menu)
        return true
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean = when (item.itemId) {
        R.id.open_bundle -> true.also { bundles.ask() }
        R.id.open_game -> true.also { records.ask() }
        R.id.app_settings -> true.also { startActivity(SettingsActivity.intent(this)) }
        else -> super.onOptionsItemSelected(item)
    }

    override fun onDestroy() {
        super.onDestroy()
        records.close()
        bundles.close()
        worker.close()
    }
}
