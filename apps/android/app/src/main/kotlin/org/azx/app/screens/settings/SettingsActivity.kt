package org.azx.app.screens.settings

import android.content.Intent
import android.os.Bundle
import android.widget.Spinner
import android.widget.Switch
import org.azx.app.R
import org.azx.app.play.AppLanguage
import org.azx.app.play.Language
import org.azx.app.play.Preferences
import org.azx.app.play.Theme
import org.azx.app.screens.Screen
import org.azx.app.screens.Words
import org.azx.app.screens.offer
import org.azx.app.screens.on
import org.azx.app.screens.showIf

/** What holds for the whole app: its colours, its language, its sounds. */
class SettingsActivity : Screen(R.layout.activity_settings, R.string.app_settings) {
    private var preferences = Preferences()

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        preferences = Preferences.of(this)
        val words = Words(resources)
        findViewById<Spinner>(R.id.theme).offer(Theme.entries, { words.choice("theme_", it) }, preferences.theme) {
            choose(preferences.copy(theme = it))
        }
        findViewById<Switch>(R.id.system_colours).run {
            showIf(Preferences.isSystemColoured)
            isChecked = preferences.hasSystemColours
            setOnCheckedChangeListener { _, isOn -> choose(preferences.copy(hasSystemColours = isOn)) }
        }
        findViewById<Spinner>(R.id.language)
            .offer(Language.entries, { words.choice("language_", it) }, AppLanguage.of(this), ::speak)
        on(R.id.about_app) { startActivity(Intent(this, AboutActivity::class.java)) }
        findViewById<Switch>(R.id.sound).run {
            isChecked = preferences.hasSound
            setOnCheckedChangeListener { _, isOn -> choose(preferences.copy(hasSound = isOn)) }
        }
    }

    /** It holds at once: here by a screen that is made anew, elsewhere as soon as one is seen again. */
    private fun choose(chosen: Preferences) {
        if (chosen == preferences) return
        val before = preferences
        preferences = chosen
        chosen.keep(this)
        if (chosen.copy(hasSound = before.hasSound) != before) recreate()
    }

    private fun speak(language: Language) {
        if (language == AppLanguage.of(this)) return
        AppLanguage.choose(this, language)
        preferences = Preferences.of(this)
        if (!AppLanguage.isSystems) recreate()
    }
}
