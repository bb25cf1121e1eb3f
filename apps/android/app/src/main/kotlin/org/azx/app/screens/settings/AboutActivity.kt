package org.azx.app.screens.settings

import android.os.Bundle
import android.widget.TextView
import org.azx.app.R
import org.azx.app.screens.Screen

/** The app's version, what it does with a person's data, and whose licences its parts are under. */
class AboutActivity : Screen(R.layout.activity_about, R.string.about_title) {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val version = packageManager.getPackageInfo(packageName, 0).versionName.orEmpty()
        findViewById<TextView>(R.id.version).text = getString(R.string.about_version, version)
        findViewById<TextView>(R.id.licence).text = joinLines(read(R.raw.licence))
        findViewById<TextView>(R.id.notices).text = read(R.raw.notices)
    }

    private fun read(file: Int): String = resources.openRawResource(file).use { it.readBytes().decodeToString() }
}

/** A text whose paragraphs are broken into lines of 80 letters, with a line for each paragraph: a phone breaks its own. */
fun joinLines(text: String): String = text.split(Regex("\n\\s*\n")).map { paragraph ->
    paragraph.lines().map(String::trim).filter { it.isNotEmpty() }.joinToString(" ")
}.filter { it.isNotEmpty() }.joinToString("\n\n")
