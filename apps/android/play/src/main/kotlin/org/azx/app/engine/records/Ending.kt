package org.azx.app.engine.records

import org.azx.app.engine.Player

/** How a game ends beside what its rules say. */
sealed class Ending {
    /** A person has given it up. */
    object Resigned : Ending()

    /** One of two people has given it up, or if `isLate` has no time left. */
    class Lost(val by: Player, val isLate: Boolean) : Ending()

    /** The points of the stones of Go that are agreed to be dead, ascending. */
    class Agreed(val dead: List<Int>) : Ending()

    /** The result as a text gives it, and its winner; null for a draw. */
    class Told(val result: String, val winner: Player?) : Ending()
}
