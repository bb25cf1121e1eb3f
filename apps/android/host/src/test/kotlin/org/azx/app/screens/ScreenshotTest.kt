package org.azx.app.screens

import android.graphics.RectF
import android.os.SystemClock
import android.view.MotionEvent
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.CHOOSABLE
import org.azx.app.bundle.GivenBundles
import org.azx.app.bundle.Member
import org.azx.app.bundle.Problem
import org.azx.app.bundle.SMALL
import org.azx.app.bundle.Store
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.timeText
import org.azx.app.play.Assets
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Memory
import org.azx.app.play.Newcomer
import org.azx.app.play.Preferences
import org.azx.app.play.RecordGame
import org.azx.app.play.Strength
import org.azx.app.play.bundleOf
import org.azx.app.play.recordGame
import org.azx.app.play.startSession
import org.azx.app.play.table.KeptSeries
import org.azx.app.play.table.Tally
import org.azx.app.play.table.offer
import org.azx.app.play.table.pause
import org.azx.app.play.table.replay
import org.azx.app.play.table.restore
import org.azx.app.screens.games.GamesActivity
import org.azx.app.screens.library.LibraryActivity
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.settings.AboutActivity
import org.azx.app.screens.settings.SettingsActivity
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.RuntimeEnvironment
import java.io.File
import java.io.FileNotFoundException

// Noon in Greenwich is the same day wherever this is run.
private const val DAY = 1_795_608_000_000L
private const val UPRIGHT = "w800dp-h1280dp-port-mdpi"

/** Every screen on a phone and a tablet, in light and dark, against golden images. Nothing on them is drawn by lot. */
class ScreenshotTest : Pictures() {
    @get:Rule
    val temporary = TemporaryFolder()

    private val usualGiven = Assets.given
    private val connect4 = intArrayOf(38, 31, 24, 37, 39, 36, 40, 41, 32, 17)
    private val dots = intArrayOf(0, 5, 16, 8, 3, 12, 13, 24, 21)
    private val gomoku = intArrayOf(112, 113, 97, 127, 96, 111, 126, 82, 98, 99, 95, 94)
    private val go = intArrayOf(20, 60, 24, 56, 38, 42, 29, 33, 47, 51, 11, 15, 30, 21, 22, 31, 39, 13, 12, 40)

    private fun games(store: ((Store) -> Store)? = null): GamesActivity {
        if (store != null) Assets.store = { Guarded(store(AssetStore(it.assets))) }
        return listOfBundles()
    }

    private fun listOfBundles(): GamesActivity {
        val activity = start(GamesActivity::class.java).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    @Test
    fun `the list of games`() {
        remember("go", 0, 40, 41)
        remember("tictactoe", 0, 0, 3, 1, 4, 2)
        look(PHONE, LIGHT)
        compare(games(), "games-phone-light")
        look(PHONE, DARK)
        compare(games(), "games-phone-dark")
        look(TABLET, LIGHT)
        compare(games(), "games-tablet-light")
    }

    @Test
    fun `a list of many, some of them opened on the device`() {
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            val given = GivenBundles(temporary.newFolder())
            Assets.given = { given }
            elsewhere {
                for (bundle in listOf("connect4", "connect4", "tictactoe")) {
                    val files = File(BUNDLES, bundle).listFiles()!!.filter { it.isFile }
                    val members = files.map { file -> Member(file.name, file.length()) { file.inputStream() } }
                    given.take(members, bundle, given.entries().map { it.name } + listOf("connect4", "tictactoe"))
                }
            }
            look(PHONE, theme)
            compare(games(), "games-many-phone-$name")
        }
        Assets.given = usualGiven
    }

