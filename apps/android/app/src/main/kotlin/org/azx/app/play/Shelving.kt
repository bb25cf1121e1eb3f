/** Games of a table as records of the library, and back; and the games that this app has kept before it had one. */
package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Entry
import org.azx.app.engine.Game
import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Reading
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.games.byName
import org.azx.app.engine.read
import org.azx.app.engine.records.BOTH
import org.azx.app.engine.records.BundleName
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Identity
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.READER
import org.azx.app.engine.records.SeenEntry
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.freshId
import org.azx.app.engine.records.newIdentity
import org.azx.app.engine.records.timeText
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.findKnown
import org.azx.app.engine.through
import org.azx.app.play.library.Library
import java.security.MessageDigest

/** A game on its way to the library and back; `settings` are those that were chosen beside the network's own. */
class Kept(val session: Session, val settings: Settings, val identity: Identity)

/** Whether a game has anything that is worth keeping. */
val Kept.isBegun: Boolean
    get() = session.isRead || session.ending != null || identity.beside.lines.isNotEmpty() ||
        if (session.isWatched) session.played > 0 else session.canUndo

/** The identity of a new game, by who plays it. */
fun Session.newIdentity(): Identity = newIdentity(if (isWatched) Origin.WATCHED else Origin.PLAYED)

/** All settings of a game: the usual ones where others are not given. GameError for one that is not possible. */
fun allSettings(game: Game, given: Settings): Settings = game.settings.associate { it.name to read(it, given[it.name]) }

/** The record of a game that the network of `bundle` plays at `strength`. */
fun shelve(kept: Kept, bundle: Bundle, strength: Strength): GameRecord {
    val (session, entry) = kept.session to bundle.entry
    val own = nameOf(entry)
    val sides = kept.identity.sides?.takeIf { session.isWatched || session.isRead }
    // A game between two networks is opened with one of them.
    val isOwn = sides == null || own in sides.toList().map { it.bundle }
    val side = { player: Player -> sideOf(session, player, entry.title, strength.level) }
    val settings = allSettings(bundle.reading.game, bundle.reading.settings + kept.settings)
    val players = sides ?: (side(0) to side(1))
    return recordOf(kept, bundle.reading.game, settings, if (isOwn) own else sides?.first?.bundle, players)
}

/** The record of a game that is only read; no bundle plays it. */
fun shelveRead(session: Session, identity: Identity, game: Game, settings: Settings): GameRecord {
    val (one, two) = session.names ?: ("" to "")
    val players = Side(SideKind.FILE, one, "") to Side(SideKind.FILE, two, "")
    return recordOf(Kept(session, settings, identity), game, settings, null, players)
}

/** The record of a game that two people play, by their names; no bundle plays it. */
fun shelveShared(kept: Kept, game: Game): GameRecord =
    recordOf(kept, game, allSettings(game, kept.settings), null, checkNotNull(kept.identity.sides) { "two people" })

private fun recordOf(kept: Kept, game: Game, settings: Settings, bundle: BundleName?, players: Pair<Side, Side>) =
    with(kept.session) {
        val isOver = phase == Phase.OVER
        GameRecord(
            kept.identity, freshId(), timeText(), game.name, settings, bundle, players,
            if (isOfTwo) READER else human, actions, ending,
            isOver, if (isOver) winner else null, rates,
            seen.toSortedMap().map { (moves, found) -> SeenEntry(moves, found.chance, found.best, found.isSure) },
            setUp,
        )
    }

fun nameOf(entry: Entry): BundleName = BundleName(entry.name, entry.isGiven)

private fun sideOf(session: Session, player: Player, title: String, level: String): Side = when {
    session.names != null -> Side(SideKind.FILE, session.names.toList()[player], "")
    player == session.human -> Side(SideKind.PERSON, "", "")
    else -> Side(SideKind.NETWORK, title, level)
}

/** The positions of a record; null if the rules forbid it, or a pass that they force was cut off. */
private fun GameRecord.states(): List<State>? = try {
    begin(byName(game), settings).through(actions).takeUnless { it.last().mustPass }
} catch (_: GameError) {
    null
}

/** The last position of a record; null if the rules forbid it. */
fun GameRecord.last(): State? = states()?.last()

