package org.azx.app.screens.play

import android.graphics.Rect
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import org.azx.app.R
import org.azx.app.screens.LANDSCAPE
import org.azx.app.screens.PHONE
import org.azx.app.screens.Stage
import org.azx.app.screens.TABLET
import org.azx.app.screens.board
import org.azx.app.screens.isSeen
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment

private const val SMALL = "w360dp-h640dp-port-xhdpi"
private const val USUAL = "w412dp-h915dp-port-xhdpi"
private const val LYING = "w640dp-h360dp-land-xhdpi"

private val TABS = listOf(R.id.tab_moves, R.id.tab_analysis, R.id.tab_game)
private val PANES = listOf(R.id.pane_moves, R.id.pane_analysis, R.id.pane_game)

/** On a phone board, players and buttons stay in sight, and what is long lies behind tabs. */
class SheetTest : Stage() {
    @After
    fun restoreText() = RuntimeEnvironment.setFontScale(1f)

    private fun screen(bundle: String, qualifiers: String, scale: Float = 1f): PlayActivity {
        RuntimeEnvironment.setQualifiers("en-rUS-$qualifiers")
        RuntimeEnvironment.setFontScale(scale)
        choose(bundle)
        return play(bundle).get()
    }

    private fun PlayActivity.places(id: Int): Rect {
        val (view, place) = findViewById<View>(id) to IntArray(2)
        view.getLocationInWindow(place)
        return Rect(place[0], place[1], place[0] + view.width, place[1] + view.height)
    }

    private fun dp(pixels: Int): Int =
        (pixels / RuntimeEnvironment.getApplication().resources.displayMetrics.density).toInt()

    private val PlayActivity.chosen: List<Int> get() = TABS.filter { findViewById<View>(it).isSelected }

    private val PlayActivity.pane: View get() = findViewById(PANES.single { findViewById<View>(it).isShown })

    /** All that is to stay in sight is whole, and the sheet has room. */
    private fun assertInSight(activity: PlayActivity, leastBoard: Int, leastPane: Int) {
        val window = Rect(0, 0, activity.window.decorView.width, activity.window.decorView.height)
        val buttons = listOf(R.id.pass, R.id.undo, R.id.hint, R.id.new_game).filter {
            activity.findViewById<View>(it).isShown
        }
        assertTrue("${buttons.size} buttons", buttons.size >= 3)
        val all = listOf(R.id.status, R.id.player_one, R.id.player_two, R.id.board, R.id.tabs) + buttons + TABS
        for (id in all) {
            val (name, place) = activity.resources.getResourceEntryName(id) to activity.places(id)
            assertTrue("$name at $place is in $window", window.contains(place) && !place.isEmpty)
        }
        for (id in buttons + TABS) {
            val place = activity.places(id)
            assertTrue(
                "${dp(place.width())} x ${dp(place.height())}",
                dp(place.width()) >= 48 && dp(place.height()) >= 48,
            )
        }
        val side = dp(activity.board.height)
        assertTrue("a board of $side dp", side >= leastBoard)
        assertTrue("a pane of ${dp(activity.pane.height)} dp", dp(activity.pane.height) >= leastPane)
    }

    @Test
    fun `on phones of all sizes board, players and buttons are in sight, with text twice as large too`() {
        assertInSight(screen("go", SMALL), 240, 56)
        assertInSight(screen("go", USUAL), 388, 150)
        assertInSight(screen("go", LYING), 260, 56)
        assertInSight(screen("go", SMALL, 2f), 180, 56)
        assertInSight(screen("go", USUAL, 2f), 380, 56)
        assertInSight(screen("go", LYING, 2f), 260, 48)
    }

    @Test
    fun `what is said takes its room from the sheet, and the board keeps its size`() {
        val activity = screen("go", SMALL)
        val before = activity.board.run { width to height }
        val pane = activity.pane.height
        activity.press(R.id.hint)
        settle(activity)
        assertTrue(activity.findViewById<View>(R.id.notice).height > 0)
        assertEquals(before, activity.board.run { width to height })
        assertTrue(activity.pane.height < pane)
        assertInSight(activity, 240, 56)
    }

