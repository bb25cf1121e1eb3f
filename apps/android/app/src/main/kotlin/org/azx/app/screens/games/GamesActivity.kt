package org.azx.app.screens.games

import android.content.Intent
import android.os.Bundle
import android.view.Menu
import android.view.MenuItem
import android.view.View
import android.widget.LinearLayout
import org.azx.app.R
import org.azx.app.play.Worker
import org.azx.app.play.bundlesIn
import org.azx.app.play.sentenceOf
import org.azx.app.screens.Screen
import org.azx.app.screens.presentationOf
import org.azx.app.screens.settings.SettingsActivity
import org.azx.app.screens.showIf

/** The installed bundles. */
class GamesActivity : Screen() {
    private lateinit var worker: Worker

    /** What opens records of games. */
    val records by lazy { RecordOpener(this, worker) }

    /** Whether the list is still being read. */
    val isBusy: Boolean get() = worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_games)
        title = getString(R.string.games)
        worker = Worker("azx games")
        if (savedInstanceState == null && intent.action == Intent.ACTION_SEND) {
            records.open(intent.getCharSequenceExtra(Intent.EXTRA_TEXT)?.toString().orEmpty())
        }
    }

    /** Read anew each time, as a game may have begun. */
    override fun onStart() {
        super.onStart()
        val app = applicationContext
        worker.ask({ bundlesIn(app, ::presentationOf) }) { answer ->
            val cards = Cards(this, findViewById<LinearLayout>(R.id.list).apply { removeAllViews() })
            answer.fold(cards::show) { cards.showFailure(sentenceOf(it)) }
            findViewById<View>(R.id.opening).showIf(false)
        }
    }

    override fun onCreateOptionsMenu(menu: Menu): Boolean {
        menuInflater.inflate(R.menu.games, menu)
        return true
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean = when (item.itemId) {
        R.id.open_game -> true.also { records.ask() }
        R.id.app_settings -> true.also { startActivity(SettingsActivity.intent(this)) }
        else -> super.onOptionsItemSelected(item)
    }

    override fun onDestroy() {
        super.onDestroy()
        records.close()
        worker.close()
    }
}
