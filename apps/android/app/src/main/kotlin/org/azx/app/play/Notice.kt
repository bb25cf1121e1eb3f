package org.azx.app.play

import org.azx.app.bundle.Text
import org.azx.app.engine.Refusal
import org.azx.app.engine.games.Estimate

/** Something that is said beside the board until the game goes on. */
sealed class Notice {
    /** Whether it is about a move, or what is thought, of one position, and of no use at another one. */
    val isOfOnePosition: Boolean get() = this is NotPossible || this is Estimated || this is Hint || this is NoHint

    /** Who makes the first move, where chance has said it. */
    class Begins(val isHuman: Boolean) : Notice()

    /** A move that a person wanted and may not make. */
    class NotPossible(val reason: Refusal) : Notice()

    /** The pass that the rules forced upon somebody. */
    class ForcedPass(val isHuman: Boolean) : Notice()

    /** The person has given the game up. */
    object Resigned : Notice()

    /** Black's lead less the komi without the stones that are marked dead, and with all stones alive. */
    class Scoring(val without: Double, val alive: Double) : Notice()

    /** Who is ahead in Go, as playouts see it. */
    class Estimated(val estimate: Estimate) : Notice()

    /** The move that is thought best, its share of what was considered, and the chances where they are known. */
    class Hint(val action: Int, val share: Double, val winRate: Double?) : Notice()

    /** Why the game is only in memory; it goes on. */
    class NotKept(val why: String) : Notice()

    /** Why a network that was chosen for a side cannot play; the game stands still. */
    class NoSeat(val why: Text) : Notice()

    /** Why the network could not say what it thinks; the game goes on. */
    class NoHint(val why: Text) : Notice()
}