    @Test
    fun `the question before a new game`() {
        for ((name, theme) in listOf("light" to LIGHT, "dark" to DARK)) {
            look(PHONE, theme)
            val activity = screen("connect4", 0, connect4)
            activity.press(R.id.new_game)
            rest()
            val dialog = checkNotNull(activity.asking.dialog?.window).decorView
            Goldens.compare(dialog, "connect4-terms-phone-$name")
            activity.finish()
            val bundle = if (theme == LIGHT) "go" else "hex"
            choose(bundle, Choices(Strength.LEVEL_4, Begins.YOU))
            val other = play(bundle).get()
            other.press(R.id.new_game)
            rest()
            val asked = checkNotNull(other.asking.dialog?.window).decorView
            Goldens.compare(asked, if (theme == LIGHT) "go-terms-phone-light" else "hex-terms-phone-dark")
            other.finish()
        }
    }

    @Test
    fun `the list without games, and with one that cannot be opened`() {
        look(PHONE, LIGHT)
        val none = games { Without(it, "index.json") }
        compare(none, "games-none-phone-light")
        none.findViewById<View>(R.id.open_here).performClick()
        assertTrue("an empty list leads to what fills it", checkNotNull(none.bundles.dialog).isShowing)
        look(PHONE, DARK)
        compare(games { Without(it, "connect4/manifest.json") }, "games-damaged-phone-dark")
    }

    @Test
    fun `the list with what cannot be played`() {
        install(temporary.root) {
            put(File(BUNDLES, "tictactoe"), emptyList())
            put(File(SMALL, "two_inputs"), listOf(Problem("no_game"), Problem("inputs", 2)))
            put(File(BUNDLES, "connect4"), listOf(Problem("size", 84, 42)), "connect4")
            put(File(BUNDLES, "go"), null, "other", "\"android\"" to "\"other\"")
        }
        look(PHONE, LIGHT)
        compare(listOfBundles(), "games-unplayable-phone-light")
        look(PHONE, DARK)
        compare(listOfBundles(), "games-unplayable-phone-dark")
        look(PHONE, LIGHT, "zh-rCN")
        compare(listOfBundles(), "games-unplayable-phone-chinese")
    }

    @Test
    fun `Connect4 on a phone, with a hint and while the device is turned`() {
        look(PHONE, LIGHT)
        val activity = screen("connect4", 0, connect4)
        compare(activity, "connect4-phone-light")
        look(PHONE, DARK)
        val hinted = screen("connect4", 0, connect4)
        hinted.press(R.id.hint)
        settle(hinted)
        compare(hinted, "connect4-hint-phone-dark")
        look(LANDSCAPE, LIGHT)
        compare(screen("connect4", 0, connect4), "connect4-landscape-light")
    }

    @Test
    fun `a thought under way`() {
        val hold = Hold(312)
        watch(hold::before)
        look(PHONE, LIGHT)
        choose("connect4", Choices(Strength.SIMULATIONS_800, Begins.AI))
        remember("connect4", 1, *connect4.take(4).toIntArray(), rates = rates)
        val activity = start(PlayActivity::class.java, PlayActivity.intent(app, "connect4")).get()
        try {
            await("the network's pause") { hold.isReached }
            compare(activity, "connect4-thinking-phone-light")
            activity.press(R.id.stop)
        } finally {
            hold.release()
        }
        settle(activity)
        assertEquals("one move, as it was stopped", 5, activity.play.session.moves)
    }

    @Test
    fun `a network that has failed`() {
        watch { throw BundleError("error_no_number", "connect4") }
        look(PHONE, DARK)
        choose("connect4", Choices(Strength.POLICY, Begins.AI))
        compare(play("connect4").get(), "connect4-failed-phone-dark")
    }

    @Test
    fun `Connect4 on a tablet`() {
        look(TABLET, LIGHT)
        compare(screen("connect4", 0, connect4), "connect4-tablet-light")
        look(TABLET, DARK)
        compare(screen("connect4", 0, connect4), "connect4-tablet-dark")
        look(UPRIGHT, LIGHT)
        compare(screen("connect4", 0, connect4), "connect4-tablet-upright-light")
    }

    @Test
    fun `Connect4 won, in a replay`() {
        look(PHONE, LIGHT)
        val activity = screen("connect4", 0, intArrayOf(38, 37, 31, 30, 24, 23))
        activity.tap(activity.board.actionOf(3))
        rest()
        compare(activity, "connect4-won-phone-light")
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        compare(activity, "connect4-replay-phone-light")
    }

