package org.azx.app.screens.people

import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.os.SystemClock
import android.view.Menu
import android.view.MenuItem
import android.view.View
import org.azx.app.R
import org.azx.app.engine.Game
import org.azx.app.engine.Settings
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.through
import org.azx.app.play.Assets
import org.azx.app.play.Kept
import org.azx.app.play.Wanted
import org.azx.app.play.Worker
import org.azx.app.play.library.Library
import org.azx.app.play.people.SharedTable
import org.azx.app.play.people.beginShared
import org.azx.app.play.recordGame
import org.azx.app.play.textOf
import org.azx.app.play.unshelveShared
import org.azx.app.screens.Screen
import org.azx.app.screens.Words
import org.azx.app.screens.on
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.presentationOf
import org.azx.app.screens.settings.SettingsActivity
import org.azx.app.screens.share
import org.azx.app.screens.showIf

private const val RECORD = "record"
private const val ACTIONS = "actions"

// How often a clock is looked at.
private const val TICK = 200L

/** A game of two people at this device; before it begins, what they agree on. No network is needed. */
class PeopleActivity : Screen(R.layout.activity_people, R.string.people_here, R.menu.people) {
    private val worker = Worker("azx people")
    private val words by lazy { Words(resources) }
    private lateinit var terms: Terms
    private var library: Library? = null
    private var screen: PeopleScreen? = null
    private var isSeen = false
    private var wanted = Wanted(null)

    var table: SharedTable? = null
        private set

    /** Whether the library is being read, or a network looked for. */
    val isBusy: Boolean get() = worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val state = savedInstanceState ?: intent.extras ?: Bundle()
        terms = Terms(this, words, state.game ?: GAMES.values.first(), state.settings, intent.hasExtra(ACTIONS))
        wanted = if (savedInstanceState == null) Wanted(intent.getStringExtra(RECORD)) else Wanted.of(state)
        on(R.id.people_begin, ::begin)
        on(R.id.people_set_up) { startActivity(SetUpActivity.intent(this, terms.game, terms.settings)) }
        @Suppress("DEPRECATION")
        table = lastNonConfigurationInstance as? SharedTable
        val app = applicationContext
        worker.ask({ Assets.library(app).open().let { it to wanted.recordIn(it) } }) { answer ->
            val (library, record) = answer.getOrNull() ?: return@ask
            this.library = library
            if (table == null) record?.unshelveShared()?.let { sit(it, record.game) }
            show()
        }
    }

    private fun begin() {
        val actions = intent.getIntArrayExtra(ACTIONS) ?: IntArray(0)
        val states = begin(terms.game, terms.settings).through(actions.toList())
        sit(beginShared(terms.settings, states, terms.game, terms.agreed), terms.game.name)
        show()
    }

    private fun sit(kept: Kept, game: String) {
        table?.leave()
        screen = null
        val app = applicationContext
        table = SharedTable(kept, byName(game), { keep(app, it) }, SystemClock::elapsedRealtime)
        if (isSeen) table?.enter()
    }

    private fun keep(app: Context, record: GameRecord) = (library ?: Assets.library(app)).keep(record)

    /** A game of the same two people, who swap sides. */
    fun rematch() {
        val table = table ?: return
        sit(table.rematch(), table.game.name)
        show()
    }

    /** A game with other terms. */
    fun anew() {
        table?.leave()
        table = null
        screen = null
        show()
    }

    /** Show the game to a network that plays its board; calls `refuse` if there is none. */
    fun review(refuse: () -> Unit) {
        val record = table?.record ?: return
        val app = applicationContext
        keep(app, record)
        worker.ask({ recordGame(app, record) }) { answer ->
            answer.fold({ startActivity(PlayActivity.intent(this, it)) }) { refuse() }
        }
    }

    fun show() {
        val sitting = table
        findViewById<View>(R.id.people_terms).showIf(sitting == null && library != null)
        findViewById<View>(R.id.play).showIf(sitting != null)
        if (sitting == null) return
        val presentation = presentationOf(sitting.game.name)
        title = getString(presentation.title)
        (screen ?: PeopleScreen(this, sitting, words, presentation).also { screen = it }).show()
        invalidateOptionsMenu()
    }

    private fun tick() {
        if (!isSeen) return
        table?.let { if (it.tick()) show() else screen?.showClocks() }
        worker.later(TICK, ::tick)
    }

    override fun onStart() {
        super.onStart()
        isSeen = true
        table?.enter()
        tick()
    }

    override fun onStop() {
        super.onStop()
        isSeen = false
        table?.leave()
    }

    override fun onDestroy() {
        super.onDestroy()
        screen?.close()
        worker.close()
    }

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onRetainNonConfigurationInstance(): Any? = table

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        wanted.save(outState, table?.record)
        outState.put(terms.game, terms.settings)
    }

    override fun onPrepareOptionsMenu(menu: Menu): Boolean {
        menu.findItem(R.id.share_game).isVisible = table != null
        return super.onPrepareOptionsMenu(menu)
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean = when (item.itemId) {
        R.id.share_game -> true.also { shareGame() }
        R.id.app_settings -> true.also { startActivity(Intent(this, SettingsActivity::class.java)) }
        else -> super.onOptionsItemSelected(item)
    }

    private fun shareGame() {
        val (kept, game) = table?.let { it.kept to it.game } ?: return
        share(textOf(kept, game, kept.settings, kept.session.names ?: ("" to "")), R.string.share_game)
    }

    companion object {
        /** What two people agree on comes first. */
        fun intent(context: Context): Intent = Intent(context, PeopleActivity::class.java)

        /** A game of the library. */
        fun intent(context: Context, record: String): Intent = intent(context).putExtra(RECORD, record)

        /** A position that was set up, and what two people agree on before they play on from there. */
        fun intent(context: Context, game: Game, settings: Settings, actions: List<Int>): Intent =
            intent(context).putExtras(Bundle().apply { put(game, settings) }).putExtra(ACTIONS, actions.toIntArray())
    }
}
