package org.azx.app.play

import android.os.Bundle
import org.azx.app.engine.records.GameRecord
import org.azx.app.play.library.Library
import org.azx.app.play.library.readGameRecord
import org.azx.app.play.library.text

/** A saved state has to be small: longer texts are left out of it. */
const val MOST_SAVED_TEXT = 50_000

private const val ID = "record"
private const val TEXT = "record text"

/**
 * The game that a screen is to show: the one called `id`, of which a screen that was ended may have saved the `text`. Without
 * an `id` it is the last game, or a new one if it `isNew`.
 */
class Wanted(val id: String?, val text: String? = null, val isNew: Boolean = false) {
    /** The library's record, unless the screen that was ended had a newer one; null if neither is there. */
    fun recordIn(library: Library): GameRecord? {
        val saved = text?.let(::readGameRecord)
        val there = (saved?.id ?: id)?.let { library[it] }
        return if (there == null || (saved != null && saved.changed > there.changed)) saved else there
    }

    /** Save the game that the screen shows, or the wanted one if it shows none yet. */
    fun save(state: Bundle, record: GameRecord?) {
        state.putString(ID, record?.id ?: id)
        state.putString(TEXT, if (record == null) text else record.text().takeIf { it.length < MOST_SAVED_TEXT })
    }

    companion object {
        /** The game that was saved. */
        fun of(state: Bundle): Wanted = Wanted(state.getString(ID), state.getString(TEXT))
    }
}
