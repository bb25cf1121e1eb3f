/** What the tests of the screens have in common: real activities, real networks, real taps. */
package org.azx.app.screens

import android.app.Activity
import android.app.Application
import android.content.DialogInterface
import android.content.Intent
import android.graphics.RectF
import android.os.Build
import android.os.Bundle
import android.os.Looper
import android.os.StrictMode
import android.os.SystemClock
import android.view.MotionEvent
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.FolderStore
import org.azx.app.bundle.Shelf
import org.azx.app.bundle.Store
import org.azx.app.engine.Settings
import org.azx.app.engine.records.BundleName
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.newIdentity
import org.azx.app.engine.review.Phase
import org.azx.app.play.Assets
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Kept
import org.azx.app.play.Memory
import org.azx.app.play.Session
import org.azx.app.play.Strength
import org.azx.app.play.bundleOf
import org.azx.app.play.library.Library
import org.azx.app.play.shelve
import org.azx.app.play.table.Table
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.play.PlayActivity
import org.azx.host.HostTfLite
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assert.fail
import org.junit.Before
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import org.robolectric.util.ReflectionHelpers
import java.io.File
import java.io.InputStream
import java.nio.ByteBuffer
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger

const val PHONE = "w411dp-h731dp-xhdpi"
const val TABLET = "w1280dp-h800dp-land-mdpi"
const val LANDSCAPE = "w731dp-h411dp-land-xhdpi"

/** Who plays a series, where `run-17` is installed beside the network of tic-tac-toe. */
val seriesSides: Pair<Side, Side> = Pair(
    Side(SideKind.NETWORK, "tictactoe", "policy", BundleName("tictactoe", false)),
    Side(SideKind.NETWORK, "run-17", "level 8", BundleName("run-17", false)),
)

@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(qualifiers = PHONE)
abstract class Stage {
    private val open = mutableListOf<ActivityController<*>>()
    private val usual = Assets.network

    /** The library's, anew for each test. */
    protected val folder: File by lazy { File(app.filesDir, "games") }
    protected val app: Application get() = RuntimeEnvironment.getApplication()

    @Before
    fun prepare() {
        HostTfLite.load()
        watch {}
        Library(folder).let { games -> Assets.library = { games } }
        Assets.store = { Guarded(AssetStore(it.assets)) }
        StrictMode.setThreadPolicy(StrictMode.ThreadPolicy.Builder().detectAll().penaltyDeath().build())
    }

    @After
    fun leave() {
        for (controller in open) if (!controller.get().isDestroyed) controller.pause().stop().destroy()
        idle()
        StrictMode.setThreadPolicy(StrictMode.ThreadPolicy.LAX)
        Assets.store = { AssetStore(it.assets) }
        Assets.network = usual
    }

    /** Let `before` hear of each question to the networks that are opened from now on: the number of its answer. */
    protected fun watch(before: (Int) -> Unit) {
        Assets.network = { bundle ->
            Watched(usual(bundle)) { number ->
                questions.incrementAndGet()
                before(number)
            }
        }
    }

    /** Have other bundles installed than the app's own; in `folder`. */
    protected fun install(folder: File, put: Shelf.() -> Unit) {
        elsewhere { Shelf(folder).put() }
        Assets.store = { Guarded(FolderStore(folder)) }
    }

    /** Remember choices, as if a person had made them before; the quickest network unless told otherwise. */
    protected fun choose(bundle: String, choices: Choices = Choices(Strength.POLICY, Begins.YOU)) {
        elsewhere { Memory(app, bundle).keep(choices) }
    }

    /** Have a game in the library, as if it had been played here before; what it is called there. */
    protected fun remember(
        bundle: String,
        human: Int,
        vararg actions: Int,
        settings: Settings = emptyMap(),
        rates: Map<Int, Double> = emptyMap(),
    ): String {
        val identity = newIdentity(if (human == NOBODY) Origin.WATCHED else Origin.PLAYED)
        elsewhere {
            val found = bundleOf(app, bundle)
            val states = actions.toList().runningFold(found.reading.start(settings)) { state, it -> state.apply(it) }
            val kept = Kept(Session(states, human, rates), settings, identity)
            library.keep(shelve(kept, found, Memory(app, bundle).choices.strength))
        }
        return identity.id
    }