    @Test
    fun `a review has a sheet of at least 240 dp`() {
        for (bundle in listOf("connect4", "go")) for (device in listOf(PHONE, USUAL)) {
            val activity = screen(bundle, device)
            val before = activity.board.height
            activity.tap(activity.board.actionOf(3))
            settle(activity)
            activity.press(R.id.mode_replay)
            val sheet = dp(activity.places(R.id.sheet).height())
            assertTrue("$bundle on $device: $sheet dp", sheet >= 240)
            assertTrue("a board of ${dp(activity.board.height)} dp", dp(activity.board.height) >= 200)
            activity.press(R.id.mode_play)
            assertEquals("to play the board is as large as before", before, activity.board.height)
        }
    }

    @Test
    fun `a window that is too low for it scrolls, and the board is of use there`() {
        val activity = screen("go", "w360dp-h420dp-port-xhdpi")
        val (scroll, side) = activity.findViewById<View>(R.id.scroll) to dp(activity.board.height)
        assertTrue("a board of $side dp", side >= 190)
        assertTrue("it scrolls", scroll.canScrollVertically(1))
        activity.press(R.id.hint)
        settle(activity)
        activity.press(R.id.tab_game)
        assertTrue("a pane of ${dp(activity.pane.height)} dp", dp(activity.pane.height) >= 56)
        assertFalse("elsewhere it does not", screen("go", USUAL).findViewById<View>(R.id.scroll).canScrollVertically(1))
    }

    @Test
    fun `each tab has what belongs to it, and a scroll of its own`() {
        val activity = screen("connect4", USUAL)
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        assertEquals(listOf(R.id.tab_moves), activity.chosen)
        for ((at, id) in listOf(R.id.move_list, R.id.graph, R.id.strength).withIndex()) {
            activity.press(TABS[at])
            assertEquals(listOf(TABS[at]), activity.chosen)
            assertTrue(activity.findViewById<View>(id).isShown)
            assertEquals(PANES[at], activity.pane.id)
        }
        val inside = (activity.pane as ViewGroup).getChildAt(0)
        assertTrue("it is longer than its room", inside.height > activity.pane.height)
        val board = activity.places(R.id.board)
        activity.pane.scrollTo(0, 200)
        assertEquals("the board stays", board, activity.places(R.id.board))
    }

    @Test
    fun `what comes up brings its tab to the front`() {
        val activity = screen("connect4", USUAL)
        activity.tap(activity.board.actionOf(3))
        settle(activity)
        activity.press(R.id.tab_game)
        activity.press(R.id.hint)
        settle(activity)
        assertEquals(listOf(R.id.tab_analysis), activity.chosen)
        assertTrue(activity.findViewById<View>(R.id.candidates).isShown)
        activity.press(R.id.mode_replay)
        assertEquals(listOf(R.id.tab_moves), activity.chosen)
    }

    @Test
    fun `the tab that is chosen stays chosen while the device is turned`() {
        RuntimeEnvironment.setQualifiers(USUAL)
        choose("connect4")
        val controller = play("connect4")
        controller.get().press(R.id.tab_game)
        val lying = turn(controller, LANDSCAPE)
        assertEquals(listOf(R.id.tab_game), lying.chosen)
        lying.press(R.id.tab_analysis)
        assertEquals(listOf(R.id.tab_analysis), turn(controller, USUAL).chosen)
    }

    @Test
    fun `a screen reader hears which of the tabs is chosen`() {
        val activity = screen("connect4", USUAL)
        activity.press(R.id.tab_analysis)
        val tabs = activity.findViewById<View>(R.id.tabs).createAccessibilityNodeInfo()
        assertEquals("android.widget.TabWidget", tabs.className)
        assertEquals(3, tabs.collectionInfo.columnCount)
        for ((at, id) in TABS.withIndex()) {
            val node = activity.findViewById<Button>(id).createAccessibilityNodeInfo()
            assertEquals(listOf("Moves", "Analysis", "Game")[at], node.text.toString())
            assertEquals(at, node.collectionItemInfo.columnIndex)
            assertEquals(at == 1, node.isSelected)
            assertEquals(at == 1, node.collectionItemInfo.isSelected)
        }
    }

    @Test
    fun `a tablet has all of it beside the board`() {
        val activity = screen("connect4", TABLET)
        assertNull(activity.findViewById(R.id.sheet))
        for (id in listOf(R.id.mode_replay, R.id.graph, R.id.strength)) assertTrue(activity.isSeen(id))
    }
}
