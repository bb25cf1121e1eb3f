/** A series of games between two networks: each is a game of the table like any other, and an entry of the library. */
package org.azx.app.play.table

import org.azx.app.engine.Settings
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.newIdentity
import org.azx.app.engine.review.Phase
import org.azx.app.play.Kept
import org.azx.app.play.Notice
import org.azx.app.play.Session
import org.azx.app.play.failureOf
import org.azx.app.play.settingsOf
import org.azx.app.play.startSession
import java.io.Serializable

// How long the end of a game is looked at, as often as a move of it.
private const val LOOKS = 3

/** What is kept of a series where the system ends the app: `openings` by their numbers, `id` of the game on the board. */
class KeptSeries(
    val sides: Pair<Side, Side>,
    val count: Int,
    val settings: HashMap<String, Any>,
    val openings: HashMap<Int, List<Int>>,
    val tally: Tally,
    val round: Int,
    val isOver: Boolean,
    val id: String?,
) : Serializable

/** `settings` are those that were chosen for all of its games. */
class Series(private val table: Table, val sides: Pair<Side, Side>, val count: Int, private val settings: Settings) {
    private val rounds = roundsOf(count)
    private val openings = HashMap<Int, List<Int>>()
    var tally = Tally()
        private set

    /** The number of the game that was laid out last, and what it is called; null before the first one. */
    private var round = 0
    private var id: String? = null

    /** Whether a game is played that the tally does not have yet. */
    var isPlaying = false
        private set
    var isOver = false
        private set

    /** Whether the next game is to be laid out, as soon as somebody looks at the board. */
    private var isDue = true
    private var isDrawing = false

    /** What each player of the game on the board has won until now; null of a game alone. */
    val wins: Pair<Int, Int>? get() = tally.byPlayer(rounds[round]).takeIf { count > 1 && id != null }

    val kept: KeptSeries
        get() = KeptSeries(sides, count, HashMap(settings), HashMap(openings), tally, round, isOver, id)

    /** Go on with what was kept; the game on the board is the one that it has. */
    fun restore(kept: KeptSeries) {
        openings += kept.openings
        tally = kept.tally
        round = kept.round
        isOver = kept.isOver
        id = kept.id
        isPlaying = !isOver && id != null && tally.played == round
        isDue = !isOver && !isPlaying
    }

    /** The game on the board has changed: it may be over, or another one. */
    fun look() {
        if (id != null && table.identity.id != id) return leave()
        if (isPlaying && table.session.phase == Phase.OVER) count()
        // Who looks back at the game, or is not there, is waited for.
        if (isDue && !isOver && !isDrawing && !table.isReplay && !table.isAway) next()
    }

    /** End with what was played until now: the game that is under way stays as it is, and is not counted. */
    fun stop() {
        isOver = true
        if (isPlaying) table.pause(true)
        isPlaying = false
        table.show()
    }

    /** The board is another game's: nothing is said of the series any more. */
    private fun leave() {
        isOver = true
        table.series = null
    }

    private fun count() {
        isPlaying = false
        tally = tally.countIn(rounds[round], table.session.winner)
        isOver = tally.played == count
        val shown = tally
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
        openings[number]?.let { return lay(at, it) }
        isDrawing = true
        val (ask, opened) = ask(rounds[at]) to table.opened
        val (start, plies, known) = Triple(opened.start(settings), pliesOf(opened.game), openings.values.toSet())
        table.worker.ask({ drawOpening(start, plies, ask, known) }) { answer ->
            isDrawing = false
            // A person may have stopped it meanwhile, or gone elsewhere.
            if (isOver || table.series !== this) return@ask
            if (table.identity.id != before) return@ask leave()
            answer.fold({ openings[number] = it.actions }, ::fail)
            table.show()
        }
    }

    private fun fail(error: Throwable) {
        table.notice = Notice.NoSeat(failureOf(error))
        isOver = true
    }

    private fun ask(round: Round): Ask {
        val (opened, chosen, players) = Triple(table.opened, settings, round.byPlayer(sides).toList())
        return { session -> opened.seat(players[session.latest.toMove]).advise(chosen, session.actions).policy }
    }

    private fun lay(at: Int, opening: List<Int>) {
        isDue = false
        val session = opening.fold(startSession(table.opened.start(settings), NOBODY), ::play)
        val identity = newIdentity(Origin.WATCHED).copy(sides = rounds[at].byPlayer(sides))
        table.lay(Kept(session, settings, identity))
        round = at
        id = identity.id
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
    series = Series(this, checkNotNull(choices.sides), choices.count, settingsOf(opened.game, choices))
    show()
}

/** Go on with a series that was kept, where its game is on the board and the series is not. */
fun Table.restore(kept: KeptSeries) {
    if (series != null || (kept.id != null && kept.id != identity.id)) return
    series = Series(this, kept.sides, kept.count, kept.settings).also { it.restore(kept) }
    // Between two games nothing else says that the next one is due.
    show()
}