    private fun reviewGame(language: String = "en-rUS", theme: String = LIGHT, device: String = PHONE): PlayActivity {
        look(device, theme, language)
        val activity = screen("connect4", 0, intArrayOf(38, 37, 31, 30, 24, 23, 17))
        activity.press(R.id.analyse)
        settle(activity)
        activity.press(R.id.next_mistake)
        return activity
    }

    @Test
    fun `a game that was analysed`() {
        compare(reviewGame().bring(R.id.status), "connect4-mistake-phone-light")
        val dark = reviewGame(theme = DARK)
        compare(dark.bring(R.id.status), "connect4-mistake-phone-dark")
        compare(dark.bring(R.id.graph_title), "connect4-review-phone-dark")
        compare(reviewGame("zh-rCN").bring(R.id.graph_title), "connect4-review-phone-chinese")
        compare(reviewGame(device = TABLET), "connect4-review-tablet-light")
        RuntimeEnvironment.setFontScale(2f)
        compare(reviewGame().bring(R.id.verdicts), "connect4-review-phone-large-text")
        RuntimeEnvironment.setFontScale(1f)
    }

    @Test
    fun `a mistake that is tried again`() {
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            val activity = reviewGame(theme = theme)
            activity.press(R.id.retry)
            compare(activity.bring(R.id.line), "connect4-retry-phone-$name")
            activity.tap(checkNotNull(activity.play.retry?.mistake?.better))
            settle(activity)
            compare(activity.bring(R.id.line), "connect4-retry-good-phone-$name")
        }
    }

    @Test
    fun `live analysis, where the game is over`() {
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            val activity = reviewGame(theme = theme)
            activity.press(R.id.end)
            activity.press(R.id.live)
            compare(activity.bring(R.id.review), "connect4-live-phone-$name")
        }
    }

    @Test
    fun `an analysis under way`() {
        val hold = Hold(420)
        watch(hold::before)
        look(PHONE, LIGHT)
        val activity = screen("connect4", 0, intArrayOf(38, 37, 31, 30, 24, 23, 17))
        try {
            activity.press(R.id.analyse)
            await("the network's pause") { hold.isReached }
            compare(activity.bring(R.id.review_status), "connect4-analysing-phone-light")
            activity.press(R.id.stop_review)
        } finally {
            hold.release()
        }
        settle(activity)
    }

    @Test
    fun `candidates of a hint`() {
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            look(PHONE, theme)
            val activity = screen("connect4", 0, connect4)
            activity.press(R.id.hint)
            settle(activity)
            compare(activity.bring(R.id.candidates), "connect4-candidates-phone-$name")
        }
        look(PHONE, LIGHT)
        val end = screen("dots_and_boxes", 0, intArrayOf(0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19))
        end.press(R.id.hint)
        settle(end)
        compare(end.bring(R.id.candidates), "dots_and_boxes-candidates-phone-light")
        val activity = screen("gomoku", 0, gomoku)
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "gomoku-hint-phone-light")
    }

    @Test
    fun `a line that is tried out`() {
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            look(PHONE, theme)
            val activity = screen("tictactoe", 0, intArrayOf(4, 0, 8, 2))
            activity.press(R.id.mode_replay)
            repeat(2) { activity.press(R.id.back) }
            activity.tap(5)
            compare(activity.bring(R.id.line), "tictactoe-line-phone-$name")
        }
        look(TABLET, LIGHT)
        val activity = screen("gomoku", 0, gomoku)
        activity.press(R.id.mode_replay)
        activity.press(R.id.back)
        activity.tap(140)
        compare(activity, "gomoku-line-tablet-light")
    }

    @Test
    fun `results of the other games`() {
        look(PHONE, DARK)
        compare(screen("tictactoe", 1, intArrayOf(0, 3, 1, 4, 2)), "tictactoe-lost-phone-dark")
        compare(screen("dots_and_boxes", 0, dotsToTheEnd()), "dots_and_boxes-over-phone-dark")
        look(TABLET, LIGHT)
        compare(screen("connect4", 0, intArrayOf(38, 37, 31, 30, 24, 23, 17)), "connect4-won-tablet-light")
        look(PHONE, LIGHT, "zh-rCN")
        val five = intArrayOf(112, 0, 113, 14, 114, 210, 115, 224, 116)
        compare(screen("gomoku", 0, five), "gomoku-won-phone-chinese")
    }

    /** Whatever is free, in order: the passes are played by the session itself. */
    private fun dotsToTheEnd(): IntArray {
        var session = startSession(startDotsAndBoxes(3), 0)
        while (!session.latest.isTerminal) session = session.play(session.latest.legalActions()[0])
        return session.actions.toIntArray()
    }

    @Test
    fun `the lens over small points`() {
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            look(PHONE, theme)
            val activity = screen("gomoku", 0, gomoku)
            val bounds = RectF().also { activity.board.boundsOf(128, it) }
            val now = SystemClock.uptimeMillis()
            val down = MotionEvent.obtain(now, now, MotionEvent.ACTION_DOWN, bounds.centerX(), bounds.centerY(), 0)
            activity.board.dispatchTouchEvent(down)
            rest()
            compare(activity, "gomoku-lens-phone-$name")
            down.action = MotionEvent.ACTION_CANCEL
            activity.board.dispatchTouchEvent(down)
        }
        compare(screen("gomoku", 0, gomoku), "gomoku-phone-dark")
    }

    @Test
    fun `a game that is watched`() {
        look(PHONE, LIGHT)
        compare(screen("connect4", NOBODY, connect4), "connect4-watched-phone-light")
        look(PHONE, DARK)
        compare(screen("dots_and_boxes", NOBODY, dots), "dots_and_boxes-watched-phone-dark")
    }

    @Test
    fun `a series, and the question before it`() {
        install(temporary.root) {
            for (name in listOf("tictactoe", "run-17")) put(File(BUNDLES, "tictactoe"), null, name)
        }
        for ((theme, name) in listOf(LIGHT to "light", DARK to "dark")) {
            look(PHONE, theme)
            choose("tictactoe", Choices(Strength.POLICY, Begins.WATCH, sides = seriesSides, count = 10))
            val id = remember("tictactoe", NOBODY, 4, 0, 8)
            val record = checkNotNull(library[id])
            library.keep(record.copy(identity = record.identity.copy(sides = seriesSides)))
            val activity = play("tictactoe").get()
            val openings = hashMapOf(3 to listOf(4, 0))
            activity.play.restore(KeptSeries(seriesSides, 10, HashMap(), openings, Tally(3 to 2, 1), 6, false, id))
            activity.play.pause(true)
            activity.play.replay(true)
            activity.play.replay(false)
            rest()
            compare(activity.bring(R.id.series), "tictactoe-series-phone-$name")
            activity.press(R.id.new_game)
            rest()
            val dialog = checkNotNull(activity.asking.dialog?.window).decorView
            Goldens.compare(dialog, "tictactoe-sides-phone-$name")
            activity.finish()
        }
    }

    @Test
    fun `the settings of the app`() {
        look(PHONE, LIGHT)
        compare(start(SettingsActivity::class.java).get(), "settings-phone-light")
        look(PHONE, DARK, "zh-rCN")
        compare(start(SettingsActivity::class.java).get(), "settings-phone-chinese")
        look(PHONE, LIGHT)
        compare(start(AboutActivity::class.java).get(), "about-phone-light")
    }

    @Test
    fun `how a network sees the board, where that is not known`() {
        install(temporary.root) {
            val choosable = "\"checkpoint\": {" to "$CHOOSABLE \"checkpoint\": {"
            put(File(BUNDLES, "tictactoe"), emptyList(), "tictactoe", choosable)
        }
        elsewhere { Memory(app, "tictactoe").keepReading("tictactoe-signed-opponent") }
        look(PHONE, LIGHT)
        val activity = listOfBundles()
        compare(activity, "games-doubt-phone-light")
        activity.findViewById<View>(R.id.reading).performClick()
        rest()
        Goldens.compare(checkNotNull(activity.readings.dialog?.window).decorView, "games-readings-phone-light")
        look(PHONE, DARK, "zh-rCN")
        val chinese = listOfBundles()
        chinese.findViewById<View>(R.id.reading).performClick()
        rest()
        Goldens.compare(checkNotNull(chinese.readings.dialog?.window).decorView, "games-readings-phone-chinese")
    }

    @Test
    fun `the system's colours, except on boards`() {
        elsewhere { Preferences(hasSystemColours = true).keep(app) }
        look(PHONE, LIGHT)
        compare(screen("connect4", 0, connect4), "connect4-system-colours-phone-light")
        remember("go", 0, 40, 41)
        look(PHONE, DARK)
        compare(games(), "games-system-colours-phone-dark")
    }

    @Test
    fun `Tic-tac-toe`() {
        look(PHONE, LIGHT)
        compare(screen("tictactoe", 0, intArrayOf(4, 0, 8, 2)), "tictactoe-phone-light")
        look(TABLET, LIGHT)
        compare(screen("tictactoe", 0, intArrayOf(4, 0, 8, 2)), "tictactoe-tablet-light")
        look(PHONE, DARK)
        val activity = screen("tictactoe", 0, intArrayOf(4, 0))
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "tictactoe-hint-phone-dark")
    }

    @Test
    fun `Dots and Boxes`() {
        look(PHONE, LIGHT)
        compare(screen("dots_and_boxes", 0, dots + 22), "dots_and_boxes-phone-light")
        look(TABLET, DARK)
        val activity = screen("dots_and_boxes", 0, dots + 22)
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "dots_and_boxes-hint-tablet-dark")
    }

    @Test
    fun `Gomoku with the Renju rule`() {
        val renju = mapOf("rule" to "renju")
        look(PHONE, LIGHT)
        val activity = screen("gomoku", 0, intArrayOf(110, 0, 111, 14, 82, 210, 97, 224), renju)
        activity.tap(112)
        compare(activity, "gomoku-forbidden-phone-light")
        look(TABLET, LIGHT)
        compare(screen("gomoku", 0, gomoku), "gomoku-tablet-light")
        look(TABLET, DARK)
        compare(screen("gomoku", 0, gomoku), "gomoku-tablet-dark")
    }

    @Test
    fun `Go`() {
        look(PHONE, LIGHT)
        compare(screen("go", 0, go), "go-phone-light")
        look(TABLET, DARK)
        compare(screen("go", 0, go), "go-tablet-dark")
        look(PHONE, DARK)
        val activity = screen("go", 0, go + intArrayOf(48, 81))
        activity.press(R.id.pass)
        settle(activity)
        compare(activity, "go-dead-phone-dark")
        activity.press(R.id.agree)
        compare(activity, "go-score-phone-dark")
    }

    /** A game of each kind, of one day. */
    private fun fillLibrary() {
        val games = listOf(
            remember("connect4", 0, *connect4), remember("dots_and_boxes", 0, *dots), remember("gomoku", 1, *gomoku),
            remember("go", 0, *go), remember("tictactoe", 0, 0, 3, 1, 4, 2), remember("reversi", NOBODY, 19, 18, 17),
            remember("hex", 0, 24, 17, 30),
        )
        games.forEachIndexed { at, id ->
            val record = checkNotNull(library[id])
            val identity = record.identity.copy(begun = timeText(DAY - at * 86_400_000L))
            library.keep(record.copy(identity = identity, changed = identity.begun))
        }
    }

    private fun library(): LibraryActivity {
        val activity = start(LibraryActivity::class.java).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    @Test
    fun `the library`() {
        look(PHONE, LIGHT)
        compare(library(), "library-empty-phone-light")
        fillLibrary()
        compare(library(), "library-phone-light")
        look(PHONE, DARK)
        val activity = library()
        activity.findViewById<ViewGroup>(R.id.list).getChildAt(1).findViewById<View>(R.id.delete).performClick()
        compare(activity, "library-deleted-phone-dark")
        look(PHONE, LIGHT, "zh-rCN")
        RuntimeEnvironment.setFontScale(2f)
        compare(library(), "library-phone-chinese-large-text")
        RuntimeEnvironment.setFontScale(1f)
    }

    @Test
    fun `other people's game`() {
        val text = "(;GM[1]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]EV[A cup]DT[1933-10-16]RE[B+R]RU[Japanese];B[ee]" +
            "C[The centre, of all points.](;W[ec];B[cc];W[ce])(;W[gg];B[gc]))"
        var found: RecordGame? = null
        elsewhere { found = recordGame(app, text) }
        for ((device, theme) in listOf(PHONE to LIGHT, UPRIGHT to DARK)) {
            look(device, theme)
            val activity = start(PlayActivity::class.java, PlayActivity.intent(app, checkNotNull(found))).get()
            settle(activity)
            activity.press(R.id.first)
            activity.press(R.id.forward)
            compare(activity, if (theme == LIGHT) "record-phone-light" else "record-upright-dark")
        }
    }

    @Test
    fun `stones that were set up before the first move`() {
        var found: RecordGame? = null
        elsewhere {
            found = recordGame(app, "(;GM[1]SZ[9]HA[2]AB[gc][cg]KM[0.5]PB[Ann]PW[Ben]RE[W+2];W[ee];B[dd];W[ec];B[cc])")
        }
        look(PHONE, LIGHT)
        val activity = start(PlayActivity::class.java, PlayActivity.intent(app, checkNotNull(found))).get()
        settle(activity)
        activity.press(R.id.first)
        compare(activity.bring(R.id.move_list), "handicap-phone-light")
    }

    @Test
    fun `in Chinese`() {
        look(PHONE, LIGHT, "zh-rCN")
        compare(screen("gomoku", 0, gomoku), "gomoku-phone-chinese")
    }

    @Test
    fun `with text twice as large`() {
        look(PHONE, LIGHT)
        RuntimeEnvironment.setFontScale(2f)
        compare(screen("go", 0, go), "go-phone-large-text")
        RuntimeEnvironment.setFontScale(1f)
    }

    @Test
    fun `a network that has come while a game is on the board`() {
        for ((device, name) in listOf(PHONE to "phone-light", TABLET to "tablet-dark")) {
            look(device, if (device == PHONE) LIGHT else DARK)
            val activity = screen("go", 0, go)
            var bundle: Bundle? = null
            elsewhere { bundle = bundleOf(app, "go") }
            activity.play.offer(Newcomer(checkNotNull(bundle), Choices()))
            compare(activity, "go-offer-$name")
        }
    }

    @Test
    fun `on the smallest phones`() {
        look("w360dp-h640dp-port-xhdpi", LIGHT)
        val activity = screen("go", 0, go)
        activity.press(R.id.hint)
        settle(activity)
        compare(activity, "go-small-phone-light")
        look("w640dp-h360dp-land-xhdpi", DARK)
        RuntimeEnvironment.setFontScale(2f)
        val lying = screen("connect4", 0, connect4)
        lying.press(R.id.tab_game)
        compare(lying, "connect4-small-lying-large-text")
        RuntimeEnvironment.setFontScale(1f)
    }

    @Test
    fun `the self-test`() {
        look(PHONE, LIGHT)
        val activity = start(SelfTestActivity::class.java, SelfTestActivity.intent(app, "connect4")).get()
        await("the self-test") { !activity.isBusy }
        // How fast this machine is belongs to no golden image.
        val rows = activity.findViewById<ViewGroup>(R.id.results)
        val figures =
            listOf("TensorFlow Lite 2.6.2, CPU, 1 thread", "2.4e-06", "20 of 20", "1.20", "1.45", "820", "790")
        assertEquals(figures.size, rows.childCount - 1)
        figures.forEachIndexed { at, figure -> rows.getChildAt(at + 1).findViewById<TextView>(R.id.figure).say(figure) }
        compare(activity, "self-test-phone-light")
    }

    private class Without(private val store: Store, private val missing: String) : Store by store {
        override fun open(path: String) = if (path == missing) throw FileNotFoundException(path) else store.open(path)
    }
}
