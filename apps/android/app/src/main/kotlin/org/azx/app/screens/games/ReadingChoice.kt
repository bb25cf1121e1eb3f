package org.azx.app.screens.games

import android.app.Activity
import android.widget.RadioButton
import android.widget.RadioGroup
import org.azx.app.R
import org.azx.app.bundle.Doubt
import org.azx.app.bundle.Entry
import org.azx.app.play.Memory
import org.azx.app.play.Worker
import org.azx.app.screens.Dialogs
import org.azx.app.screens.ReadingWords
import org.azx.app.screens.Words
import org.azx.app.screens.add
import org.azx.app.screens.play.PlayActivity

/** Asks whether the assumed reading of a network is right, and lets it play by another one. */
class ReadingChoice(activity: Activity, private val worker: Worker) : Dialogs(activity) {
    private val words = ReadingWords(Words(activity.resources))

    fun ask(entry: Entry, doubt: Doubt) {
        val content = activity.layoutInflater.inflate(R.layout.part_readings, null)
        val group = content.findViewById<RadioGroup>(R.id.readings)
        val names = listOf(null) + doubt.others.keys
        for (name in names) add(group, doubt, name)
        group.check(names.indexOf(doubt.chosen))
        group.setOnCheckedChangeListener { _, at -> choose(entry, names[at]) }
        show {
            setTitle(R.string.reading_ask)
            setView(content)
            setNegativeButton(R.string.cancel, null)
        }
    }

    private fun add(group: RadioGroup, doubt: Doubt, name: String?) {
        group.add<RadioButton>(R.layout.item_reading).run {
            id = group.childCount - 1
            text = words.choice(doubt, name)
        }
    }

    private fun choose(entry: Entry, name: String?) {
        close()
        val app = activity.applicationContext
        worker.ask({ Memory(app, entry.name).keepReading(name) }) {
            if (!activity.isDestroyed) activity.startActivity(PlayActivity.intentForNew(activity, entry.name))
        }
    }
}
