/** What every activity is: in the colours and the language that the person prefers. */
package org.azx.app.screens

import android.app.Activity
import android.content.Context
import android.content.res.Configuration
import android.os.LocaleList
import android.view.MenuItem
import org.azx.app.play.Preferences
import org.azx.app.play.Theme
import java.util.Locale

/** An activity that is made anew, with all that it retains, where the preferences have changed behind it. */
abstract class Screen : Activity() {
    private var applied = Preferences()

    override fun attachBaseContext(base: Context) {
        super.attachBaseContext(base)
        applied = Preferences.of(base)
        overrideOf(applied)?.let(::applyOverrideConfiguration)
    }

    override fun onStart() {
        super.onStart()
        val wanted = Preferences.of(this)
        if (wanted.theme != applied.theme || wanted.language != applied.language) recreate()
    }

    /** The arrow beside the title leads back. */
    override fun onOptionsItemSelected(item: MenuItem): Boolean {
        if (item.itemId != android.R.id.home) return super.onOptionsItemSelected(item)
        finish()
        return true
    }
}

/** What the preferences change of the system's configuration; null for nothing. */
private fun overrideOf(preferences: Preferences): Configuration? {
    val night = when (preferences.theme) {
        Theme.SYSTEM -> Configuration.UI_MODE_NIGHT_UNDEFINED
        Theme.LIGHT -> Configuration.UI_MODE_NIGHT_NO
        Theme.DARK -> Configuration.UI_MODE_NIGHT_YES
    }
    val tag = preferences.language.tag
    if (night == Configuration.UI_MODE_NIGHT_UNDEFINED && tag == null) return null
    return Configuration().apply {
        // Zero leaves the size of the text to the system, as what is not set leaves the rest.
        fontScale = 0f
        uiMode = night
        if (tag != null) setLocales(LocaleList(Locale.forLanguageTag(tag)))
    }
}
