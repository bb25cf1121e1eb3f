/** What a person prefers for the whole app. */
package org.azx.app.play

import android.content.Context
import android.os.Build
import android.os.StrictMode

private const val FILE = "app"

/** The colours of the app: those that the system has chosen, or always the same. */
enum class Theme { SYSTEM, LIGHT, DARK }

/** The language of the app by its tag; without one, the system's. */
enum class Language(val tag: String?) { SYSTEM(null), ENGLISH("en"), CHINESE("zh-CN") }

/**
 * `hasSound`: whether moves and the end of a game are heard; `hasSystemColours`: whether screens, except boards, are in
 * the colours that the system makes of its wallpaper.
 */
data class Preferences(
    val theme: Theme = Theme.SYSTEM,
    val language: Language = Language.SYSTEM,
    val hasSound: Boolean = false,
    val hasSystemColours: Boolean = false,
) {
    /** Remember them; the caller does not wait for the disk. */
    fun keep(context: Context) = context.getSharedPreferences(FILE, Context.MODE_PRIVATE).edit()
        .putString("theme", theme.name)
        .putString("language", language.name)
        .putBoolean("sound", hasSound)
        .putBoolean("system_colours", hasSystemColours)
        .apply()

    companion object {
        /** Whether this Android makes colours of its wallpaper. */
        val isSystemColoured: Boolean get() = Build.VERSION.SDK_INT >= Build.VERSION_CODES.S

        /** What is remembered, with defaults for what is missing or unknown. */
        fun of(context: Context): Preferences {
            // A screen cannot be drawn before its colours and its language are known: a file of four lines, whose
            // folder is made if there is none.
            val before = StrictMode.allowThreadDiskWrites()
            try {
                return from(context.getSharedPreferences(FILE, Context.MODE_PRIVATE).all)
            } finally {
                StrictMode.setThreadPolicy(before)
            }
        }

        private fun from(known: Map<String, *>): Preferences {
            val usual = Preferences()
            return Preferences(
                Theme.entries.find { it.name == known["theme"] } ?: usual.theme,
                Language.entries.find { it.name == known["language"] } ?: usual.language,
                known["sound"] as? Boolean ?: usual.hasSound,
                known["system_colours"] as? Boolean ?: usual.hasSystemColours,
            )
        }
    }
}