/** A record of two people, for them to go on with; null if the rules forbid it, or others played it. */
fun GameRecord.unshelveShared(): Kept? {
    val kept = takeIf { isOfTwo }?.unshelve() ?: return null
    val session = kept.session.run { Session(states, BOTH, rates, null, ending, seen, names, setUp) }
    // All of them: no network adds its own.
    return Kept(session, settings, identity)
}

/** A record as a table takes it; null if the rules forbid what it says. A game of two people is read there. */
fun GameRecord.unshelve(): Kept? {
    val states = states()?.takeIf { isEndOf(it, end) } ?: return null
    val known = seen.mapNotNull { entry ->
        seenAt(entry, states.getOrNull(entry.moves) ?: return@mapNotNull null)
    }.toMap()
    val names = if (isRead) players.first.name to players.second.name else null
    val session = Session(states, human, rates.filterKeys { it in states.indices }, null, end, known, names, setUp)
    return Kept(session, settings.filterKeys { it in offeredSettings(game) }, identity)
}

// What the rules prove is not written: they say it again.
private fun seenAt(entry: SeenEntry, state: State): Pair<Int, Seen>? {
    val isFit = entry.best?.let { state.whyIllegal(it) == null } ?: state.isTerminal
    if (!isFit) return null
    return entry.moves to Seen(state.toMove, entry.chance, entry.best, entry.isSure, findKnown(state))
}

/** Whether a game can have this end: given up before its end, agreed on after two passes, or told by a text. */
fun isEndOf(states: List<State>, end: Ending?): Boolean = when (end) {
    null, is Ending.Told -> true
    is Ending.Agreed -> isUnsettled(states) && end.dead.all { it in 0 until states[0].board[0] * states[0].board[1] }
    is Ending.Resigned -> !states.last().isTerminal
    is Ending.Lost -> !states.last().isTerminal && end.by == states.last().toMove
}

/** Whether a network plays on the board of a record; with any komi, as it reads none. */
fun Reading.plays(record: GameRecord): Boolean {
    if (record.game != game.name) return false
    val usual = game.settings.associate { it.name to it.default }
    val free = offeredSettings(game.name)
    return settings.all { (name, value) -> name in free || isSame(record.settings[name] ?: usual[name], value) }
}

/** Whether two values of a setting are one: JSON writes 7.0 as 7. */
internal fun isSame(one: Any?, other: Any?): Boolean =
    if (one is Number && other is Number) one.toDouble() == other.toDouble() else one == other

/** The last game that was played or watched with a bundle and that it can go on with; null if there is none. */
fun lastGameOf(library: Library, bundle: Bundle): Kept? = library.list()
    .filter { it.bundle == nameOf(bundle.entry) && !it.isRead && bundle.reading.plays(it) }
    .firstNotNullOfOrNull { it.unshelve() }

/** Move a bundle's game that an earlier version of this app has stored into the library. Waits for the disk. */
fun adopt(context: Context, bundle: Bundle, library: Library) {
    val memory = Memory(context, bundle.entry.name)
    val text = memory.game ?: return
    val (saved, settings) = readSaved(text, bundle) ?: return
    // So that a game that could not be written is not there twice.
    val id = hashOf("${bundle.entry.name}\n$text")
    val kept = Kept(saved, settings, saved.newIdentity().copy(id = id))
    if (!kept.isBegun || id in library) return memory.forgetGame()
    library.keep(shelve(kept, bundle, memory.choices.strength)) { refusal -> if (refusal == null) memory.forgetGame() }
    library.settle()
}

private fun hashOf(text: String): String = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
    .take(8).joinToString("") { "%02x".format(it) }

/** The game of a text and its chosen settings; null if this bundle cannot play it. */
private fun readSaved(text: String, bundle: Bundle): Pair<Session, Settings>? {
    val game = SavedGame.from(text) ?: return null
    // Any other setting would be a board that the network does not read.
    if (!offeredSettings(bundle.reading.game.name).containsAll(game.settings.keys)) return null
    return try {
        game.session(bundle.reading.start(game.settings))?.let { it to game.settings }
    } catch (_: GameError) {
        null
    }
}