    /** All games, as the app has them in memory. */
    protected val library: Library get() = Assets.library(app).open()

    /** The process ends, and the next one knows what is on the disk. */
    protected fun endProcess() = elsewhere {
        library.settle()
        val next = Library(folder)
        Assets.library = { next }
    }

    /** The screen of a bundle, as soon as its bundle is open and the network has moved. */
    protected fun play(bundle: String, state: Bundle? = null): ActivityController<PlayActivity> {
        val controller = start(PlayActivity::class.java, PlayActivity.intent(app, bundle), state)
        settle(controller.get())
        return controller
    }

    /** A screen that is shown, with whatever it begins still under way. */
    protected fun <Screen : Activity> start(
        screen: Class<Screen>,
        intent: Intent = Intent(app, screen),
        state: Bundle? = null,
    ): ActivityController<Screen> {
        val controller = Robolectric.buildActivity(screen, intent).also(open::add)
        controller.create(state).start()
        if (state != null) controller.restoreInstanceState(state)
        controller.postCreate(state).resume().visible()
        idle()
        return controller
    }

    /** A screen that is left before its bundle is open. */
    protected fun startAndLeave(bundle: String): ActivityController<PlayActivity> =
        Robolectric.buildActivity(PlayActivity::class.java, PlayActivity.intent(app, bundle)).also(open::add)
            .create().start().resume().pause().stop()

    /** Do what `test` does as on an older Android, as far as the app asks which one it is. */
    protected fun asOn(level: Int, test: () -> Unit) {
        val own = Build.VERSION.SDK_INT
        ReflectionHelpers.setStaticField(Build.VERSION::class.java, "SDK_INT", level)
        try {
            test()
        } finally {
            ReflectionHelpers.setStaticField(Build.VERSION::class.java, "SDK_INT", own)
        }
    }

    /** The screen after the device was turned. */
    protected fun turn(controller: ActivityController<PlayActivity>, qualifiers: String): PlayActivity =
        turned(controller, qualifiers).also(::settle)

    /** Any screen after the device was turned, with whatever was under way still so. */
    protected fun <Screen : Activity> turned(controller: ActivityController<Screen>, qualifiers: String): Screen {
        RuntimeEnvironment.setQualifiers(qualifiers)
        controller.configurationChange()
        if (controller.get().window.decorView.parent == null) controller.visible()
        return controller.get()
    }
}

/** The app's assets, which must not be read where a person waits for it. */
class Guarded(private val store: Store) : Store {
    override fun open(path: String): InputStream = store.open(path).also { check() }

    override fun map(path: String): ByteBuffer = store.map(path).also { check() }

    private fun check() = assertTrue("assets are read on the main thread", Looper.myLooper() != Looper.getMainLooper())
}

/** Do what reads the disk on a thread of its own. */
fun elsewhere(work: () -> Unit) {
    val thread = Thread(work)
    thread.start()
    thread.join()
}

/** Everything that the main thread has to do now, and what it will have to do within a second. */
fun idle() {
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(20))
}

// How many questions the networks of all screens were asked.
private val questions = AtomicInteger()

/** How many questions the networks of all screens were asked until now. */
fun countQuestions(): Int = questions.get()

// Five minutes without any question are too long, and so is an hour with them.
private const val MOST_SILENCE = 300_000_000_000
private const val MOST_TIME = 12 * MOST_SILENCE

/**
 * Wait for `condition`, while the main thread goes on. How long a review takes is the machine's affair, and others may
 * work on it: five minutes are too long where no network is asked in them.
 */
fun await(what: String, condition: () -> Boolean) {
    val begin = System.nanoTime()
    var (asked, since) = questions.get() to begin
    while (!condition()) {
        val now = questions.get()
        if (now != asked) since = System.nanoTime()
        asked = now
        if (System.nanoTime() - begin > MOST_TIME) fail("$what has not come in an hour.")
        if (System.nanoTime() - since >
            MOST_SILENCE
        ) {
            fail("$what has not come in five minutes without a network's work.")
        }
        Thread.sleep(1)
        shadowOf(Looper.getMainLooper()).idle()
    }
    idle()
}

/** Wait until nothing is under way on a screen. */
fun settle(activity: PlayActivity) = await("the network's answer") { !activity.isBusy }

