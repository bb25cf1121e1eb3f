package org.azx.app.screens

import android.app.Activity
import android.content.Intent
import android.graphics.Insets
import android.graphics.Rect
import android.os.Build
import android.view.View
import android.view.View.MeasureSpec
import android.view.ViewGroup
import android.view.WindowInsets
import org.azx.app.screens.games.GamesActivity
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.settings.AboutActivity
import org.azx.app.screens.settings.SettingsActivity
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.util.ReflectionHelpers

private const val STATUS = 60
private const val NAVIGATION = 96
private const val CUTOUT = 80
private const val KEYBOARD = 500

/** The window reaches behind the system's bars, and no screen has anything of its own there; and the way back. */
class InsetsTest : Stage() {
    private val screens: List<Pair<Class<out Activity>, Intent>> get() = listOf(
        GamesActivity::class.java to Intent(app, GamesActivity::class.java),
        PlayActivity::class.java to PlayActivity.intent(app, "tictactoe"),
        SettingsActivity::class.java to Intent(app, SettingsActivity::class.java),
        AboutActivity::class.java to Intent(app, AboutActivity::class.java),
        SelfTestActivity::class.java to SelfTestActivity.intent(app, "tictactoe"),
    )

    private fun each(test: (Activity) -> Unit) {
        choose("tictactoe")
        for ((screen, intent) in screens) {
            val activity = start(screen, intent).get()
            if (activity is PlayActivity) settle(activity)
            test(activity)
        }
    }

    /** What the system says of its bars, and a pass of layout after it. */
    private fun inset(activity: Activity, insets: WindowInsets) {
        val decor = activity.window.decorView
        decor.dispatchApplyWindowInsets(insets)
        val exactly = { size: Int -> MeasureSpec.makeMeasureSpec(size, MeasureSpec.EXACTLY) }
        decor.measure(exactly(decor.width), exactly(decor.height))
        decor.layout(0, 0, decor.width, decor.height)
    }

    private fun boundsOf(view: View): Rect {
        val place = IntArray(2)
        view.getLocationInWindow(place)
        return Rect(place[0], place[1], place[0] + view.width, place[1] + view.height)
    }

    /** What the layout of a screen begins with, its paddings and all. */
    private fun rootOf(activity: Activity): View = activity.findViewById<ViewGroup>(android.R.id.content).getChildAt(0)

    private fun barOf(activity: Activity): View {
        val id = activity.resources.getIdentifier("action_bar_container", "id", "android")
        return activity.window.decorView.findViewById(id)
    }

    private fun fits(activity: Activity): Boolean =
        ReflectionHelpers.getField(activity.window, "mDecorFitsSystemWindows")

    /** Whatever a window reaches, what it holds begins below the status bar and the action bar, and ends above the rest. */
    private fun assertClear(activity: Activity) {
        val name = activity.javaClass.simpleName
        inset(
            activity,
            WindowInsets.Builder().setInsets(WindowInsets.Type.statusBars(), Insets.of(0, STATUS, 0, 0))
                .setInsets(WindowInsets.Type.navigationBars(), Insets.of(0, 0, 0, NAVIGATION)).build(),
        )
        val (decor, root) = activity.window.decorView to boundsOf(rootOf(activity))
        val bar = activity.actionBar!!.height
        assertTrue("$name has an action bar", bar > 0)
        assertEquals("$name has its action bar below the status bar", STATUS, boundsOf(barOf(activity)).top)
        assertEquals("$name begins below the status bar and the action bar", STATUS + bar, root.top)
        assertEquals("$name ends above the navigation bar", decor.height - NAVIGATION, root.bottom)
        assertEquals("$name has the whole width", decor.width, root.width())
    }

    @Test
    fun `nothing of a screen is behind the bars, upright`() = each { activity ->
        assertEquals("${activity.javaClass.simpleName} reaches behind the bars", false, fits(activity))
        assertClear(activity)
    }

    @Test
    fun `so it is where windows end at the bars, before Android 11`() = asOn(Build.VERSION_CODES.Q) {
        each { activity ->
            assertEquals("${activity.javaClass.simpleName} ends at the bars", true, fits(activity))
            assertClear(activity)
        }
    }

    @Test
    fun `nothing of a screen is behind the bars and a cutout, on its side`() {
        RuntimeEnvironment.setQualifiers("+land")
        each { activity ->
            inset(
                activity,
                WindowInsets.Builder().setInsets(WindowInsets.Type.statusBars(), Insets.of(0, STATUS, 0, 0))
                    .setInsets(WindowInsets.Type.navigationBars(), Insets.of(CUTOUT, 0, NAVIGATION, 0)).build(),
            )
            val (name, root) = activity.javaClass.simpleName to boundsOf(rootOf(activity))
            assertEquals("$name begins beside what is on the left", CUTOUT, root.left)
            assertEquals(name, activity.window.decorView.width - NAVIGATION, root.right)
            assertEquals(name, activity.window.decorView.height, root.bottom)
        }
    }

    @Test
    fun `the keyboard takes its room from the list of games`() {
        val activity = start(GamesActivity::class.java).get()
        assertEquals(
            android.view.WindowManager.LayoutParams.SOFT_INPUT_ADJUST_RESIZE,
            activity.window.attributes.softInputMode and
                android.view.WindowManager.LayoutParams.SOFT_INPUT_MASK_ADJUST,
        )
        // What the framework makes of a keyboard where a window is resized for it.
        inset(
            activity,
            WindowInsets.Builder().setSystemWindowInsets(Insets.of(0, STATUS, 0, KEYBOARD)).build(),
        )
        assertEquals(activity.window.decorView.height - KEYBOARD, boundsOf(rootOf(activity)).bottom)
    }

    @Test
    fun `the system's way back, which it may show beforehand, leads out of every screen`() = each { activity ->
        @Suppress("DEPRECATION")
        activity.onBackPressed()
        assertTrue(activity.javaClass.simpleName, activity.isFinishing)
    }
}
