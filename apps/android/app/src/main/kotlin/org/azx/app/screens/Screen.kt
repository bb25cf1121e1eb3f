/** What every activity is: in the colours and the language that the person prefers. */
package org.azx.app.screens

import android.annotation.TargetApi
import android.app.Activity
import android.content.Context
import android.content.res.Configuration
import android.os.Build
import android.os.Bundle
import android.os.LocaleList
import android.view.Menu
import android.view.MenuItem
import android.view.View
import android.view.Window
import android.view.WindowInsets
import org.azx.app.R
import org.azx.app.play.AppLanguage
import org.azx.app.play.Preferences
import org.azx.app.play.Theme
import java.util.Locale

/**
 * An activity with this layout, and this title and menu if they are fixed. It is made anew, with all that it retains, if the
 * preferences have changed while it was hidden.
 */
abstract class Screen(
    private val layout: Int,
    private val fixedTitle: Int? = null,
    private val fixedMenu: Int? = null,
) : Activity() {
    private var applied = Preferences()

    override fun attachBaseContext(base: Context) {
        super.attachBaseContext(base)
        applied = Preferences.of(base)
        overrideOf(applied)?.let(::applyOverrideConfiguration)
    }

    override fun onCreate(savedInstanceState: Bundle?) {
        if (applied.wearsSystemColours) theme.applyStyle(R.style.SystemColours, true)
        super.onCreate(savedInstanceState)
        AppLanguage.handOver(this)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) reachEdges(window)
        findViewById<View>(android.R.id.content).setOnApplyWindowInsetsListener { view, insets -> clear(view, insets) }
        setContentView(layout)
        fixedTitle?.let { setTitle(it) }
    }

    override fun onCreateOptionsMenu(menu: Menu): Boolean {
        fixedMenu?.let { menuInflater.inflate(it, menu) }
        return super.onCreateOptionsMenu(menu)
    }

    /**
     * Keep what the screen holds clear of the system's bars, cutouts, the keyboard and the action bar. The theme lays the
     * action bar over it and so adds its height to these: beside it the frame leaves out the status bar's.
     */
    @Suppress("DEPRECATION")
    private fun clear(content: View, insets: WindowInsets): WindowInsets = with(insets) {
        content.setPadding(systemWindowInsetLeft, systemWindowInsetTop, systemWindowInsetRight, systemWindowInsetBottom)
        consumeSystemWindowInsets()
    }

    override fun onStart() {
        super.onStart()
        val wanted = Preferences.of(this)
        if (wanted.look != applied.look) recreate()
    }

    /** The arrow beside the title leads back. */
    override fun onOptionsItemSelected(item: MenuItem): Boolean {
        if (item.itemId != android.R.id.home) return super.onOptionsItemSelected(item)
        finish()
        return true
    }
}

/**
 * Let the window reach behind the system's bars, as Android 15 has it of every app: one behaviour to know. It is
 * deprecated because later ones need not be asked.
 */
@Suppress("DEPRECATION")
@TargetApi(Build.VERSION_CODES.R)
private fun reachEdges(window: Window) = window.setDecorFitsSystemWindows(false)

/** The language that the app itself puts into effect; null if that is the system's affair. */
private val Preferences.ownTag: String? get() = if (AppLanguage.isSystems) null else language.tag

private val Preferences.wearsSystemColours: Boolean get() = hasSystemColours && Preferences.isSystemColoured

/** What a screen is made with: if it changes, the screen is made anew. */
private val Preferences.look: List<Any?> get() = listOf(theme, wearsSystemColours, ownTag)

/** What the preferences change of the system's configuration; null for nothing. */
private fun overrideOf(preferences: Preferences): Configuration? {
    val night = when (preferences.theme) {
        Theme.SYSTEM -> Configuration.UI_MODE_NIGHT_UNDEFINED
        Theme.LIGHT -> Configuration.UI_MODE_NIGHT_NO
        Theme.DARK -> Configuration.UI_MODE_NIGHT_YES
    }
    val tag = preferences.ownTag
    if (night == Configuration.UI_MODE_NIGHT_UNDEFINED && tag == null) return null
    return Configuration().apply {
        // Zero leaves the text size to the system, as do the other fields that are not set.
        fontScale = 0f
        uiMode = night
        if (tag != null) setLocales(LocaleList(Locale.forLanguageTag(tag)))
    }
}
