package org.azx.app.play.people

import org.azx.app.engine.Game
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.games.Go
import org.azx.app.engine.records.Clock
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Shared
import org.azx.app.engine.review.Phase
import org.azx.app.play.Counted
import org.azx.app.play.Kept
import org.azx.app.play.Session
import org.azx.app.play.counted
import org.azx.app.play.isBegun
import org.azx.app.play.passOf
import org.azx.app.play.shelveShared
import org.azx.app.play.toggleChain

/**
 * A game of two people at one device: what each of them does, and their clock. No network is needed.
 *
 * `keep` is given the record at each change; `now` counts milliseconds.
 */
class SharedTable(kept: Kept, val game: Game, private val keep: (GameRecord) -> Unit, private val now: () -> Long) {
    var session: Session = kept.session
        private set
    private var identity = kept.identity
    private val settings = kept.settings

    /** Why the move that was wanted last cannot be made; null if nothing is wrong. */
    var refusal: Refusal? = null
        private set

    /** The stones of Go that are marked as dead, after two passes. */
    private var dead: List<Int> = emptyList()

    // When the mover's time began to run; null while the board is hidden.
    private var since: Long? = null

    val shared: Shared get() = identity.shared ?: Shared(false, null, null)

    val kept: Kept get() = Kept(session, settings, identity)

    val record: GameRecord get() = shelveShared(kept, game)

    /** Whether the last position is shown, and a move can be made in it. */
    val canPlay: Boolean get() = session.phase == Phase.YOURS && isAtEnd && shared.asker == null

    val isAtEnd: Boolean get() = session.ply == session.moves

    val isScoring: Boolean get() = session.phase == Phase.SCORING

    val counted: Counted? get() = if (isAtEnd) session.counted(dead) else null

    /** The milliseconds that a player has left; null without a clock. */
    fun leftOf(player: Player): Long? {
        val left = shared.clock?.leftAt(session.moves)?.toList()?.get(player) ?: return null
        return if (player == session.latest.toMove) maxOf(0, left - thought) else left
    }

    // How long the mover has thought since that was noted last: time goes by from the first move on.
    private val thought: Long get() = if (isTimed) since?.let { now() - it } ?: 0 else 0

    private val isTimed: Boolean
        get() = shared.clock != null && session.played > 0 && session.phase == Phase.YOURS

    /** The board is visible. */
    fun enter() {
        since = since ?: now()
    }

    /** The board is hidden: the clock stops, and the time used is kept. */
    fun leave() {
        spend()
        since = null
        save()
    }

    /** Look at the clock: the game ends if the mover has no time left. Whether it has ended. */
    fun tick(): Boolean {
        if (!isTimed || leftOf(session.latest.toMove) != 0L) return false
        spend()
        end(Ending.Lost(session.latest.toMove, isLate = true))
        return true
    }

    /** Note what the mover has thought until now. */
    private fun spend() {
        val gone = thought
        if (since != null) since = now()
        if (gone > 0) clock { it.add(session.moves, session.latest.toMove, -gone) }
    }

    private fun clock(change: (Clock) -> Clock) {
        agree(shared.run { Shared(isUndoAsked, clock?.let(change), asker) })
    }

    private fun ask(asker: Player?) = agree(shared.run { Shared(isUndoAsked, clock, asker) })

    private fun agree(next: Shared) {
        identity = identity.copy(shared = next)
    }

    /** Make the mover's move, or mark a chain as dead; if the move is illegal, say why. */
    fun play(action: Int) {
        if (isScoring && isAtEnd) return toggle(action)
        if (!canPlay || tick()) return
        refusal = session.whyIllegal(action, session.latest)
        if (refusal != null) return
        val mover = session.latest.toMove
        spend()
        session = session.play(action)
        // A clock that has not begun gives nothing.
        clock { it.add(session.moves, mover, 1000L * it.increment) }
        dead = emptyList()
        if (since != null) since = now()
        save()
    }

    fun pass() {
        passOf(session.latest)?.let(::play)
    }

    private fun toggle(at: Int) {
        val state = session.latest as? Go ?: return
        if (at in state.cells.indices && state.cells[at].toInt() != 0) dead = toggleChain(state, dead, at)
    }

    /** Both agree on the dead stones. */
    fun settle() {
        if (isScoring) change(session.agree(dead))
    }

    /** Take both passes back. */
    fun playOn() {
        if (isScoring) change(session.playOn())
    }

    val canUndo: Boolean get() = session.ending == null && session.canUndo && shared.asker == null

    /** Take the last move back, or ask the other one whether it may be. */
    fun undo() {
        if (!canUndo) return
        spend()
        if (!shared.isUndoAsked) return takeBack()
        ask(lastMover)
        save()
    }

    // Who has made the last move that was chosen.
    private val lastMover: Player get() = session.undo().latest.toMove

    /** What the other one says to a move that is to be taken back. */
    fun answer(isAgreed: Boolean) {
        if (shared.asker == null) return
        ask(null)
        if (isAgreed) takeBack() else save()
    }

    private fun takeBack() {
        val before = session.undo()
        clock { it.cut(before.moves) }
        change(before)
    }

    val canResign: Boolean get() = session.phase == Phase.YOURS && session.ending == null

    /** The one who is to move gives the game up. */
    fun resign() {
        if (!canResign) return
        spend()
        end(Ending.Lost(session.latest.toMove, isLate = false))
    }

    private fun end(ending: Ending) {
        ask(null)
        change(session.end(ending))
    }

    private fun change(next: Session) {
        session = next
        refusal = null
        dead = emptyList()
        if (since != null) since = now()
        save()
    }

    /** Show the position after a number of moves. */
    fun show(moves: Int) {
        refusal = null
        session = session.show(moves)
    }

    /** A game of the same two people, who swap sides. */
    fun rematch(): Kept {
        val start = session.states.take(session.setUp + 1)
        val clock = shared.clock
        val (one, two) = checkNotNull(session.names) { "names" }
        val agreed = Agreed(two to one, shared.isUndoAsked, (clock?.base ?: 0) / 60, clock?.increment ?: 0)
        return beginShared(settings, start, game, agreed)
    }

    // Whether the library has the game: then it also hears that the first move was taken back.
    private var isKept = kept.isBegun

    /** Have the game in the library, once there is something in it. */
    private fun save() {
        isKept = isKept || kept.isBegun || session.setUp > 0
        if (isKept) keep(record)
    }
}
