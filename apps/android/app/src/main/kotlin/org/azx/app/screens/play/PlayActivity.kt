package org.azx.app.screens.play

import android.content.ClipData
import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.view.KeyEvent
import android.view.Menu
import android.view.MenuItem
import android.view.View
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Text
import org.azx.app.engine.review.Phase
import org.azx.app.play.Choices
import org.azx.app.play.RecordGame
import org.azx.app.play.Wanted
import org.azx.app.play.library.text
import org.azx.app.play.mayPass
import org.azx.app.play.table.KeptSeries
import org.azx.app.play.table.Room
import org.azx.app.play.table.Table
import org.azx.app.play.table.canEstimate
import org.azx.app.play.table.estimate
import org.azx.app.play.table.replay
import org.azx.app.play.table.restore
import org.azx.app.screens.DropTarget
import org.azx.app.screens.Screen
import org.azx.app.screens.Words
import org.azx.app.screens.intentOf
import org.azx.app.screens.intentOfDropped
import org.azx.app.screens.nameIn
import org.azx.app.screens.on
import org.azx.app.screens.say
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.settings.SettingsActivity
import org.azx.app.screens.shareGame
import org.azx.app.screens.showIf

private const val RECORD = "record"
private const val NEW = "new"
private const val CHOSEN = "chosen"
private const val SERIES = "series"

/** A game against the network of the bundle that the intent's extra "bundle" names. */
class PlayActivity : Screen(R.layout.activity_play, fixedMenu = R.menu.play) {
    private lateinit var room: Room
    private var screen: PlayScreen? = null

    // Whether the next screen is to open the bundle anew.
    private var isLeft = false

    // The game of a screen that was ended before the bundle was open again.
    private var wanted = Wanted(null)
    private var isRecordNew = false

    // What was chosen for a new game on a screen that was ended while it asked.
    private var chosen: Choices? = null

    // The series of such a screen.
    private var series: KeptSeries? = null

    val asking = Asking(this)
    private val thermometer by lazy { Thermometer(this) { room.warmth = it } }

    /** The table that somebody sits at here; null until its bundle is open. */
    val table: Table? get() = room.table

    /** Whether something is under way: the bundle is being opened, the network thinks or advises. */
    val isBusy: Boolean get() = room.worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        wanted = savedInstanceState?.let(Wanted::of)
            ?: Wanted(intent.getStringExtra(RECORD), isNew = intent.getBooleanExtra(NEW, false))
        @Suppress("DEPRECATION")
        chosen = savedInstanceState?.getSerializable(CHOSEN) as? Choices
        @Suppress("DEPRECATION")
        series = savedInstanceState?.getSerializable(SERIES) as? KeptSeries
        @Suppress("DEPRECATION")
        room = lastNonConfigurationInstance as? Room ?: Room(this, nameIn(intent), wanted)
        isRecordNew = savedInstanceState == null && wanted.id != null
        room.onChange = ::show
        DropTarget(this, ::handOver)
        title = nameIn(intent)
        on(R.id.leave, ::finish)
        on(R.id.begin_again) { room.table?.restart() }
        on(R.id.try_again, ::tryAgain)
        show()
    }

    private fun show() {
        room.table?.let { table ->
            val screen = screen ?: begin(Seat(this, table, checkNotNull(room.opened), asking))
            screen.show()
        }
        findViewById<View>(R.id.opening).showIf(room.table == null && room.failure == null)
        val failure = room.failure ?: room.table?.failure
        findViewById<View>(R.id.play).showIf(room.table != null && failure == null)
        showFailure(failure)
    }

    private fun showFailure(why: Text?) {
        findViewById<View>(R.id.failure).showIf(why != null)
        val title = if (room.failure != null) R.string.cannot_open else R.string.went_wrong
        findViewById<TextView>(R.id.alert_title).setText(title)
        findViewById<TextView>(R.id.sentence).say(why?.let(Words(resources)::text) ?: "")
        findViewById<View>(R.id.begin_again).showIf(room.table != null)
        // The primary button is what helps: a bundle that is at fault stays so, and another game does not need it.
        val mayPass = why?.mayPass == true
        findViewById<View>(R.id.try_again).isActivated = mayPass
        findViewById<View>(R.id.leave).isActivated = !mayPass
    }

    /** Let the network answer once more; if it is gone, or never came, open it anew on a fresh screen. */
    private fun tryAgain() {
        room.table?.let { return it.askAgain() }
        isLeft = true
        room.onChange = {}
        room.close()
        recreate()
    }

    private fun begin(seat: Seat): PlayScreen {
        val made = PlayScreen(seat).also { screen = it }
        // A game that is over is looked at.
        if (isRecordNew) room.table?.run { if (session.phase == Phase.OVER) replay(true) }
        isRecordNew = false
        title = made.title
        series?.let(seat.table::restore)
        series = null
        chosen?.let { asking.newGame(seat, it) }
        chosen = null
        return made
    }

    override fun onStart() {
        super.onStart()
        room.enter()
        thermometer.start()
    }

    /** A bundle may have been opened before this screen is seen again. */
    override fun onResume() {
        super.onResume()
        room.lookForNewcomer()
    }

    /** Open what is dropped on a game in the list of games; a bundle then leads back here. */
    private fun handOver(dropped: ClipData) {
        val list = checkNotNull(parentActivityIntent) { "the manifest names no list of games" }
        startActivity(intentOfDropped(list, dropped))
    }

    override fun onStop() {
        super.onStop()
        thermometer.stop()
        if (!isChangingConfigurations) room.leave()
    }

    override fun onDestroy() {
        super.onDestroy()
        asking.close()
        if (isChangingConfigurations) return
        room.onChange = {}
        room.close()
    }

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onRetainNonConfigurationInstance(): Any? = room.takeIf { !isLeft }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        wanted.save(outState, room.record)
        outState.putSerializable(CHOSEN, asking.chosen ?: chosen)
        outState.putSerializable(SERIES, room.table?.series?.kept ?: series)
    }

    override fun onPrepareOptionsMenu(menu: Menu): Boolean {
        val table = room.table
        menu.findItem(R.id.resign).isVisible = table?.canResign == true
        menu.findItem(R.id.estimate).isVisible = table?.canEstimate == true
        return super.onPrepareOptionsMenu(menu)
    }

    override fun onKeyDown(keyCode: Int, event: KeyEvent): Boolean =
        room.table?.let { hear(keyCode, event, it) } == true || super.onKeyDown(keyCode, event)

    override fun onOptionsItemSelected(item: MenuItem): Boolean = when (item.itemId) {
        R.id.resign -> true.also { room.table?.let(asking::resign) }
        R.id.estimate -> true.also { room.table?.estimate() }
        R.id.app_settings -> true.also { startActivity(Intent(this, SettingsActivity::class.java)) }
        R.id.share_game -> true.also { room.table?.let { shareGame(this, it, checkNotNull(room.opened)) } }
        R.id.self_test -> true.also { startActivity(SelfTestActivity.intent(this, nameIn(intent))) }
        else -> super.onOptionsItemSelected(item)
    }

    companion object {
        fun intent(context: Context, bundle: String): Intent = intentOf(context, PlayActivity::class.java, bundle)

        /** A screen on which a new game begins; what is under way stays in the library. */
        fun intentForNew(context: Context, bundle: String): Intent = intent(context, bundle).putExtra(NEW, true)

        /** A screen that shows the game of a record. */
        fun intent(context: Context, game: RecordGame): Intent = intent(context, game.bundle).putExtra(RECORD, game.id)
    }
}
