/** The words about a record in a list: who played which game, its end and its date. */
package org.azx.app.screens.library

import android.content.res.Resources
import org.azx.app.R
import org.azx.app.engine.Player
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.timeOf
import org.azx.app.play.Imported
import org.azx.app.play.library.Standing
import org.azx.app.play.strengthOf
import org.azx.app.screens.Words
import org.azx.app.screens.presentationOrNull
import java.text.DateFormat
import java.util.Date

class Telling(resources: Resources) {
    private val words = Words(resources)
    private val dates = DateFormat.getDateInstance(DateFormat.MEDIUM, resources.configuration.locales[0])

    fun say(id: Int, vararg places: Any): String = words.say(id, *places)

    fun count(id: Int, many: Int): String = words.count(id, many)

    fun game(name: String): String = presentationOrNull(name)?.let { words.say(it.title) } ?: name

    fun standing(standing: Standing): String = words.choice("library_", standing)

    /** "You – AI", or the names of other people. */
    fun players(record: GameRecord): String =
        "${side(record, 0, record.players.first)} – ${side(record, 1, record.players.second)}"

    private fun side(record: GameRecord, player: Player, side: Side): String = when {
        side.bundle != null -> named(side, record.game)
        record.isOfTwo -> side.name.ifEmpty { piece(record.game, player) }
        side.kind == SideKind.PERSON -> words.say(R.string.you)
        side.kind == SideKind.NETWORK -> words.say(R.string.ai)
        else -> side.name.ifEmpty { piece(record.game, player) }
    }

    private fun piece(game: String, player: Player): String =
        presentationOrNull(game)?.let { words.say(it.pieces[player]) } ?: "${player + 1}"

    /** What one of two networks is called: its title, with the game's name in this language, and how strong it plays. */
    private fun named(side: Side, game: String): String =
        listOfNotNull(words.title(side.name, game), level(side)).joinToString(words.say(R.string.board_comma))

    private fun level(side: Side): String? = strengthOf(side)?.let(words::strength)

    /** How it has ended, or that it goes on. */
    fun result(record: GameRecord): String {
        val (end, winner) = record.end to record.winner
        val isOthers = record.isRead && !record.isOfTwo
        return when {
            record.isRead && end is Ending.Told -> end.result
            !record.isOver -> words.say(if (isOthers) R.string.record_no_result else R.string.game_in_progress)
            winner == null -> words.say(R.string.draw)
            record.hasPerson -> words.say(if (winner == record.human) R.string.you_won else R.string.ai_won)
            else -> words.say(R.string.winner_is, winnerName(record, winner))
        }
    }

    private fun winnerName(record: GameRecord, winner: Player): String {
        val side = record.players.toList()[winner]
        val isNamed = record.isRead || side.bundle != null
        return if (isNamed) side(record, winner, side) else piece(record.game, winner)
    }

    /** "Go · 24 moves · 26 Nov 2026 · Level 3: casual". */
    fun about(record: GameRecord): String {
        // Of two networks the names have it.
        val levels = record.players.toList().filter { it.kind == SideKind.NETWORK && it.bundle == null }.map(::level)
        val told = record.identity.beside.told
        val date = told["DT"] ?: timeOf(record.identity.begun)?.let { dates.format(Date(it)) }
        val moves = words.count(R.plurals.library_moves, record.played)
        val all = listOf(game(record.game), moves, date, told["EV"]) + levels.distinct()
        return all.filterNotNull().joinToString(" · ")
    }

    /** What a screen reader says of a record, in one sentence. */
    fun whole(record: GameRecord): String =
        listOf(players(record), result(record), about(record)).joinToString(words.say(R.string.board_comma))

    /** How many games of a .zip were taken, known or refused. */
    fun imported(imported: Imported): String {
        val counts = listOf(
            R.plurals.library_imported to imported.taken,
            R.plurals.library_known to imported.known,
            R.plurals.library_unread to imported.refused,
        )
        val said = counts.filterIndexed { at, (_, count) -> at == 0 || count > 0 }
        return said.joinToString(" ") { (id, count) -> words.count(id, count) }
    }

    /** All that a search looks through, in small letters. */
    fun sought(record: GameRecord): String {
        val beside = record.identity.beside
        // Some know a game by the name that records have.
        val said = listOf(whole(record), record.game) + beside.told.values
        return (said + beside.comments.map { it.text }).joinToString(" ").lowercase()
    }
}
