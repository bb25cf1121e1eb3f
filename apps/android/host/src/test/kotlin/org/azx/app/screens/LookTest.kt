package org.azx.app.screens

import android.app.Activity
import android.content.Intent
import android.graphics.Bitmap
import android.graphics.Canvas
import android.graphics.Color
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.TextView
import org.azx.app.R
import org.azx.app.screens.games.GamesActivity
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import kotlin.math.max
import kotlin.math.min

/** How two colours contrast, as the Web Content Accessibility Guidelines have it. */
fun contrast(one: Int, other: Int): Float {
    val (first, second) = Color.luminance(one) to Color.luminance(other)
    return (max(first, second) + 0.05f) / (min(first, second) + 0.05f)
}

/** What can be measured of the look: a hint that can be read, and no word in capitals alone. */
class LookTest : Stage() {
    private fun games(): GamesActivity {
        val activity = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    private fun groundOf(decor: View, field: View): Int {
        val picture = Bitmap.createBitmap(decor.width, decor.height, Bitmap.Config.ARGB_8888)
        decor.draw(Canvas(picture))
        val place = IntArray(2)
        field.getLocationInWindow(place)
        return picture.getPixel(place[0] + field.width / 2, place[1] + 2)
    }

    private fun texts(view: View): List<TextView> = when (view) {
        is ViewGroup -> List(view.childCount, view::getChildAt).flatMap(::texts)
        is TextView -> listOf(view)
        else -> emptyList()
    }

    private fun assertNoCapitals(decor: View, vararg wanted: String) {
        val shown = texts(decor).filter { it.isShown && it.text.isNotEmpty() }
        val said = shown.map { it.text.toString() }
        for (text in wanted) assertTrue("'$text' is among $said", text in said)
        assertEquals(emptyList<String>(), shown.filter { it.isAllCaps }.map { it.text.toString() })
    }

    private fun openRecord(activity: Activity): View {
        shadowOf(activity).clickMenuItem(R.id.open_game)
        val dialog = checkNotNull((activity as GamesActivity).records.dialog)
        idle()
        return checkNotNull(dialog.window).decorView
    }

    @Test
    fun `a hint can be read on the ground that it stands on, in light and dark`() {
        for (mode in listOf("+notnight", "+night")) {
            RuntimeEnvironment.setQualifiers(mode)
            val activity = games()
            val find = activity.findViewById<EditText>(R.id.find).apply { visibility = View.VISIBLE }
            idle()
            val list = contrast(find.currentHintTextColor, groundOf(activity.window.decorView, find))
            assertTrue("$mode, the list: $list", list >= 4.5f)
            val decor = openRecord(activity)
            val field = decor.findViewById<EditText>(R.id.record)
            val dialog = contrast(field.currentHintTextColor, groundOf(decor, field))
            assertTrue("$mode, the dialog: $dialog", dialog >= 4.5f)
        }
    }

    @Test
    fun `no word stands in capitals alone`() {
        val activity = games()
        assertNoCapitals(activity.window.decorView, "Open a game", "Self-test")
        assertNoCapitals(openRecord(activity), "Open", "Cancel")
    }
}
