/** A series of games between two networks: each is a game of the table like any other, and an entry of the library. */
package org.azx.app.play.table

import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.Side
import org.azx.app.engine.review.Phase
import org.azx.app.play.Kept
import org.azx.app.play.Notice
import org.azx.app.play.Session
import org.azx.app.play.failureOf
import org.azx.app.play.newIdentity
import org.azx.app.play.settingsOf
import org.azx.app.play.startSession
import java.io.Serializable

// How long the end of a game is looked at, as often as a move of it.
private const val LOOKS = 3

/**
 * What remains of a series if the system ends the app. `settings` are those of all its games, `openings` are by number.
 * `round` is the number of the last game that was laid out, `id` is its record's, null before the first.
 */
data class KeptSeries(
    val sides: Pair<Side, Side>,
    val count: Int,
    val settings: HashMap<String, Any>,
    val openings: HashMap<Int, List<Int>> = HashMap(),
    val tally: Tally = Tally(),
    val round: Int = 0,
    val isOver: Boolean = false,
    val id: String? = null,
) : Serializable

/** Plays the games of a series one after the other; of a series that was `kept`, those that remain. */
class Series(private val table: Table, kept: KeptSeries) {
    /** The series as it stands. */
    var kept = kept
        private set
    val count: Int get() = kept.count
    val tally: Tally get() = kept.tally
    val isOver: Boolean get() = kept.isOver
    private val rounds = roundsOf(count)

    /** Whether a game is played that the tally does not have yet. */
    var isPlaying = !isOver && kept.id != null && tally.played == kept.round
        private set

    /** Whether the next game is to be laid out, as soon as somebody looks at the board. */
    private var isDue = !isOver && !isPlaying
    private var isDrawing = false

    /** What each player of the game on the board has won until now; null of a game alone. */
    val wins: Pair<Int, Int>? get() = tally.byPlayer(rounds[kept.round]).takeIf { count > 1 && kept.id != null }

    /** The game on the board has changed: it may be over, or another one. */
    fun look() {
        if (kept.id != null && table.identity.id != kept.id) return leave()
        if (isPlaying && table.session.phase == Phase.OVER) count()
        // Who looks back at the game, or is not there, is waited for.
        if (isDue && !isOver && !isDrawing && !table.isReplay && !table.isAway) next()
    }

    /** End with what was played until now: the game that is under way stays as it is, and is not counted. */
    fun stop() {
        end()
        if (isPlaying) table.pause(true)
        isPlaying = false
        table.show()
    }

    /** The board has another game: drop the series. */
    private fun leave() {
        end()
        table.series = null
    }

    private fun end() {
        kept = kept.copy(isOver = true)
    }

    private fun count() {
        isPlaying = false
        val shown = tally.countIn(rounds[kept.round], table.session.winner)
        kept = kept.copy(tally = shown, isOver = shown.played == count)
        table.worker.later(LOOKS * table.choices.pace.milliseconds) {
            if (shown != tally) return@later
            isDue = true
            if (table.series === this) table.show()
        }
    }

    /** Lay out the next game, its opening played, and let it go. */
    private fun next() {
        val (at, before) = tally.played to table.identity.id
        val number = rounds[at].opening ?: return lay(at, emptyList())
        val openings = kept.openings
        openings[number]?.let { return lay(at, it) }
        isDrawing = true
        val (ask, opened) = ask(rounds[at]) to table.opened
        val (start, plies, known) = Triple(opened.start(kept.settings), pliesOf(opened.game), openings.values.toSet())
        table.worker.ask({ drawOpening(start, plies, ask, known) }) { answer ->
            isDrawing = false
            // A person may have stopped it meanwhile, or gone elsewhere.
            if (isOver || table.series !== this) return@ask
            if (table.identity.id != before) return@ask leave()
            answer.fold({ kept = kept.copy(openings = HashMap(openings + (number to it.actions))) }, ::fail)
            table.show()
        }
    }

    private fun fail(error: Throwable) {
        table.notice = Notice.NoSeat(failureOf(error))
        end()
    }

    private fun ask(round: Round): Ask {
        val (opened, chosen, players) = Triple(table.opened, kept.settings, round.byPlayer(kept.sides).toList())
        return { session -> opened.seat(players[session.latest.toMove]).advise(chosen, session.actions).policy }
    }

    private fun lay(at: Int, opening: List<Int>) {
        isDue = false
        val session = opening.fold(startSession(table.opened.start(kept.settings), NOBODY), ::play)
        val identity = session.newIdentity().copy(sides = rounds[at].byPlayer(kept.sides))
        table.lay(Kept(session, kept.settings, identity))
        kept = kept.copy(round = at, id = identity.id)
        isPlaying = true
        table.go()
    }

    // Forced passes stand in the actions, and are played by the session itself.
    private fun play(session: Session, action: Int): Session =
        if (session.latest.whyIllegal(action) == null) session.play(action) else session
}

/** Begin the series that was chosen. */
internal fun Table.beginSeries() {
    // What is on the board is looked at no more.
    drop()
    val settings = HashMap(settingsOf(opened.game, choices))
    series = Series(this, KeptSeries(checkNotNull(choices.sides), choices.count, settings))
    show()
}

/** Go on with a stored series if its game is on the board and no series is. */
fun Table.restore(kept: KeptSeries) {
    if (series != null || (kept.id != null && kept.id != identity.id)) return
    series = Series(this, kept)
    // Between two games nothing else says that the next one is due.
    show()
}
