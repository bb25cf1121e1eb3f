package org.azx.app.screens.games

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

    /** Whether the list is still being read. */
    val isBusy: Boolean get() = worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_games)
        title = getString(R.string.games)
        worker = Worker("azx games")
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

    override fun onOptionsItemSelected(item: MenuItem): Boolean {
        if (item.itemId != R.id.app_settings) return super.onOptionsItemSelected(item)
        startActivity(SettingsActivity.intent(this))
        return true
    }

    override fun onDestroy() {
        super.onDestroy()
        worker.close()
    }
}