/** So many simulations were made as there may be, or as decide a move that no other one can catch up with. */
fun assertThinks(most: Int, made: Int?) {
    assertTrue("$made of $most", made != null && made in most / 2 + 1..most)
}

val PlayActivity.play: Table get() = checkNotNull(table) { "No table: ${text(R.id.sentence)}" }

val PlayActivity.board: BoardView
    get() = findViewById<ViewGroup>(R.id.board).getChildAt(0) as BoardView

fun Activity.text(id: Int): String = findViewById<TextView>(id).text.toString()

/** The buttons that are to be seen. */
fun Activity.buttons(): List<Button> = buttonsIn(window.decorView).filter { it.isShown }

private fun buttonsIn(view: View): List<Button> = when (view) {
    is Button -> listOf(view)
    is ViewGroup -> List(view.childCount, view::getChildAt).flatMap(::buttonsIn)
    else -> emptyList()
}

/** The names of the primary ones. */
fun Activity.primary(): List<String> = buttons().filter { it.isActivated }.map { resources.getResourceEntryName(it.id) }

/** What stands in a table, row by row. */
fun Activity.rows(id: Int): List<List<String>> = findViewById<ViewGroup>(id).run {
    List(childCount) { getChildAt(it) as ViewGroup }.map { row ->
        List(row.childCount) { (row.getChildAt(it) as TextView).text.toString() }
    }
}

// What a phone's sheet has behind each tab.
private val TABS =
    mapOf(R.id.pane_moves to R.id.tab_moves, R.id.pane_analysis to R.id.tab_analysis, R.id.pane_game to R.id.tab_game)

/** A view, once a person has chosen the tab that it is behind. */
fun Activity.reach(id: Int): View {
    val view = findViewById<View>(id)
    val pane = generateSequence(view) { it.parent as? View }.firstOrNull { it.id in TABS && !it.isShown } ?: return view
    val tab = findViewById<View>(TABS.getValue(pane.id))
    if (tab.isShown) touch(tab, tab.width / 2f, tab.height / 2f)
    return view.also { idle() }
}

/** Whether a person finds a view, where they look for it. */
fun Activity.isSeen(id: Int): Boolean = reach(id).isShown

/** A person's finger on a button: it must be there and work. */
fun Activity.press(id: Int) {
    val view = reach(id)
    assertTrue("the button '${resources.getResourceEntryName(id)}' is not to be seen", view.isShown)
    assertTrue("the button '${resources.getResourceEntryName(id)}' does not work", view.isEnabled)
    touch(view, view.width / 2f, view.height / 2f)
    idle()
}

/** A person's finger on the spot of the board that plays `action`, or whose column it lies in. */
fun PlayActivity.tap(action: Int) {
    val spot = (0 until board.spots).firstOrNull { board.actionOf(it) == action }
    val bounds = RectF()
    board.boundsOf(checkNotNull(spot) { "no spot plays $action" }, bounds)
    touch(board, bounds.centerX(), bounds.centerY())
    shadowOf(Looper.getMainLooper()).idle()
}

private fun Activity.touch(view: View, x: Float, y: Float) {
    val decor = window.decorView
    view.requestRectangleOnScreen(android.graphics.Rect(0, 0, view.width, view.height), true)
    idle()
    val place = IntArray(2)
    view.getLocationInWindow(place)
    val now = SystemClock.uptimeMillis()
    for ((at, kind) in listOf(MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP).withIndex()) {
        val event = MotionEvent.obtain(now, now + 20L * at, kind, place[0] + x, place[1] + y, 0)
        decor.dispatchTouchEvent(event)
        event.recycle()
    }
}

/** A person answers what was asked: yes, or no. */
fun PlayActivity.agree(isMeant: Boolean = true) {
    val dialog = checkNotNull(asking.dialog) { "nothing was asked" }
    assertTrue("the question is to be seen", dialog.isShowing)
    dialog.getButton(if (isMeant) DialogInterface.BUTTON_POSITIVE else DialogInterface.BUTTON_NEGATIVE).performClick()
    idle()
}

/** Check that it is the person's turn, or nobody's any more. */
fun PlayActivity.assertPhase(phase: Phase) = assertEquals(phase, play.session.phase)
