package org.azx.app.screens.settings

import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.view.MenuItem
import android.widget.Spinner
import android.widget.Switch
import org.azx.app.R
import org.azx.app.play.Language
import org.azx.app.play.Preferences
import org.azx.app.play.Theme
import org.azx.app.screens.Screen
import org.azx.app.screens.offer

/** What holds for the whole app: its colours, its language, its sounds. */
class SettingsActivity : Screen() {
    private var preferences = Preferences()

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_settings)
        actionBar?.setDisplayHomeAsUpEnabled(true)
        title = getString(R.string.app_settings)
        preferences = Preferences.of(this)
        findViewById<Spinner>(R.id.theme).run {
            offer(Theme.entries, ::nameOf) { choose(preferences.copy(theme = it)) }
            setSelection(preferences.theme.ordinal)
        }
        findViewById<Spinner>(R.id.language).run {
            offer(Language.entries, ::nameOf) { choose(preferences.copy(language = it)) }
            setSelection(preferences.language.ordinal)
        }
        findViewById<Switch>(R.id.sound).run {
            isChecked = preferences.hasSound
            setOnCheckedChangeListener { _, isOn -> choose(preferences.copy(hasSound = isOn)) }
        }
    }

    private fun nameOf(theme: Theme): String = getString(
        when (theme) {
            Theme.SYSTEM -> R.string.theme_system
            Theme.LIGHT -> R.string.theme_light
            Theme.DARK -> R.string.theme_dark
        },
    )

    private fun nameOf(language: Language): String = getString(
        when (language) {
            Language.SYSTEM -> R.string.language_system
            Language.ENGLISH -> R.string.language_english
            Language.CHINESE -> R.string.language_chinese
        },
    )

    /** It holds at once: here by a screen that is made anew, elsewhere as soon as one is seen again. */
    private fun choose(chosen: Preferences) {
        if (chosen == preferences) return
        val before = preferences
        preferences = chosen
        chosen.keep(this)
        if (chosen.theme != before.theme || chosen.language != before.language) recreate()
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean {
        if (item.itemId != android.R.id.home) return super.onOptionsItemSelected(item)
        finish()
        return true
    }

    companion object {
        fun intent(context: Context): Intent = Intent(context, SettingsActivity::class.java)
    }
}
