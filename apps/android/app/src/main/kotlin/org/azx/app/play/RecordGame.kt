/** Games between texts, records and tables. */
package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.engine.Game
import org.azx.app.engine.Settings
import org.azx.app.engine.addForcedPasses
import org.azx.app.engine.begin
import org.azx.app.engine.games.byName
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.READER
import org.azx.app.engine.records.RecordError
import org.azx.app.engine.records.Written
import org.azx.app.engine.records.newIdentity
import org.azx.app.engine.records.readBeside
import org.azx.app.engine.records.readRecord
import org.azx.app.play.library.Library

/** A record of the library by its `id`, and the bundle that plays it. */
class RecordGame(val bundle: String, val id: String)

/** Put the game of a text into the library, and find a bundle that plays it; RecordError if there is none. Reads the disk. */
fun recordGame(context: Context, text: String): RecordGame {
    val library = Assets.library(context).open()
    val found = readGame(text)
    val bundle = bundleOf(context, found)
    val record = library.same(found) ?: found
    if (record.id !in library) library.keep(record)
    return RecordGame(bundle, record.id)
}

/** A record of the library and a bundle that plays it; RecordError if there is none. Reads the disk. */
fun recordGame(context: Context, record: GameRecord): RecordGame = RecordGame(bundleOf(context, record), record.id)

/** The game that a text records; no side is played here. RecordError if the text is no record. */
internal fun readGame(text: String): GameRecord {
    val record = readRecord(text)
    val game = byName(record.game ?: throw RecordError(RecordError.Kind.NONE))
    val settings = allSettings(game, record.settings)
    val states = record.states(begin(game, settings)).toMutableList()
    // The pass that Dots and Boxes forces is made at once, as at the table.
    states.addForcedPasses()
    val session = Session(states, READER, ending = endOf(record.result), names = record.names, setUp = record.setUp)
    return shelveRead(session, newIdentity(Origin.OPENED, readBeside(text, states, record.setUp)), game, settings)
}

private val DRAWN = Regex("0|draw|jigo", RegexOption.IGNORE_CASE)
private val WON = Regex("([BW])\\+.*", RegexOption.IGNORE_CASE)

/** The end that SGF's RE gives; null if it gives none, so that the rules decide. */
private fun endOf(result: String): Ending? {
    if (DRAWN.matches(result)) return Ending.Told(result, null)
    val side = WON.matchEntire(result)?.groupValues?.get(1) ?: return null
    return Ending.Told(result, "BW".indexOf(side.uppercase()))
}

/** The record of the same text if it was opened before; else null. */
private fun Library.same(found: GameRecord): GameRecord? = list().find {
    it.isRead && !it.isOfTwo && it.game == found.game && it.actions == found.actions && it.setUp == found.setUp &&
        found.settings.all { (name, value) -> isSame(it.settings[name], value) } &&
        it.identity.beside.told == found.identity.beside.told
}

/** The name of a bundle that plays a record: its own, or the first that could. RecordError if none can. */
private fun bundleOf(context: Context, record: GameRecord): String {
    val (own, others) = allBundles(context).filter { it.entry.game == record.game }
        .partition { nameOf(it.entry) == record.bundle }
    val found = (own + others).find { stored ->
        playable { stored.open(context) }?.reading?.plays(record) == true
    }
    return found?.entry?.name ?: throw RecordError(RecordError.Kind.NO_NETWORK, what = record.game)
}

/**
 * Put a game against a network into the library, which goes on from `kept`; that also names the person's side.
 * RecordError if no bundle plays its board. Reads the disk.
 */
fun playAgainst(context: Context, kept: Kept, game: Game): RecordGame {
    val board = shelveRead(kept.session, kept.identity, game, allSettings(game, kept.settings))
    val bundle = bundleOf(context, bundleOf(context, board))
    val strength = Memory(context, bundle.entry.name).choices.strength
    val record = shelve(Kept(kept.session, kept.settings, kept.identity), bundle, strength)
    Assets.library(context).open().keep(record)
    return RecordGame(bundle.entry.name, record.id)
}

/** The end of a link with the game's moves. Two dots end the moves that place stones (docs/records.md). */
fun linkOf(kept: Kept, game: Game): String {
    val (states, setUp) = kept.session.run { states to setUp }
    val names = states.drop(1).map { states[0].label(checkNotNull(it.lastAction)) }
    val placed = if (setUp > 0) names.take(setUp).joinToString(".") + ".." else ""
    val unusual = allSettings(game, kept.settings).filter { (name, value) ->
        !isSame(value, game.settings.first { it.name == name }.default)
    }
    val more = unusual.map { (name, value) -> "&$name=${value.toString().removeSuffix(".0")}" }
    return "${game.name}/moves=$placed${names.drop(setUp).joinToString(".")}${more.joinToString("")}"
}

/** The bundle that `open` gives; null if it cannot be played, whatever the reason. */
private fun playable(open: () -> Bundle): Bundle? = try {
    open().takeIf { it.problems.isEmpty() && it.readingOrNull != null }
} catch (_: RuntimeException) {
    null
}

/** The game of a table as a record: SGF if the game has it, else a line of moves. `names` are the person and the AI. */
fun recordText(opened: Opened, kept: Kept, names: Pair<String, String>): String {
    val (session, reading) = kept.session to opened.bundle.reading
    val (you, ai) = names
    val called = session.names ?: if (session.human == 1) ai to you else you to ai
    return textOf(kept, reading.game, reading.settings + kept.settings, called)
}

/** The game as SGF if SGF has it, else as a line of moves; `names` are those of players 0 and 1. */
fun textOf(kept: Kept, game: Game, settings: Settings, names: Pair<String, String>): String {
    val session = kept.session
    val lost = session.ending as? Ending.Lost
    val written = Written(
        game,
        settings,
        session.states,
        resigned = if (session.ending is Ending.Resigned) session.human else lost?.by,
        late = lost?.takeIf { it.isLate }?.by,
        names = names,
        dead = (session.ending as? Ending.Agreed)?.dead.orEmpty(),
        beside = kept.identity.beside,
        // Discs turn: moves alone lead to a position of Reversi, and SGF's readers know no other way.
        setUp = if (game.name == "reversi") 0 else session.setUp,
    )
    return written.sgf() ?: written.line()
}
