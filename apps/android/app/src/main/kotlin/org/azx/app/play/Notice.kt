package org.azx.app.play

import org.azx.app.bundle.Text
import org.azx.app.engine.Refusal
import org.azx.app.engine.games.Estimate

/** A sentence beside the board, until the game goes on. */
sealed class Notice {
    /** Whether it is about one position alone, and is dropped at another one. */
    val isOfOnePosition: Boolean get() = this is NotPossible || this is Estimated || this is Hint || this is NoHint

    /** Who makes the first move, drawn by lot. */
    class Begins(val isHuman: Boolean) : Notice()

    /** A move that the rules do not allow. */
    class NotPossible(val reason: Refusal) : Notice()

    /** A pass that the rules forced. */
    class ForcedPass(val isHuman: Boolean) : Notice()

    /** The person has given the game up. */
    object Resigned : Notice()

    /** Black's lead less the komi without the stones that are marked dead, and with all stones alive. */
    class Scoring(val without: Double, val alive: Double) : Notice()

    /** Who is ahead in Go, as playouts see it. */
    class Estimated(val estimate: Estimate) : Notice()

    /**
     * The move that is thought best, its share of the visits, and the person's chance if it is known. `equal` are the
     * moves that are as good; `isLost` if each of them loses against perfect play.
     */
    class Hint(
        val action: Int,
        val share: Double,
        val winRate: Double?,
        val equal: List<Int> = emptyList(),
        val isLost: Boolean = false,
    ) : Notice()

    /** Why the game is only in memory; it goes on. */
    class NotKept(val why: String) : Notice()

    /** Why a network that was chosen for a side cannot play; the game stands still. */
    class NoSeat(val why: Text) : Notice()

    /** Why the network could not say what it thinks; the game goes on. */
    class NoHint(val why: Text) : Notice()
}
