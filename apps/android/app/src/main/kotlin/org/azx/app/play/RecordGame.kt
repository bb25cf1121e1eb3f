/** Games between records and tables. */
package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.engine.Reading
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.games.byName
import org.azx.app.engine.records.RecordError
import org.azx.app.engine.records.Written
import org.azx.app.engine.records.readRecord

/**
 * A record's game, as the text of a SavedGame, and the bundle that plays it; `isInPlace` where it would take the place
 * of a game that is under way there.
 */
class RecordGame(val bundle: String, val text: String, val isInPlace: Boolean)

/** The game of a record, for the first bundle that plays it; RecordError where there is none. Reads the disk. */
fun recordGame(context: Context, text: String): RecordGame {
    val record = readRecord(text)
    val game = byName(record.game ?: throw RecordError(RecordError.Kind.NONE))
    val states = record.states(begin(game, record.settings)).toMutableList()
    // The pass that Dots and Boxes forces is made at once, as at the table.
    while (isForcedPass(states.last())) states += states.last().run { apply(legalActions()[0]) }
    for (found in allBundles(context)) {
        if (found.entry.game != game.name) continue
        val bundle = playable { Bundle.open(found.entry, found.store) } ?: continue
        val settings = settingsBeside(bundle.reading, record.settings) ?: continue
        val kept = readSaved(Memory(context, found.entry.name).game, bundle)?.session
        return RecordGame(found.entry.name, savedText(states, settings), kept?.isUnderWay == true)
    }
    throw RecordError(RecordError.Kind.NO_NETWORK, what = game.name)
}

/** The bundle that `open` gives; null where it cannot be played, whatever the reason. */
private fun playable(open: () -> Bundle): Bundle? = try {
    open().takeIf { it.problems.isEmpty() && it.readingOrNull != null }
} catch (_: RuntimeException) {
    null
}

/** The settings of a record beside those of the network; null where these are others. */
private fun settingsBeside(reading: Reading, given: Settings): Settings? {
    val usual = reading.game.settings.associate { it.name to it.default }
    val fits = reading.settings.all { (name, value) -> (given[name] ?: usual[name]) == value }
    return if (fits) (usual + given).filterKeys { it in offeredSettings(reading.game.name) } else null
}

/** A person goes on with the side that is to move. */
private fun savedText(states: List<State>, settings: Settings): String {
    val human = if (states.last().isTerminal) 0 else states.last().toMove
    return SavedGame(Session(states, human), settings).text()
}

/** The game of a table as a record: SGF where there is such, else a line of moves. `names` are the person and the AI. */
fun recordText(opened: Opened, session: Session, settings: Settings, names: Pair<String, String>): String {
    val reading = opened.bundle.reading
    val (you, ai) = names
    val written = Written(
        reading.game,
        reading.settings + settings,
        session.states,
        resigned = session.human.takeIf { session.ending is Ending.Resigned },
        names = if (session.human == 0) you to ai else ai to you,
        dead = (session.ending as? Ending.Agreed)?.dead.orEmpty(),
    )
    return written.sgf() ?: written.line()
}
